/** Several lines added into one: the same plugin on several platforms. */
import type { Points } from '../../model/points.ts';

/** A line to add: its points in ascending runs, and the age at which its latest value no longer counts. */
export interface Summand {
  readonly runs: Iterable<Points>;
  /** `gapLimitMs` of the line. */
  readonly maxGapMs: number;
}

/** Number of points in a run of a sum. */
const runLength = 1024;

/**
 * Adds lines, in ascending runs. The sum has a point wherever a line has one, to which each line adds its latest value:
 *
 * - A line adds nothing before its first point, and nothing once its last point is older than its `maxGapMs`: it has ended.
 * - Inside a gap of a line, whose latest value is older than `maxGapMs`, the sum has no point: the value is not known.
 * - The sum has no point where it is too large for a number.
 *
 * So lines whose points are minutes apart add up, and one that is late by a point does not make the sum drop at its end.
 */
export function* sumPoints(summands: readonly Summand[]): Generator<Points> {
  for (const { timestamps, sums } of stackPoints(summands)) yield { timestamps, values: sums };
}

/** A run of a sum, with the value that each line adds to it. */
export interface StackedPoints {
  readonly timestamps: Float64Array;
  readonly sums: Float64Array;
  /** A column for each line, in their order. */
  readonly columns: readonly Float64Array[];
}

/** Adds lines as {@link sumPoints} does, and keeps what each adds. */
export function* stackPoints(summands: readonly Summand[]): Generator<StackedPoints> {
  const cursors = summands.map((summand) => new Cursor(summand));
  const timestamps = new Float64Array(runLength);
  const sums = new Float64Array(runLength);
  const columns = summands.map(() => new Float64Array(runLength));
  const taken = (count: number): StackedPoints => ({
    timestamps: timestamps.slice(0, count),
    sums: sums.slice(0, count),
    columns: columns.map((column) => column.slice(0, count)),
  });
  let count = 0;
  for (;;) {
    let timestamp = Number.POSITIVE_INFINITY;
    for (const cursor of cursors) if (cursor.next < timestamp) timestamp = cursor.next;
    if (timestamp === Number.POSITIVE_INFINITY) break;
    let isUnknown = false;
    let sum = 0;
    for (let index = 0; index < cursors.length; index++) {
      const cursor = cursors[index];
      const column = columns[index];
      if (cursor === undefined || column === undefined) continue;
      cursor.advanceTo(timestamp);
      isUnknown ||= cursor.isUnknownAt(timestamp);
      const value = cursor.valueAt(timestamp);
      column[count] = value;
      sum += value;
    }
    if (isUnknown || !Number.isFinite(sum)) continue;
    timestamps[count] = timestamp;
    sums[count] = sum;
    count++;
    if (count < runLength) continue;
    yield taken(count);
    count = 0;
  }
  if (count > 0) yield taken(count);
}

/** A position in a line, which moves forward. */
class Cursor {
  /** The time of the next point; infinite after the last one. */
  next = Number.POSITIVE_INFINITY;
  readonly #runs: Iterator<Points>;
  readonly #maxGapMs: number;
  #run: Points | undefined;
  #index = -1;
  /** The time of the latest point passed. */
  #timestamp = Number.NEGATIVE_INFINITY;
  #value = 0;

  constructor({ runs, maxGapMs }: Summand) {
    this.#runs = runs[Symbol.iterator]();
    this.#maxGapMs = maxGapMs;
    this.#step();
  }

  /** Passes all points up to a time, included. */
  advanceTo(timestamp: number): void {
    while (this.next <= timestamp) {
      this.#timestamp = this.next;
      this.#value = this.#run?.values[this.#index] ?? 0;
      this.#step();
    }
  }

  /** True inside a gap: the latest value is too old, and the line goes on later. */
  isUnknownAt(timestamp: number): boolean {
    return this.#isTooOldAt(timestamp) && this.#hasStarted && this.next !== Number.POSITIVE_INFINITY;
  }

  /** The value that the line adds outside of gaps. */
  valueAt(timestamp: number): number {
    return this.#isTooOldAt(timestamp) ? 0 : this.#value;
  }

  get #hasStarted(): boolean {
    return this.#timestamp !== Number.NEGATIVE_INFINITY;
  }

  #isTooOldAt(timestamp: number): boolean {
    return timestamp - this.#timestamp > this.#maxGapMs;
  }

  #step(): void {
    this.#index++;
    while (this.#run === undefined || this.#index >= this.#run.timestamps.length) {
      const { done, value } = this.#runs.next();
      if (done === true) {
        this.next = Number.POSITIVE_INFINITY;
        return;
      }
      this.#run = value;
      this.#index = 0;
    }
    this.next = this.#run.timestamps[this.#index] ?? Number.POSITIVE_INFINITY;
  }
}
