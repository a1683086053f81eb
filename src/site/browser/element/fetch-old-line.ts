/** Fetches a line from a server that has `/api/v1` alone. */

import { parseLine } from '../../../draw/line/parse-line.ts';
import { noPoints } from '../../../model/points.ts';
import type { Period } from '../../../model/window.ts';
import { windowLength } from '../../state/shown-window.ts';
import { getJson, listOf } from './known-plugin.ts';
import type { LineData } from './line-data.ts';
import { fetchNewest } from './newest-points.ts';
import { readBand } from './read-band.ts';

/** Fetches the newest points of a line from `/api/v1`, as far back as a window; undefined if the answer has none of a line. */
export async function fetchNewestLine(
  dataUrl: string,
  window: Period,
  nowMs: number,
): Promise<LineData | undefined> {
  let data: unknown;
  const newest = await fetchNewest(windowLength(window, nowMs), async (maxElements) => {
    data = await getJson(`${dataUrl}?maxElements=${maxElements}`);
    return { points: parseLine(data) ?? noPoints, entryCount: listOf(data).length };
  });
  if (parseLine(data) === undefined) return undefined;
  const { timestamps, values } = newest.points;
  const span = { first: timestamps[0] ?? 0, last: timestamps.at(-1) ?? 0 };
  const loaded = { from: span.first, to: span.last + 1 };
  return { points: newest.points, span, latestValue: values.at(-1) ?? Number.NaN, loaded, newest, readBand };
}
