/** Series as CSV: a column of times, and one for each series. */
import { type Cell, csvRow } from '../model/csv-row.ts';
import type { SeriesAnswer } from './load-series.ts';
import type { Series } from './merge-series.ts';

/** The most numbers in a part: about a millisecond of work. */
const numbersPerPart = 8192;

/** Renders series in parts, with a name for each column. */
export function* renderSeriesCsv(
  { times, series }: Pick<SeriesAnswer, 'times' | 'series'>,
  nameOf: (series: Series) => string,
): Generator<string> {
  yield csvRow(['time', ...series.map(nameOf)]);
  const rowsPerPart = Math.max(1, Math.floor(numbersPerPart / (series.length + 1)));
  let rows = '';
  for (const [index, time] of times.entries()) {
    const cells = series.map(({ values }): Cell => {
      const value = values[index];
      return Number.isFinite(value) ? value : undefined;
    });
    rows += csvRow([new Date(time).toISOString(), ...cells]);
    if ((index + 1) % rowsPerPart !== 0) continue;
    yield rows;
    rows = '';
  }
  yield rows;
}
