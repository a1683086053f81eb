/** The figures of a line: its latest value, its peak, its changes. */
import type { MetricsView } from '../../model/metrics-reader.ts';
import { concatPoints, type Points } from '../../model/points.ts';
import { loadLine } from './load-line.ts';

const dayMs = 24 * 60 * 60 * 1000;
const peakDays = 30;

/** Most distance of a value from the time that it stands for. */
const toleranceMs = dayMs / 2;

/** The figures of one line. */
export interface LineFigures {
  /** The latest value, and its time in Unix milliseconds. */
  readonly now: number;
  readonly timestamp: number;
  /** The largest value of the last 30 days. */
  readonly peak: number;
  readonly peakTimestamp: number;
  /** The change in 7 and in 30 days as a share: 0.1 is a tenth more. Undefined if there is no value to compare with. */
  readonly weekChange: number | undefined;
  readonly monthChange: number | undefined;
}

/** Loads the figures of a line; undefined for one without points. */
export async function loadLineFigures(
  view: MetricsView,
  pluginId: number,
  chartId: string,
): Promise<LineFigures | undefined> {
  const line = await loadLine(view, { pluginId, chartId, range: '30d' });
  return line === undefined ? undefined : lineFigures(concatPoints([...line.runs]));
}

/** The figures of points in ascending order. */
export function lineFigures({ timestamps, values }: Points): LineFigures | undefined {
  const last = timestamps.length - 1;
  const timestamp = timestamps[last];
  const now = values[last];
  if (timestamp === undefined || now === undefined) return undefined;
  let peakAt = last;
  for (let at = last; at >= 0 && (timestamps[at] ?? 0) >= timestamp - peakDays * dayMs; at--)
    if ((values[at] ?? 0) > (values[peakAt] ?? 0)) peakAt = at;
  const changeOf = (days: number) => {
    const before = valueNear({ timestamps, values }, timestamp - days * dayMs);
    return before === undefined || before <= 0 ? undefined : now / before - 1;
  };
  return {
    now,
    timestamp,
    peak: values[peakAt] ?? now,
    peakTimestamp: timestamps[peakAt] ?? timestamp,
    weekChange: changeOf(7),
    monthChange: changeOf(30),
  };
}

/** The value of the point nearest to a time; undefined if none is near. */
function valueNear({ timestamps, values }: Points, moment: number): number | undefined {
  let nearest: number | undefined;
  let distance = toleranceMs;
  for (let at = timestamps.length - 1; at >= 0; at--) {
    const away = Math.abs((timestamps[at] ?? 0) - moment);
    if (away < distance) {
      distance = away;
      nearest = values[at];
    }
  }
  return nearest;
}
