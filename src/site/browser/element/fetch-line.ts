/** Fetches a line over a window: its points, or over a long window its means by step with their lowest and highest values. */
import { bandStep, longestRangeOfPoints } from '../../../draw/time-step.ts';
import { noPoints, type Points, slicePoints } from '../../../model/points.ts';
import { dayMs, type TimeWindow, windowOver } from '../../../model/window.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { loadPart } from '../load-part.ts';
import { type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { LineData, WantedLine } from './line-data.ts';
import { getJson } from './shared-requests.ts';

/** Steps of `/api/v2/series`. */
const steps = { day: { name: '1d', ms: dayMs }, week: { name: '7d', ms: 7 * dayMs } } as const;

/** The step for a window; undefined for points as they are stored. */
function stepForWindow({ from, to }: TimeWindow, width: number): (typeof steps)['day' | 'week'] | undefined {
  const lengthMs = to - 1 - from;
  if (lengthMs <= longestRangeOfPoints) return undefined;
  return bandStep(lengthMs, width).ms === dayMs ? steps.day : steps.week;
}

/** Fetches the points or the steps of a window from `/api/v2`. `chart` is `1337:players`, percent-encoded. */
export async function fetchLine(
  { server, chart, known }: { readonly server: string; readonly chart: string; readonly known: KnownChart },
  { window, width }: WantedLine,
): Promise<LineData> {
  const { span = { first: 0, last: 0 }, latestValue = Number.NaN } = known;
  const loaded = windowOver(window, span);
  const about = { span, latestValue, loaded, points: noPoints };
  if (known.span === undefined) return about;
  const step = stepForWindow(loaded, width);
  const url = server.slice(0, -1) + seriesPath(chart, loaded);
  if (step === undefined) return { ...about, points: seriesOf(await getJson(url)) };
  const aggregateOf = async (aggregate: string) =>
    seriesOf(await getJson(`${url}&step=${step.name}&aggregate=${aggregate}`));
  const [{ readBand }, means, lows, highs] = await Promise.all([
    loadPart(import('./read-band.ts')),
    aggregateOf('mean'),
    aggregateOf('min'),
    aggregateOf('max'),
  ]);
  const columns = { times: means.timestamps, means: means.values, lows: lows.values, highs: highs.values };
  return { ...about, readBand, summaries: { stepMs: step.ms, ...columns } };
}

/** True if a line has all that a window shows, in the resolution that it is shown in. */
export function hasLineWindow({ loaded, span, summaries }: LineData, { window, width }: WantedLine): boolean {
  const wanted = windowOver(window, span);
  const isWithin = wanted.from >= loaded.from && wanted.to <= loaded.to;
  return isWithin && summaries?.stepMs === stepForWindow(wanted, width)?.ms;
}

/** The first series of an answer. */
function seriesOf(answer: unknown): Points {
  const times = listOf(memberOf(answer, 'times'));
  const series = listOf(memberOf(listOf(memberOf(answer, 'series'))[0], 'values'));
  const [timestamps, values] = [new Float64Array(times.length), new Float64Array(times.length)];
  let pointCount = 0;
  for (const [index, time] of times.entries()) {
    const value = series[index];
    if (typeof time !== 'number' || typeof value !== 'number') continue;
    timestamps[pointCount] = time;
    values[pointCount++] = value;
  }
  return slicePoints({ timestamps, values }, 0, pointCount);
}
