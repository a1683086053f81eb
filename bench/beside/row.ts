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
}

/** The rounds of a row, or the reason why it was not measured. */
export interface RowRounds {
  readonly row: Row;
  readonly pairs: readonly Sides<number>[];
  readonly failure?: string;
}

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

/** Bound of the ratio: work may fall by 5%, or by 7% where the rounds differ; sizes may grow by 5%. */
function boundOf({ row, pairs }: RowRounds): Demand {
  const { smallest, largest } = summaryOf(pairs);
  if (!row.unit.endsWith('/CPU s')) return atMost(1.05);
  return atLeast(largest - smallest > 0.1 ? 0.93 : 0.95);
}

/** True if the row was measured and is within its bound. */
export function isGood(rounds: RowRounds): boolean {
  const figure = summaryOf(rounds.pairs).ratio;
  return rounds.failure === undefined && isMet({ figure, demand: boundOf(rounds) });
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
    boundText(boundOf(rounds)),
    isGood(rounds) ? '' : 'MISSED',
  ];
}
