/** Merges columns, and splits them into parts of bounded size. */
import { type Columns, compareShares, type Series, shareKey, sliceColumns, unnamed } from './columns.ts';

/** Limits of the parts. A part has at least one time, however many shares it has. */
export interface PartRules {
  /**
   * True for a line, which keeps zeros; otherwise, a share that is 0 throughout a part is omitted from it.
   */
  readonly isLine: boolean;
  readonly maxTimes: number;
  readonly maxShares: number;
  /** Limit on the product of times and shares. */
  readonly maxCells: number;
  /** Limit on the length of all names of shares, in UTF-16 units. */
  readonly maxNames: number;
}

/** Maximum number of points in a record of an export. */
export const maxPointsPerRecord = 5000;

/** Maximum number of shares in a history record of an archive. */
export const maxSharesPerRecord = 2000;

/** Limits of the records that this program writes; they must not depend on the chunks of a store. */
export const recordRules: Readonly<Record<'line' | 'shares', PartRules>> = {
  line: {
    isLine: true,
    maxTimes: maxPointsPerRecord,
    maxShares: 1,
    maxCells: Number.POSITIVE_INFINITY,
    maxNames: Number.POSITIVE_INFINITY,
  },
  // A unit takes up to six bytes of JSON, and a line of an archive has at most 16 MiB.
  shares: {
    isLine: false,
    maxTimes: 1000,
    maxShares: maxSharesPerRecord,
    maxCells: 20_000,
    maxNames: 2_500_000,
  },
};

/**
 * Merges columns; at equal times the last columns win. The result depends only on the merged columns and the
 * rules, not on how the input was split. Series are in the order of {@link compareShares}.
 */
export function* mergeColumns(parts: readonly Columns[], rules: PartRules): Generator<Columns> {
  yield* gather(isLaterEach(parts) ? runsIn(parts) : mergedRuns(parts), rules);
}

/** Splits columns into parts by the rules. Each input part must be later than the one before. */
export function* regroupColumns(parts: Iterable<Columns>, rules: PartRules): Generator<Columns> {
  yield* gather(runsIn(parts), rules);
}

/** True if each part is later than the part before. */
function isLaterEach(parts: readonly Columns[]): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return parts.every(({ times }) => {
    const isLater = (times[0] ?? Number.POSITIVE_INFINITY) > last;
    last = times.at(-1) ?? last;
    return isLater;
  });
}

/** Consecutive times of columns. */
interface Run {
  readonly columns: Columns;
  readonly start: number;
  end: number;
}

function* runsIn(parts: Iterable<Columns>): Generator<Run> {
  for (const columns of parts) yield { columns, start: 0, end: columns.times.length };
}

/** Lists runs of all parts in ascending order of time; at equal times the last part wins. */
function mergedRuns(parts: readonly Columns[]): Iterable<Run> {
  const found = new Map<number, { readonly columns: Columns; readonly index: number }>();
  for (const columns of parts)
    for (const [index, time] of columns.times.entries()) found.set(time, { columns, index });
  const runs: Run[] = [];
  for (const time of [...found.keys()].sort((a, b) => a - b)) {
    const { columns, index } = found.get(time) ?? { columns: undefined, index: 0 };
    const last = runs.at(-1);
    if (columns === undefined) continue;
    if (last?.columns === columns && last.end === index) last.end++;
    else runs.push({ columns, start: index, end: index + 1 });
  }
  return runs;
}

function* gather(runs: Iterable<Run>, rules: PartRules): Generator<Columns> {
  const builder = new PartBuilder(rules);
  for (const { columns, start, end } of runs)
    for (let next = start; next < end; ) {
      next = builder.add({ columns, start: next, end });
      if (next < end) yield builder.take();
    }
  if (!builder.isEmpty) yield builder.take();
}

function lengthOf(shares: readonly Series[]): number {
  return shares.reduce((sum, { group, name }) => sum + (group?.length ?? 0) + name.length, 0);
}

/** Collects runs in ascending order of time into one part. */
class PartBuilder {
  readonly #rules: PartRules;
  #runs: Run[] = [];
  #timeCount = 0;
  #shares: Series[] = [];
  #nameLength = 0;
  readonly #ranks = new Map<string, number>();

  constructor(rules: PartRules) {
    this.#rules = rules;
  }

  get isEmpty(): boolean {
    return this.#timeCount === 0;
  }

  /** Adds as much of a run as fits; returns the index of the first time that does not. */
  add({ columns, start, end: last }: Run): number {
    const { isLine, maxTimes, maxShares, maxCells, maxNames } = this.#rules;
    const end = Math.min(last, start + maxTimes);
    // New shares, by the time of their first value.
    const added: Series[][] = [];
    for (const one of columns.series) {
      if (this.#ranks.has(shareKey(one))) continue;
      let first = start;
      if (!isLine) while (first < end && one.values[first] === 0) first++;
      const others = added[first - start];
      if (others === undefined) added[first - start] = [one];
      else others.push(one);
    }
    let at = start;
    for (; at < end; at++) {
      const shares = added[at - start];
      const timeCount = this.#timeCount + 1;
      const shareCount = this.#shares.length + (shares?.length ?? 0);
      const nameLength = shares === undefined ? this.#nameLength : this.#nameLength + lengthOf(shares);
      const isShort = timeCount <= maxTimes && shareCount * timeCount <= maxCells;
      if (!(isShort && shareCount <= maxShares && nameLength <= maxNames) && this.#timeCount > 0) break;
      this.#timeCount = timeCount;
      this.#nameLength = nameLength;
      if (shares !== undefined)
        for (const one of shares) this.#ranks.set(shareKey(one), this.#shares.push(one) - 1);
    }
    if (at > start) this.#runs.push({ columns, start, end: at });
    return at;
  }

  take(): Columns {
    const [run] = this.#runs;
    // A line keeps its values, even zeros, so its arrays can be used without copying.
    const part =
      this.#rules.isLine && run !== undefined && this.#runs.length === 1
        ? sliceColumns(run.columns, run.start, run.end)
        : this.#copy();
    this.#runs = [];
    this.#timeCount = 0;
    this.#shares = [];
    this.#nameLength = 0;
    this.#ranks.clear();
    return part;
  }

  #copy(): Columns {
    const times = new Float64Array(this.#timeCount);
    // All series share one buffer: thousands of separate buffers would be freed late.
    const numbers = new Float64Array(this.#shares.length * times.length);
    const series = this.#shares.map(
      ({ group, name }, rank): Series => ({
        ...unnamed,
        group,
        name,
        values: numbers.subarray(rank * times.length, (rank + 1) * times.length),
      }),
    );
    let row = 0;
    for (const { columns, start, end } of this.#runs) {
      times.set(columns.times.subarray(start, end), row);
      for (const one of columns.series) {
        const target = series[this.#ranks.get(shareKey(one)) ?? -1]?.values;
        if (target === undefined) continue;
        // Both absent values and -0 become 0.
        for (let index = start; index < end; index++) target[row + index - start] = one.values[index] || 0;
      }
      row += end - start;
    }
    return { times, series: series.sort(compareShares) };
  }
}
