/** Histograms in the form that Prometheus takes. */

/** Observations, counted in buckets. */
export interface Histogram {
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** Number of values up to the bound at the same index. */
  readonly bucketCounts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** Bounds for durations from a tenth of a millisecond to ten seconds. */
export const durationBoundsSeconds: readonly number[] = [
  ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01],
  ...[0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
];

/** Counts values in buckets. Observing one takes a few nanoseconds. */
export class HistogramCounter {
  readonly #bounds: readonly number[];
  /** One count more than there are bounds: the last is for values above all of them. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let index = 0;
    while (value > (this.#bounds[index] ?? Number.POSITIVE_INFINITY)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Returns the histogram of the values so far. */
  read(): Histogram {
    let count = 0;
    const sums = Array.from(this.#counts, (one) => {
      count += one;
      return count;
    });
    return { bounds: this.#bounds, bucketCounts: sums.slice(0, -1), count, sum: this.#sum };
  }
}

/** Adds up histograms with the same bounds. */
export function addHistograms(histograms: readonly Histogram[]): Histogram {
  const [first] = histograms;
  const sumOf = (numberOf: (histogram: Histogram) => number) =>
    histograms.reduce((sum, histogram) => sum + numberOf(histogram), 0);
  return {
    bounds: first?.bounds ?? [],
    bucketCounts: (first?.bounds ?? []).map((_, index) =>
      sumOf(({ bucketCounts }) => bucketCounts[index] ?? 0),
    ),
    count: sumOf(({ count }) => count),
    sum: sumOf(({ sum }) => sum),
  };
}
