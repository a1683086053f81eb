/** Lines over a window: their points, or over a long window their means by step with the lowest and highest values. */

import { columnCountFor, gapLimitMs, LineColumns } from '../../../draw/line/line-columns.ts';
import { lineStep } from '../../../draw/time-step.ts';
import { noPoints, type Points, slicePoints } from '../../../model/points.ts';
import {
  firstFrom,
  type Period,
  type StepName,
  type TimeWindow,
  windowOver,
  windowOverAll,
} from '../../../model/window.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { loadPart } from '../load-part.ts';
import { type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { LineData, LineReading, WantedLine } from './line-data.ts';
import { getJson } from './shared-requests.ts';

function stepOver({ from, to }: TimeWindow, width: number) {
  return lineStep(to - 1 - from, width);
}

/** Charts of a server. */
export interface ChartsToFetch {
  readonly server: string;
  /** Each with its name in an address: `1337:players`, percent-encoded. */
  readonly charts: ReadonlyArray<{ readonly name: string; readonly known: KnownChart }>;
}

/** Fetches the points or the steps of lines in one window from `/api/v2`. */
export async function fetchLines(
  source: ChartsToFetch,
  { window, width }: WantedLine,
): Promise<readonly LineData[]> {
  const loaded = windowOfCharts(source, window);
  const step = stepOver(loaded, width);
  const seriesOf = (aggregate: string) => fetchSeries(source, loaded, step && { step, aggregate });
  const [part, lines, lows, highs] = await Promise.all([
    step && loadPart(import('./read-band.ts')),
    seriesOf('mean'),
    step && seriesOf('min'),
    step && seriesOf('max'),
  ]);
  return source.charts.map(({ known: { span = { first: 0, last: 0 }, latestValue = Number.NaN } }, index) => {
    const points = lines[index] ?? noPoints;
    const about = { span, latestValue, loaded, points };
    if (step === undefined || part === undefined) return about;
    const valuesOf = (all: readonly Points[] = []) => all[index]?.values ?? points.values;
    const band = { step, lows: valuesOf(lows), highs: valuesOf(highs), read: part.readBand };
    return { ...about, band };
  });
}

/** The window of a period over charts. */
export function windowOfCharts({ charts }: ChartsToFetch, period: Period): TimeWindow {
  return windowOverAll(
    period,
    charts.flatMap(({ known: { span } }) => span ?? []),
  );
}

/** Fetches the series of charts in a window, as they are stored or by step. */
export async function fetchSeries(
  { server, charts }: ChartsToFetch,
  window: TimeWindow,
  by?: { readonly step: StepName; readonly aggregate: string },
): Promise<readonly Points[]> {
  if (charts.every(({ known }) => known.span === undefined)) return [];
  const path = seriesPath(charts.map(({ name }) => name).join(','), window);
  const query = by === undefined ? '' : `&step=${by.step}&aggregate=${by.aggregate}`;
  const answer = await getJson(server.slice(0, -1) + path + query);
  const times = listOf(memberOf(answer, 'times'));
  return listOf(memberOf(answer, 'series')).map((series) => pointsOfSeries(times, series));
}

/** True if a line has all that a window shows, in the resolution that it is shown in. */
export function hasLineWindow({ loaded, span, band }: LineData, { window, width }: WantedLine): boolean {
  const wanted = windowOver(window, span);
  const isWithin = wanted.from >= loaded.from && wanted.to <= loaded.to;
  return isWithin && band?.step === stepOver(wanted, width);
}

/** The points of one series of an answer, over its times. */
function pointsOfSeries(times: readonly unknown[], series: unknown): Points {
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

/** Reads the data of a line for a drawing: over a long window as means in a band. */
export function readLine(line: LineData, { window, width }: WantedLine): LineReading {
  const { span, points } = line;
  const ends = windowOver(window, span);
  const [from, to] = [ends.from, ends.to - 1];
  if (line.band !== undefined) return line.band.read(line, { from, to });
  const columns = new LineColumns({
    from,
    to,
    columnCount: columnCountFor(width),
    maxGapMs: gapLimitMs(points.timestamps),
  });
  columns.add(points);
  const start = firstFrom(points.timestamps, from);
  return { shape: columns, points: slicePoints(points, start, firstFrom(points.timestamps, to + 1)) };
}
