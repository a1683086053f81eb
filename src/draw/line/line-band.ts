/** A line over a long time: the mean of each step, in a band from its lowest to its highest value. */

import { type StepName, steps } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { type TimeStep, timeStep } from '../time-step.ts';
import { type BandShape, type DrawnSteps, drawBand } from './draw-band.ts';
import type { ColumnExtremes, LineDrawing, LineLook, LineShape } from './line-shape.ts';

/** The part of a line that is drawn. */
interface LineBandOptions {
  /** The first and the last time, in Unix milliseconds, both included. */
  readonly from: number;
  readonly to: number;
  readonly step: StepName;
  /** The newest point. */
  readonly latest: { readonly timestamp: number; readonly value: number };
}

/** The steps of a line, as `/api/v2/series` has them: a column for their beginnings, means, lowest and highest values. */
type BandColumns = Omit<DrawnSteps, 'whole'>;

/** A line by step. */
export class LineBand implements BandShape {
  readonly from: number;
  readonly to: number;
  readonly step: TimeStep;
  readonly drawn: DrawnSteps;
  readonly low: number;
  readonly high: number;
  readonly latestTimestamp: number;
  readonly latestValue: number;

  constructor({ from, to, step, latest }: LineBandOptions, { starts, ...values }: BandColumns) {
    const [means, lows, highs] = [values.means.map(clamp), values.lows.map(clamp), values.highs.map(clamp)];
    this.from = from;
    this.to = to;
    this.step = timeStep(step);
    this.latestTimestamp = latest.timestamp;
    this.latestValue = clamp(latest.value);
    [this.low] = extentOf(lows);
    [, this.high] = extentOf(highs);
    // A step of one value is whole, however short.
    const isWhole = (start: number, index: number) =>
      lows[index] === highs[index] ||
      Math.min(to, start + steps[step]) - Math.max(from, start) >= 0.9 * steps[step];
    const first = starts.findIndex(isWhole);
    const whole =
      first === -1
        ? { start: 0, end: starts.length }
        : { start: first, end: starts.findLastIndex(isWhole) + 1 };
    this.drawn = { starts, means, lows, highs, whole };
  }

  get pointCount(): number {
    return this.drawn.starts.length;
  }

  get indexBase(): number | undefined {
    return this.#wholeMeans().find((mean) => mean !== 0);
  }

  get endValue(): number {
    return this.#wholeMeans().at(-1) ?? Number.NaN;
  }

  get means(): NonNullable<LineShape['means']> {
    const [low, high] = extentOf(this.#wholeMeans());
    const { means: all } = this.drawn;
    return { step: this.step, low, high, extremes: { lows: all, highs: all } };
  }

  get extremes(): ColumnExtremes {
    return this.drawn;
  }

  draw(look: LineLook, drawing: LineDrawing): string {
    return drawBand(this, look, drawing);
  }

  #wholeMeans(): Float64Array {
    const { means, whole } = this.drawn;
    return means.subarray(whole.start, whole.end);
  }
}

/** The lowest and the highest of some values; infinite without any. */
function extentOf(values: Float64Array): [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    low = Math.min(low, values[index] ?? low);
    high = Math.max(high, values[index] ?? high);
  }
  return [low, high];
}
