/** The horizontal axis: time in UTC. */
import { formatDate, formatTime, monthOf } from '../format.ts';
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
  /** Labels stay left of it; they may reach beyond `right`. */
  readonly labelEnd: number;
  readonly textSize: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Makes the axis from one time to another. If both are the same, it is the right end of a day. */
export function timeAxis(first: number, last: number, place: TimeAxisPlace): TimeAxis {
  const { left, right, labelEnd, textSize } = place;
  const to = last;
  const from = first < last ? first : last - dayMs;
  const perMs = (right - left) / (to - from);
  const xAt = (timestamp: number) => Math.min(right, Math.max(left, left + (timestamp - from) * perMs));
  const tickCount = Math.max(2, Math.floor((right - left) / (textSize * 8)));
  const ticks: Tick[] = [];
  let end = 0;
  for (const { timestamp, text } of labelTimes(roundMoments(from, to, tickCount))) {
    const at = xAt(timestamp);
    const halfWidth = measureText(text, textSize) / 2;
    if (at - halfWidth < end || at + halfWidth > labelEnd) continue;
    ticks.push({ at, text });
    end = at + halfWidth + textSize;
  }
  return { from, to, ticks, xAt, timestampAt: (x) => from + (x - left) / perMs };
}

/** Labels for times, each as short as its neighbours allow. The first date has its year, and so has each first of January. */
function labelTimes(timestamps: readonly number[]): { timestamp: number; text: string }[] {
  const times = timestamps.filter(Number.isFinite);
  const stepMs = (times[1] ?? 0) - (times[0] ?? 0);
  return times.map((timestamp, index) => ({
    timestamp,
    text: labelOf(timestamp, { stepMs, isFirst: index === 0 }),
  }));
}

function labelOf(
  timestamp: number,
  { stepMs, isFirst }: { readonly stepMs: number; readonly isFirst: boolean },
): string {
  const date = new Date(timestamp);
  const month = monthOf(date);
  const isJanuary = date.getUTCMonth() === 0;
  if (stepMs < dayMs && timestamp % dayMs !== 0) return formatTime(timestamp);
  if (stepMs < dayMs) return `${date.getUTCDate()} ${month}`;
  if (stepMs < 28 * dayMs) return isFirst ? formatDate(timestamp) : `${date.getUTCDate()} ${month}`;
  if (stepMs < 364 * dayMs) return isFirst || isJanuary ? `${month} ${date.getUTCFullYear()}` : month;
  return String(date.getUTCFullYear());
}
