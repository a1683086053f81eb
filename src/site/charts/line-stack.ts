/** Stacks the lines of a sum by step of time, as shares are stacked in a history. */

import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import { type StackedPoints, stackPoints } from '../../draw/line/sum.ts';
import { stepFor, type TimeStep } from '../../draw/time-step.ts';
import { stepStart } from '../../model/window.ts';
import { summandsOf } from './line-shapes.ts';
import type { LoadedLines, PictureOfLines, TimeRange } from './load-lines.ts';
import type { Steps } from './steps.ts';

/** The sum of lines as a history. */
interface StackRequest {
  readonly title: string;
  /** The names of the lines. */
  readonly names: readonly string[];
  readonly pictures: readonly PictureOfLines[];
}

/** Steps for each pixel of the width. */
const stepsPerPixel = 0.7;

/** The sum of lines, all of whose points are loaded, as a history for each picture: its shares are the lines, in their order. */
export function* stackLines(
  { lines, ...range }: LoadedLines,
  { title, names, pictures }: StackRequest,
): Steps<readonly HistoryToDraw[]> {
  const stacks = pictures.map(({ width }) => new StackSteps(range, { width, columnCount: lines.length }));
  for (const points of stackPoints(summandsOf(lines))) {
    for (const stack of stacks) {
      stack.add(points);
      yield;
    }
  }
  return stacks.map((stack) => stack.history(title, names));
}

/** Takes the points of a sum in ascending order, and keeps the mean of each line in each step. */
class StackSteps {
  readonly #range: TimeRange;
  readonly #step: TimeStep;
  readonly #start: number;
  readonly #counts: Float64Array;
  /** The time of the only point of a step. */
  readonly #times: Float64Array;
  readonly #sums: readonly Float64Array[];
  readonly #first: number[] = [];
  #last: readonly number[] = [];

  constructor(
    range: TimeRange,
    { width, columnCount }: { readonly width: number; readonly columnCount: number },
  ) {
    this.#range = range;
    this.#step = stepFor(range.to - range.from, { maxCount: width * stepsPerPixel });
    this.#start = stepStart(range.from, this.#step.ms);
    const stepCount = Math.floor((range.to - this.#start) / this.#step.ms) + 1;
    this.#counts = new Float64Array(stepCount);
    this.#times = new Float64Array(stepCount);
    this.#sums = Array.from({ length: columnCount }, () => new Float64Array(stepCount));
  }

  /** Adds points; those before the range, of a line that ended earlier, are left out. */
  add({ timestamps, columns }: StackedPoints): void {
    const { length } = timestamps;
    let start = 0;
    while (start < length && (timestamps[start] ?? 0) < this.#range.from) start++;
    if (start === length) return;
    const indexes = new Int32Array(length);
    for (let at = start; at < length; at++) {
      const timestamp = timestamps[at] ?? 0;
      const index = Math.floor((timestamp - this.#start) / this.#step.ms);
      indexes[at] = index;
      this.#counts[index] = (this.#counts[index] ?? 0) + 1;
      this.#times[index] = timestamp;
    }
    for (const [line, sums] of this.#sums.entries()) {
      const column = columns[line];
      if (column === undefined) continue;
      for (let at = start; at < length; at++) {
        const index = indexes[at] ?? 0;
        sums[index] = (sums[index] ?? 0) + (column[at] ?? 0);
      }
    }
    if (this.#first.length === 0) this.#first.push(...columns.map((column) => column[start] ?? 0));
    this.#last = columns.map((column) => column[length - 1] ?? 0);
  }

  history(title: string, names: readonly string[]): HistoryToDraw {
    const indexes = [...this.#counts.keys()].filter((index) => (this.#counts[index] ?? 0) > 0);
    const isStored = indexes.every((index) => this.#counts[index] === 1);
    const timeOf = (index: number) =>
      isStored ? (this.#times[index] ?? 0) : this.#start + index * this.#step.ms;
    return {
      title,
      pluginName: '',
      isDefault: false,
      ...this.#range,
      times: Float64Array.from(indexes, timeOf),
      step: isStored ? undefined : this.#step,
      shares: this.#sums.map((sums, line) => ({
        name: names[line] ?? '',
        values: Float64Array.from(indexes, (index) => (sums[index] ?? 0) / (this.#counts[index] ?? 1)),
        first: this.#first[line] ?? 0,
        last: this.#last[line] ?? 0,
      })),
      other: undefined,
    };
  }
}
