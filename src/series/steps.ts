/** Divides a window into steps, and combines the values within each step. */
import type { Aggregate, Stepping } from '../model/series-source.ts';
import { firstFrom, stepEnd, stepStart } from '../model/window.ts';
import { free } from '../runtime/releasable-memory.ts';

/** Ways to combine the values within a step. */
export const aggregates: readonly Aggregate[] = ['mean', 'min', 'max', 'last', 'count'];

type StepLengths = Pick<Stepping, 'window' | 'step'>;

/** Range of times that lie within a window, by step. Without steps, each time is a step of its own. */
interface StepRange {
  /** Index of the first time within the window. */
  readonly start: number;
  /** Index after the last time. */
  readonly end: number;
  /** Number of the step that contains the first time; the other steps follow consecutively. */
  readonly first: number;
  /** For each step, the index after its last time; undefined without steps. */
  readonly ends: readonly number[] | undefined;
}

/** Assigns the times of a window, which come in ascending parts, to steps. */
export class StepTimes {
  /** Starts of the steps. */
  readonly times: NumberList;
  /** Number of times per step; empty without steps. */
  readonly counts: NumberList;
  readonly #stepping: StepLengths;
  /** End of the last step. */
  #end = Number.NEGATIVE_INFINITY;

  constructor(stepping: StepLengths) {
    this.#stepping = stepping;
    this.times = listOfSteps(stepping);
    this.counts = listOfSteps(stepping);
  }

  /** Adds times; times outside the window are ignored. */
  add(times: Float64Array): StepRange {
    const { window, step } = this.#stepping;
    const start = firstFrom(times, window.from);
    const end = Math.max(start, firstFrom(times, window.to));
    if (step === null) {
      const first = this.times.length;
      this.times.append(times.subarray(start, end));
      return { start, end, first, ends: undefined };
    }
    const isContinued = start < end && (times[start] ?? 0) < this.#end;
    const first = this.times.length - (isContinued ? 1 : 0);
    const ends: number[] = [];
    for (let at = start; at < end; ) {
      const time = times[at] ?? 0;
      const before = at;
      if (time >= this.#end) {
        const begin = stepStart(time, step);
        this.times.push(begin);
        this.counts.push(0);
        this.#end = stepEnd(begin, step);
      }
      const endOfStep = this.#end;
      while (at < end && (times[at] ?? 0) < endOfStep) at++;
      this.counts.last += at - before;
      ends.push(at);
    }
    return { start, end, first, ends };
  }
}

/** Maximum number of steps for which memory is reserved in advance: 32 KB. */
const maxExpectedSteps = 4096;

function listOfSteps({ window: { from, to }, step }: StepLengths): NumberList {
  if (step === null) return new NumberList();
  return new NumberList(Math.min(Math.ceil((to - from) / step) + 1, maxExpectedSteps));
}

const initialValues: Readonly<Record<Aggregate, number>> = {
  mean: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  last: 0,
  count: 0,
};

/** Combines the values of one series, one value per step. */
export class StepValues {
  readonly #aggregate: Aggregate;
  readonly #values: NumberList;

  constructor(stepping: Stepping) {
    this.#aggregate = stepping.aggregate;
    this.#values = listOfSteps(stepping);
  }

