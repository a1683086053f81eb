/** The horizontal axis: time in UTC, or in the zone of the reader. */
import { dayMs } from '../../model/window.ts';
import { formatDay, formatTime, monthOf } from '../format.ts';
import { timeOfWall, wallTime } from '../reader-zone.ts';
import { measureText } from '../svg.ts';
import { roundMoments } from './ticks.ts';
import type { Tick } from './value-axis.ts';

/** Scale between times and x coordinates. */
export interface TimeAxis {
  /** Unix milliseconds at the left and right end. */
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly Tick[];
  /** The x coordinate of a time, within the box. */
  readonly xAt: (timestamp: number) => number;
  /** The time at an x coordinate, in Unix milliseconds. */
  readonly timestampAt: (x: number) => number;
}

/** The position of the axis, in pixels. */
interface TimeAxisPlace {
  readonly left: number;
  readonly right: number;
  /** Labels stay left of it: the end of the content of the picture, which may be beyond `right`. */
  readonly labelEnd: number;
  readonly textSize: number;
}

/** Makes the axis from one time to another. If both are the same, it is the right end of a day. */
export function timeAxis(first: number, last: number, place: TimeAxisPlace): TimeAxis {
  const { left, right, labelEnd, textSize } = place;
  const to = last;
  const from = first < last ? first : last - dayMs;
  const perMs = (right - left) / (to - from);
  const xAt = (timestamp: number) => Math.min(right, Math.max(left, left + (timestamp - from) * perMs));
  const tickCount = Math.max(2, Math.floor((right - left) / (textSize * 8)));
  let ticks: readonly Tick[] = [];
  for (const density of [1, 2, 4]) {
    const moments = roundMoments(wallTime(from), wallTime(to), tickCount * density);
    ticks = labelMoments(moments, { xAt: (wall) => xAt(timeOfWall(wall)), labelEnd, textSize });
    if (ticks.length > 1) break;
  }
  return { from, to, ticks, xAt, timestampAt: (x) => from + (x - left) / perMs };
}

/** Labels every time or, if that has no room, every second, third or fourth. A label has its year where it is another one than before. */
function labelMoments(
  moments: readonly number[],
  {
    xAt,
    labelEnd,
    textSize,
  }: Pick<TimeAxisPlace, 'labelEnd' | 'textSize'> & { readonly xAt: (wall: number) => number },
): readonly Tick[] {
  const stepMs = (moments[1] ?? 0) - (moments[0] ?? 0);
  let ticks: Tick[] = [];
  for (const stride of [1, 2, 3, 4]) {
    ticks = [];
    let end = 0;
    let year: number | undefined;
    let isEven = true;
    for (const wall of moments.filter((_, index) => index % stride === 0)) {
      const { short, long } = labelsOf(wall, stepMs);
      const ownYear = new Date(wall).getUTCFullYear();
      const text = ownYear === year ? short : long;
      const at = xAt(wall);
      const halfWidth = measureText(text, textSize) / 2;
      if (at + halfWidth > labelEnd) continue;
      if (at - halfWidth >= end) {
        ticks.push({ at, text });
        [end, year] = [at + halfWidth + textSize, ownYear];
      } else if (ticks.length > 0) isEven = false;
    }
    if (isEven) break;
  }
  return ticks;
}

const leastMonthMs = 28 * dayMs;

/** The label of a time, as short as its step allows, and that with its year; the same where a label has no year or is one. */
function labelsOf(timestamp: number, stepMs: number): { readonly short: string; readonly long: string } {
  const date = new Date(timestamp);
  const day = `${date.getUTCDate()} ${monthOf(date)}`;
  if (stepMs < dayMs) {
    const text = timestamp % dayMs === 0 ? day : formatTime(timestamp);
    return { short: text, long: text };
  }
  const year = String(date.getUTCFullYear());
  if (stepMs < leastMonthMs) return { short: day, long: formatDay(timestamp) };
  if (stepMs < 364 * dayMs) return { short: monthOf(date), long: `${monthOf(date)} ${year}` };
  return { short: year, long: year };
}
