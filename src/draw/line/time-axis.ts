/** The horizontal axis: time in UTC, or in the time zone of the reader. */
import { type DataWindow, dayMs, lastTimeOf, maxTimestamp } from '../../model/window.ts';
import { formatDay, formatTime, monthOf } from '../format.ts';
import { timeOfWall, wallTime } from '../reader-zone.ts';
import { measureText } from '../svg.ts';
import { roundStep, type Tick } from './value-axis.ts';

/** Maps times to x coordinates and back. */
export interface TimeAxis {
  /** Times at the left and right end, in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly Tick[];
  /** Returns the x coordinate of a time, limited to the box. */
  readonly xAt: (timestamp: number) => number;
  /** Returns the time at an x coordinate, in Unix milliseconds. */
  readonly timestampAt: (x: number) => number;
}

/** Position of the axis, in pixels. */
interface TimeAxisPlace {
  readonly left: number;
  readonly right: number;
  /** Right edge of the content of the picture, which labels must not cross; it may lie beyond `right`. */
  readonly labelEnd: number;
  readonly textSize: number;
}

/**
 * Makes the axis of a window, from its first to its last time. If both are equal, the axis spans the day
 * before.
 */
export function timeAxis(window: DataWindow, place: TimeAxisPlace): TimeAxis {
  const { left, right, labelEnd, textSize } = place;
  const to = lastTimeOf(window);
  const from = window.from < to ? window.from : to - dayMs;
  const perMs = (right - left) / (to - from);
  const xAt = (timestamp: number) => Math.min(right, Math.max(left, left + (timestamp - from) * perMs));
  const tickCount = Math.max(2, Math.floor((right - left) / (textSize * 8)));
  let ticks: readonly Tick[] = [];
  for (const density of [1, 2, 4]) {
    const times = roundTimes(wallTime(from), wallTime(to), tickCount * density);
    ticks = labelTimes(times, { xAt: (wall) => xAt(timeOfWall(wall)), labelEnd, textSize });
    if (ticks.length > 1) break;
  }
  return { from, to, ticks, xAt, timestampAt: (x) => from + (x - left) / perMs };
}

/**
 * Labels every time or, if there is no room, every second, third or fourth. Labels include the year where it
 * changes.
 */
function labelTimes(
  times: readonly number[],
  {
    xAt,
    labelEnd,
    textSize,
  }: Pick<TimeAxisPlace, 'labelEnd' | 'textSize'> & { readonly xAt: (wall: number) => number },
): readonly Tick[] {
  const stepMs = (times[1] ?? 0) - (times[0] ?? 0);
  let ticks: Tick[] = [];
  for (const stride of [1, 2, 3, 4]) {
    ticks = [];
    let end = 0;
    let year: number | undefined;
    let isEven = true;
    for (const wall of times.filter((_, index) => index % stride === 0)) {
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

/**
 * Returns a short label, depending on the step, and one with the year; both are equal if a year would be
 * pointless or is the label itself.
 */
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

/**
 * Returns round times within a range, in Unix milliseconds: hours, midnights, Sundays, or first days of
 * months or years, in UTC.
 */
export function roundTimes(from: number, to: number, count: number): number[] {
  // Times beyond the range of a Date get no ticks.
  if (Math.max(-from, to) > maxTimestamp) return [];
  const wanted = (to - from) / count;
  if (wanted >= yearMs / Math.SQRT2)
    return firstsOfMonths(from, to, 12 * Math.max(1, roundStep((to - from) / yearMs, count)));
  const stepMs = nearestStep(wanted);
  if (stepMs >= monthMs) return firstsOfMonths(from, to, stepMs / monthMs);
  const start = stepMs === weekMs ? firstSunday : 0;
  const times: number[] = [];
  for (let at = start + Math.ceil((from - start) / stepMs) * stepMs; at <= to; at += stepMs) times.push(at);
  return times;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const weekMs = 7 * dayMs;
const monthMs = 30 * dayMs;
const yearMs = 365 * dayMs;
const firstSunday = 3 * dayMs;

// Labels cannot distinguish less than a minute.
const steps = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  ...[dayMs, 2 * dayMs, weekMs, monthMs, 3 * monthMs, 12 * monthMs],
];

/** Returns the step closest to the wanted length, by ratio. */
function nearestStep(wantedMs: number): number {
  const above = steps.findIndex((step) => step >= wantedMs);
  const larger = steps[above] ?? yearMs;
  const smaller = steps[above - 1] ?? larger;
  return wantedMs / smaller < larger / wantedMs ? smaller : larger;
}

function firstsOfMonths(from: number, to: number, monthCount: number): number[] {
  const start = new Date(from);
  const times: number[] = [];
  // Months are counted from year 0, so that quarters, years and decades are aligned.
  let month = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / monthCount) * monthCount;
  for (; ; month += monthCount) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    // NaN beyond the range of a Date.
    if (!(at <= to)) return times;
    if (at >= from) times.push(at);
  }
}
