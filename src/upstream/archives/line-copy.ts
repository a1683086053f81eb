/** Makes the records to write of a line in an archive: the points that the store does not have yet. */
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { concatPoints, copyPoints, noPoints, type Points, slicePoints } from '../../model/points.ts';
import { pointsWithin } from '../leaving-out.ts';
import { newPoints } from '../missing-points.ts';
import type { ChartCopy, CopiedChart } from './chart-copy.ts';

/** Copies one line. */
export class LineCopy implements ChartCopy {
  readonly #chart: CopiedChart;
  /** Points that are skipped before the latest ones that are wanted. */
  #skipCount: number;
  /** Zeros before this time are leading ones. */
  #trimBefore: number;
  #stored: Promise<Points> | undefined;

  constructor(chart: CopiedChart) {
    this.#chart = chart;
    this.#skipCount = chart.skipCount;
    this.#trimBefore = chart.trimsLeadingZeros
      ? (chart.stored?.span?.first ?? Number.POSITIVE_INFINITY)
      : Number.NEGATIVE_INFINITY;
  }

  async take(
    record: MetricsRecord & { readonly kind: 'data' | 'history' },
  ): Promise<readonly MetricsRecord[]> {
    if (record.kind !== 'data') return [];
    const data = record.dataFor(this.#chart.chart.type);
    if (data.storage !== 'series') return [];
    const wanted = this.#trim(this.#skip(pointsWithin(data.points, this.#chart.times)));
    this.#stored ??= this.#loadStored();
    const points = newPoints(wanted, await this.#stored);
    if (points.timestamps.length === 0) return [];
    return [{ ...record, dataFor: () => ({ storage: 'series', points }) }];
  }

  end(): readonly MetricsRecord[] {
    return [];
  }

  #skip(points: Points): Points {
    const count = Math.min(this.#skipCount, points.timestamps.length);
    this.#skipCount -= count;
    return slicePoints(points, count);
  }

  #trim(points: Points): Points {
    const { timestamps, values } = points;
    const start = values.findIndex(
      (value, index) => value !== 0 || (timestamps[index] ?? 0) >= this.#trimBefore,
    );
    if (start === -1) return noPoints;
    this.#trimBefore = Math.min(this.#trimBefore, timestamps[start] ?? 0);
    return slicePoints(points, start);
  }

  async #loadStored(): Promise<Points> {
    const { reader, stored, since } = this.#chart;
    if (reader === undefined || stored?.span === undefined) return noPoints;
    const window = { from: since, to: stored.span.last + 1 };
    const runs = reader.stream((view) => view.readPoints(stored.chart.uid, window));
    return concatPoints(await Array.fromAsync(runs, copyPoints));
  }
}
