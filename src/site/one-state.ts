/** Answers that are made of several reads, and still show one state of the store. */
import type { MetricsReader } from '../model/metrics-reader.ts';

/** How often what was read across an import is read anew: an import takes longer than a read. */
const maxRepeats = 5;

/**
 * What `read` gives once nothing has changed while it read. It must have read everything when it settles: what is drawn of
 * it later may take its time. Where the store never rests, the last result is taken, which no cache keeps.
 */
export function readOneState<Result>(reader: MetricsReader, read: () => Promise<Result>): Promise<Result> {
  return readUnchanged(read, () => reader.readState());
}

/** The same for what waits while it reads, such as for a search: only a change of the store counts. */
export function readSlowlyOneState<Result>(
  reader: MetricsReader,
  read: () => Promise<Result>,
): Promise<Result> {
  return readUnchanged(read, () => reader.generation('data'));
}

async function readUnchanged<Result>(read: () => Promise<Result>, state: () => number): Promise<Result> {
  for (let repeats = 0; ; repeats++) {
    const before = state();
    const isOneState = () => state() === before || repeats >= maxRepeats;
    try {
      const result = await read();
      if (isOneState()) return result;
    } catch (error) {
      // What is not there any more may be in the way too.
      if (isOneState()) throw error;
    }
  }
}
