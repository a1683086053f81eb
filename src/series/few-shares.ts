/** The history of a chart with few shares over a window, by step, in one pass. */
import { type ShareHistory, type ShareName, shareKey } from '../model/share-history.ts';
import { isPresent, type ShareColumns, type ShareSums } from './share-steps.ts';
import { StepTimes, StepValues, type Window } from './steps.ts';

/** The values of a share so far, and the number of the last part that had it. */
interface GatheredShare {
  readonly share: ShareName;
  readonly values: StepValues;
  sum: number;
  /** True if a value so far is not 0. */
  isPresent: boolean;
  lastPart: number;
}

const noValues = new Float64Array(0);

/** Gathers all shares of a history, as long as they are not too many: its parts need not be decoded again for the largest. */
export class FewShares {
  readonly #window: Window;
  readonly #maxShares: number;
  readonly #times: StepTimes;
  readonly #shares = new Map<string, GatheredShare>();
  #partCount = 0;

  constructor(window: Window, maxShares: number) {
    this.#window = window;
    this.#maxShares = maxShares;
    this.#times = new StepTimes(window);
  }

  /** Adds a part that is later than those before; returns false, and adds none of its values, once there are too many shares. */
  add({ times, shares, columns }: ShareHistory): boolean {
    const stepCount = this.#times.times.length;
    const range = this.#times.add(times);
    if (range.start === range.end) return true;
    const gatheredShares: GatheredShare[] = [];
    for (const share of shares) {
      const gathered = this.#find(share, stepCount);
      if (gathered === undefined) return false;
      gatheredShares.push(gathered);
    }
    this.#partCount++;
    for (let index = 0; index < gatheredShares.length; index++) {
      const gathered = gatheredShares[index];
      const column = columns[index];
      if (gathered === undefined || column === undefined) continue;
      gathered.sum = gathered.values.addToSum(gathered.sum, range, column);
      gathered.isPresent ||= gathered.sum !== 0 || isPresent(column, range.start, range.end);
      gathered.lastPart = this.#partCount;
    }
    for (const { values, lastPart } of this.#shares.values())
      if (lastPart < this.#partCount) values.add(range, undefined);
    return true;
  }

  /** Sets the sums of the shares so far. */
  setSums(sums: ShareSums): void {
    for (const { share, sum, isPresent } of this.#shares.values()) if (isPresent) sums.set(share, sum);
  }

  /** Makes a series of each share, in this order. */
  finish(shares: readonly ShareName[]): ShareColumns {
    const series = shares.map((share) => ({
      share,
      isOther: false,
      values: this.#shares.get(shareKey(share))?.values.finish(this.#times) ?? noValues,
    }));
    return { times: this.#times.times.take(), series };
  }

  /** Finds a share, or begins one that was 0 in the steps so far; undefined if there are too many. */
  #find(share: ShareName, stepCount: number): GatheredShare | undefined {
    const key = shareKey(share);
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    if (this.#shares.size === this.#maxShares) return undefined;
    const values = new StepValues(this.#window);
    values.addZeros(stepCount);
    const begun = { share, values, sum: 0, isPresent: false, lastPart: 0 };
    this.#shares.set(key, begun);
    return begun;
  }
}
