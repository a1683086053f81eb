/** Rows of a comparison of two builds: what is measured, the ratios of the rounds, and the table. */
import { atLeast, atMost, type Demand, isMet, medianOf, type Unit } from '../question.ts';
import { alignedTable, boundText, figureText } from '../table.ts';

/** A value for each of the two builds: the working tree, and the commit to compare with. */
export interface Sides<Thing> {
  readonly present: Thing;
  readonly earlier: Thing;
}

/** A row; its ratio is the figure of the working tree divided by that of the commit. */
export interface Row {
  /** Identifies the row on the command line. */
  readonly id: string;
  readonly what: string;
  readonly unit: Unit;
  /** Returns the bound of the ratio, given the figure of the commit; undefined without a bound. */
  readonly bound?: (earlier: number) => Demand;
}

/** The rounds of a row, or the reason why it was not measured. */
export interface RowRounds {
  readonly row: Row;
  readonly pairs: readonly Sides<number>[];
  readonly failure?: string;
}

/** Makes a lower bound for a ratio. */
export const least = (ratio: number) => () => atLeast(ratio);

/** Makes an upper bound for a ratio. */
export const most = (ratio: number) => () => atMost(ratio);

/** Summarizes the figures of a row over all rounds. */
export function summaryOf(pairs: readonly Sides<number>[]) {
  const ratioOf = ({ present, earlier }: Sides<number>) => present / earlier;
  const ratios = pairs.map(ratioOf);
  return {
    present: medianOf(pairs, ({ present }) => present),
    earlier: medianOf(pairs, ({ earlier }) => earlier),
    ratio: medianOf(ratios, Number),
    smallest: Math.min(...ratios),
    largest: Math.max(...ratios),
  };
}

/** True if the row was measured and is within its bound. */
export function isGood({ row, pairs, failure }: RowRounds): boolean {
  const { earlier, ratio } = summaryOf(pairs);
  const demand = row.bound?.(earlier);
  return failure === undefined && (demand === undefined || isMet({ figure: ratio, demand }));
}

/** Renders the rows as an aligned Markdown table, with the reasons for missing figures below. */
export function besideTable(rows: readonly RowRounds[], names: Sides<string>): string {
  const header = ['row', '', names.present, names.earlier, 'ratio', 'from … to', 'bound', ''];
  const notes = rows.flatMap(({ row, failure }) =>
    failure === undefined ? [] : [`- ${row.id}: ${failure}`],
  );
  return alignedTable(header, rows.map(cellsOf), notes);
}

function cellsOf(rounds: RowRounds): string[] {
  const { row, pairs, failure } = rounds;
  if (failure !== undefined) return [row.id, row.what, '–', '–', '–', '–', '–', 'NOT MEASURED'];
  const { present, earlier, ratio, smallest, largest } = summaryOf(pairs);
  return [
    row.id,
    row.what,
    figureText(present, row.unit),
    figureText(earlier, row.unit),
    ratio.toFixed(2),
    `${smallest.toFixed(2)} … ${largest.toFixed(2)}`,
    row.bound === undefined ? '–' : boundText(row.bound(earlier)),
    isGood(rounds) ? '' : 'MISSED',
  ];
}
