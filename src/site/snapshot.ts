/** Reads of one state of the store. */
import type { WorkReader } from '../http/work/work-reader.ts';
import type { MetricsView } from '../model/metrics-reader.ts';

/** Calls `load` with a view of one state, which is released as soon as `load` is done. Rejects as `load` and the reader do. */
export async function inSnapshot<Result>(
  reader: WorkReader,
  load: (view: MetricsView) => Promise<Result>,
): Promise<Result> {
  const results = reader.snapshot(async function* (view) {
    yield await load(view);
  });
  for await (const result of results) return result;
  throw new Error('a snapshot without a result');
}
