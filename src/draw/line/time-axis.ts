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
  const labelled = (density: number) => {
    const moments = roundMoments(wallTime(from), wallTime(to), tickCount * density).filter(Number.isFinite);
    return labelMoments(moments, { xAt: (wall) => xAt(timeOfWall(wall)), labelEnd, textSize });
  };
  const usual = labelled(1);
  const denser = usual.isRegular ? undefined : [2, 4].map(labelled).find(({ isRegular }) => isRegular);
  const { ticks } = denser ?? usual;
  return { from, to, ticks, xAt, timestampAt: (x) => from + (x - left) / perMs };
}

interface Labels {
  readonly ticks: readonly Tick[];
  /** True for two labels or more, none missing between others, one with its year. */
  readonly isRegular: boolean;
}

interface LabelsPlace extends Pick<TimeAxisPlace, 'labelEnd' | 'textSize'> {
  readonly xAt: (timestamp: number) => number;
}

/**
 * Labels times. The year is in the first label that has room for it without the next one going; if none has, or a label between two others
 * has no room, only every second, third or fourth time is labelled.
 */
function labelMoments(moments: readonly number[], { xAt, labelEnd, textSize }: LabelsPlace): Labels {
  const stepMs = (moments[1] ?? 0) - (moments[0] ?? 0);
  const marks = moments.map((timestamp) => {
    const at = xAt(timestamp);
    const placed = (text: string) => {
      const halfWidth = measureText(text, textSize) / 2;
      return { text, start: at - halfWidth, end: at + halfWidth + textSize };
    };
    const { short, long } = labelsOf(timestamp, stepMs);
    const beginsYear = stepMs >= leastMonthMs && new Date(timestamp).getUTCMonth() === 0;
    return { at, short: placed(short), long: placed(long), beginsYear };
  });
  const limit = labelEnd + textSize;
  const labelEvery = (stride: number, mustHaveYear: boolean) => {
    const shown = marks.filter((_, index) => index % stride === 0);
    const ticks: Tick[] = [];
    let end = 0;
    let lacksYear = true;
    let hasYear = false;
    let isEven = true;
    for (const [index, { at, short, long, beginsYear }] of shown.entries()) {
      lacksYear ||= beginsYear;
      const nextStart = mustHaveYear ? limit : (shown[index + 1]?.short.start ?? limit);
      const isLong = lacksYear && long.start >= end && long.end <= nextStart;
      const label = isLong ? long : short;
      if (ticks.length > 0 && label.start < end) isEven = false;
      if (label.start < end || label.end > limit) continue;
      if (isLong) [lacksYear, hasYear] = [false, true];
      ticks.push({ at, text: label.text });
      end = label.end;
    }
    return { ticks, lacksYear, isRegular: isEven && hasYear && ticks.length > 1 };
  };
  for (const stride of [1, 2, 3, 4]) {
    const labels = labelEvery(stride, false);
    if (labels.isRegular && !labels.lacksYear) return labels;
  }
  return labelEvery(1, true);
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