  /** Adds the values of a range of times; undefined means zeros. */
  add(range: StepRange, column: Float64Array | undefined): void {
    const { start, end, first, ends } = range;
    if (this.#aggregate === 'count') return;
    if (ends !== undefined)
      folds[this.#aggregate](this.#valuesOf(first, ends), { start, ends }, column ?? new Float64Array(end));
    else {
      this.#fillTo(first);
      if (column === undefined) this.#values.appendSame(0, end - start);
      else this.#values.append(column.subarray(start, end));
    }
  }

  finish({ times, counts }: StepTimes): Float64Array {
    const hasSteps = counts.length > 0;
    if (this.#aggregate === 'count') return hasSteps ? counts.take() : new Float64Array(times.length).fill(1);
    this.#fillTo(times.length);
    const values = this.#values.take();
    if (this.#aggregate === 'mean' && hasSteps)
      for (let index = 0; index < values.length; index++)
        values[index] = (values[index] ?? 0) / (counts.numbers[index] ?? 1);
    return values;
  }

  /** Returns the values of some steps; the last step may be new. */
  #valuesOf(first: number, ends: readonly number[]): Float64Array {
    this.#fillTo(first + ends.length);
    return this.#values.numbers.subarray(first, first + ends.length);
  }

  #fillTo(stepCount: number): void {
    const missing = stepCount - this.#values.length;
    if (missing > 0) this.#values.appendSame(initialValues[this.#aggregate], missing);
  }
}

/** Index of the first value of some steps in a column, and the end of each step. */
type ColumnSteps = Pick<StepRange, 'start'> & { readonly ends: readonly number[] };

/** Combines the values of a column into the values of their steps. */
type Fold = (values: Float64Array, steps: ColumnSteps, column: Float64Array) => void;

/** One loop per aggregate. Means are kept as sums until the end. */
const folds: Readonly<Record<Exclude<Aggregate, 'count'>, Fold>> = {
  mean: (sums, { start, ends }, column) => {
    let at = start;
    for (let index = 0; index < ends.length; index++) {
      const end = ends[index] ?? 0;
      let sum = sums[index] ?? 0;
      for (; at < end; at++) sum += column[at] ?? 0;
      sums[index] = sum;
    }
  },
  min: (values, { start, ends }, column) => {
    let at = start;
    for (let index = 0; index < ends.length; index++) {
      const end = ends[index] ?? 0;
      let lowest = values[index] ?? 0;
      for (; at < end; at++) lowest = Math.min(lowest, column[at] ?? 0);
      values[index] = lowest;
    }
  },
  max: (values, { start, ends }, column) => {
    let at = start;
    for (let index = 0; index < ends.length; index++) {
      const end = ends[index] ?? 0;
      let highest = values[index] ?? 0;
      for (; at < end; at++) highest = Math.max(highest, column[at] ?? 0);
      values[index] = highest;
    }
  },
  last: (values, { ends }, column) => {
    for (let index = 0; index < ends.length; index++) values[index] = column[(ends[index] ?? 0) - 1] ?? 0;
  },
};

const initialLength = 64;

/** Growing list of numbers. */
class NumberList {
  #numbers: Float64Array;
  #length = 0;

  /** @param expectedLength initial capacity; the list may grow beyond it. */
  constructor(expectedLength = initialLength) {
    this.#numbers = new Float64Array(expectedLength);
  }

  get length(): number {
    return this.#length;
  }

  /** The array behind the list, with unused room at its end; an append may replace it. */
  get numbers(): Float64Array {
    return this.#numbers;
  }

  push(number: number): void {
    this.#reserve(1);
    this.#numbers[this.#length++] = number;
  }

  append(numbers: Float64Array): void {
    this.#reserve(numbers.length);
    this.#numbers.set(numbers, this.#length);
    this.#length += numbers.length;
  }

  /** Appends a number `count` times. */
  appendSame(number: number, count: number): void {
    this.#reserve(count);
    this.#numbers.fill(number, this.#length, this.#length + count);
    this.#length += count;
  }

  /** The last number; the list must not be empty. */
  get last(): number {
    return this.#numbers[this.#length - 1] ?? Number.NaN;
  }

  set last(number: number) {
    this.#numbers[this.#length - 1] = number;
  }

  /** Returns the numbers without the unused room. Nothing may be appended afterwards. */
  take(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(2 * this.#numbers.length, this.#length + count));
    larger.set(this.#numbers);
    free(this.#numbers.buffer);
    this.#numbers = larger;
  }
}
