/** The data of a chart as rows of text, for its table. */
import type { ChartContent, ChartToDraw } from '../../../draw/chart-content.ts';
import { formatDate, formatDateTime, formatExact, formatShare } from '../../../draw/format.ts';
import { rankShares } from '../../../draw/shares/rank.ts';
import type { Share } from '../../../draw/shares/share.ts';
import { tableRows } from '../../../draw/shares/table-rows.ts';
import type { LineReading } from './line-data.ts';

/** Rows of cells. */
export interface ChartTable {
  readonly title: string;
  /** `Newest 500 of 1,441`; empty if all rows are shown. */
  readonly note: string;
  /** Empty for rows without headings. */
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** True if all columns but the first are numbers. */
  readonly hasNumbers: boolean;
}

/** Most rows of a table: a page has to hold them. */
const maxRowCount = 500;

/** The table of a chart: the points of a line, the newest first, or shares, the largest first. */
export function tableOf(
  chart: ChartToDraw,
  content: ChartContent,
  reading: LineReading | undefined,
): ChartTable | undefined {
  const { title } = chart;
  switch (content.kind) {
    case 'line':
      return reading && lineTable(title, reading);
    case 'pie':
      return shareTable(title, content.slices);
    case 'bars':
      return shareTable(title, content.bars);
    case 'table': {
      const table = tableRows(content.data, { rows: maxRowCount, columns: 20 });
      const { columns, rows, rowCount } = table;
      return { title, note: noteOf('First', rows.length, rowCount), columns, rows, hasNumbers: false };
    }
    case 'none':
    case 'broken':
      return undefined;
  }
}

function lineTable(title: string, { points, band }: LineReading): ChartTable {
  const { timestamps, values } = points;
  const count = timestamps.length;
  const rows = Array.from({ length: Math.min(count, maxRowCount) }, (_, row) => {
    const index = count - 1 - row;
    const time = timestamps[index] ?? Number.NaN;
    const value = formatExact(values[index] ?? 0);
    if (band === undefined) return [formatDateTime(time), value];
    const [low, high] = [band.lows[index] ?? 0, band.highs[index] ?? 0];
    return [formatDate(time), value, formatExact(low), formatExact(high)];
  });
  const columns = band === undefined ? ['Time', 'Value'] : ['From', 'Mean', 'Lowest', 'Highest'];
  const note = [noteOf('Newest', rows.length, count), band === undefined ? '' : band.step.mean];
  return { title, note: note.filter((words) => words !== '').join(', '), columns, rows, hasNumbers: true };
}

function shareTable(title: string, shares: readonly Share[]): ChartTable {
  const hasShares = shares.every(({ value }) => value >= 0);
  const rows = rankShares(shares)
    .slice(0, maxRowCount)
    .map(({ entry: { name, value }, part }) => [
      name,
      formatExact(value),
      ...(hasShares ? [formatShare(part)] : []),
    ]);
  const columns = ['Name', 'Value', ...(hasShares ? ['Share'] : [])];
  return { title, note: noteOf('Largest', rows.length, shares.length), columns, rows, hasNumbers: true };
}

function noteOf(which: string, shown: number, all: number): string {
  return shown < all ? `${which} ${formatExact(shown)} of ${formatExact(all)}` : '';
}
