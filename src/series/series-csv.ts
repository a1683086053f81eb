/** Renders series as CSV: a column of times and one column per series. */
import type { Columns } from '../model/columns.ts';
import { type Cell, csvRow } from '../model/csv-row.ts';

/** Maximum number of numbers in a part: about a millisecond of work. */
const numbersPerPart = 8192;

/** Renders series in parts, after a header row with the column names. */
export function* renderSeriesCsv(
  { times, series }: Columns,
  names: readonly string[],
  timeOf = (time: number) => new Date(time).toISOString(),
): Generator<string> {
  yield csvRow(names);
  const rowsPerPart = Math.max(1, Math.floor(numbersPerPart / names.length));
  let rows = '';
  for (const [index, time] of times.entries()) {
    const cells = series.map(({ values }): Cell => {
      const value = values[index];
      return Number.isFinite(value) ? value : undefined;
    });
    // The time needs no escaping: years beyond 9999 begin with a sign, but are not read as formulas.
    rows += `${timeOf(time)},${csvRow(cells)}`;
    if ((index + 1) % rowsPerPart !== 0) continue;
    yield rows;
    rows = '';
  }
  yield rows;
}
