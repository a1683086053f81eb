/** Answers that are made of several reads, and still show one state of the store. */
import type { MetricsReader } from '../model/metrics-reader.ts';

/** How often what was read across an import is read anew: an import takes longer than a read. */
const maxRepeats = 5;

/**
 * What `read` gives once nothing has changed while it read. It must have read everything when it resolves: what is drawn of
 * it later may take its time. Where the store never rests, the last result is taken, which no cache keeps.
 */
export async function readOneState<Result>(
  reader: MetricsReader,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let repeats = 0; ; repeats++) {
    const state = reader.readState();
    const result = await read();
    if (reader.readState() === state || repeats >= maxRepeats) return result;
  }
}
