/** Fetches a line over a window: its points, or over a long window its means by step with their lowest and highest values. */
import { lineStep } from '../../../draw/time-step.ts';
import { noPoints, type Points, slicePoints } from '../../../model/points.ts';
import { type TimeWindow, windowOver } from '../../../model/window.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { loadPart } from '../load-part.ts';
import { type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { LineData, WantedLine } from './line-data.ts';
import { getJson } from './shared-requests.ts';

function stepOver({ from, to }: TimeWindow, width: number) {
  return lineStep(to - 1 - from, width);
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
  const step = stepOver(loaded, width);
  const url = server.slice(0, -1) + seriesPath(chart, loaded);
  if (step === undefined) return { ...about, points: firstSeries(await getJson(url)) };
  const aggregateOf = async (aggregate: string) =>
    firstSeries(await getJson(`${url}&step=${step}&aggregate=${aggregate}`));
  const [{ readBand }, points, lows, highs] = await Promise.all([
    loadPart(import('./read-band.ts')),
    aggregateOf('mean'),
    aggregateOf('min'),
    aggregateOf('max'),
  ]);
  return { ...about, points, band: { step, lows: lows.values, highs: highs.values, read: readBand } };
}

/** True if a line has all that a window shows, in the resolution that it is shown in. */
export function hasLineWindow({ loaded, span, band }: LineData, { window, width }: WantedLine): boolean {
  const wanted = windowOver(window, span);
  const isWithin = wanted.from >= loaded.from && wanted.to <= loaded.to;
  return isWithin && band?.step === stepOver(wanted, width);
}

/** The first series of an answer. */
function firstSeries(answer: unknown): Points {
  return pointsOfSeries(listOf(memberOf(answer, 'times')), listOf(memberOf(answer, 'series'))[0]);
}

/** The points of one series of an answer, over its times. */
export function pointsOfSeries(times: readonly unknown[], series: unknown): Points {
  const all = listOf(memberOf(series, 'values'));
  const [timestamps, values] = [new Float64Array(times.length), new Float64Array(times.length)];
  let pointCount = 0;
  for (const [index, time] of times.entries()) {
    const value = all[index];
    if (typeof time !== 'number' || typeof value !== 'number') continue;
    timestamps[pointCount] = time;
    values[pointCount++] = value;
  }
  return slicePoints({ timestamps, values }, 0, pointCount);
}
