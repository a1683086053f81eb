/** Reads the points of CSV. */
import { type CsvOptions, readCsv } from '../../../src/archive/csv/read-csv.ts';
import { type Entry, entriesOf } from '../../support/points.ts';

/** The points of a file in its order, which is read in blocks of a few bytes. */
export async function pointsIn(
  bytes: Uint8Array,
  options: CsvOptions = {},
  blockBytes = 7,
): Promise<readonly Entry[]> {
  const input = {
    name: 'a.csv',
    async *blocks() {
      for (let start = 0; start < bytes.length; start += blockBytes)
        yield bytes.subarray(start, start + blockBytes);
    },
  };
  const runs = await Array.fromAsync(readCsv(input, options));
  return runs.flatMap(({ points }) => entriesOf(points));
}
