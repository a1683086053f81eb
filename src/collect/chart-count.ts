/** Counts what servers report for one chart in one slot: the sum of a line, the sums of shares by name. */
import { type ChartData, maxJsonBytes } from '../model/chart-data.ts';
import { formOf, reportFormOf } from '../model/chart-types.ts';
import { renderShares } from '../model/data-shares.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import { pointsOf } from '../model/points.ts';
import type { ReportedShare, ReportedValue } from '../model/reported-value.ts';
import { compareText, type ShareName, shareKey } from '../model/share-history.ts';
import type { ChartFilter } from './chart-filter.ts';
import { maxShares, maxValuesPerBar, otherShare } from './reported-value.ts';

/** The most bytes that the shares may take as JSON, with room for `Other` within what a chart may have. */
const maxSharesBytes = maxJsonBytes - 2048;

/** Bytes around a share and around a group, numbers aside, and of the longest number with its comma. */
const shareBytes = 24;
const groupBytes = 64;
const numberBytes = 23;

/** Memory of a share beside the bytes of its JSON. */
const shareMemoryBytes = 200;

/** The counts of a chart in a slot. */
export class ChartCount {
  /** True for a sum, false for shares. */
  readonly isLine: boolean;
  readonly #typeName: string;
  readonly #filter: ChartFilter;
  #sum = 0;
  /** By {@link shareKey}. */
  readonly #shares = new Map<string, { readonly share: ShareName; readonly values: number[] }>();
  readonly #groups = new Set<string>();
  #sizeBytes = 0;

  constructor(typeName: string, filter: ChartFilter) {
    this.isLine = formOf(typeName) === 'line';
    this.#typeName = typeName;
    this.#filter = filter;
  }

  /** About the memory that the shares take. */
  get memoryBytes(): number {
    return this.#sizeBytes + this.#shares.size * shareMemoryBytes;
  }

  /** Adds what one server reports. */
  add(value: ReportedValue): void {
    if (typeof value === 'number') this.#addToSum(this.#filter.clamp(value));
    else for (const share of value) if (this.#filter.allows(share.group ?? share.name)) this.#addShare(share);
  }

  /** Makes the data of the chart for a slot that began at a time; without reports the value of a line is 0. */
  dataAt(timestamp: number): ChartData {
    if (this.isLine) return { storage: 'series', points: pointsOf([[timestamp, this.#sum]]) };
    return { storage: 'snapshot', json: this.#sharesJson() };
  }

  #addToSum(value: number): void {
    const sum = this.#sum + value;
    this.#sum = Math.min(Math.max(sum, -Number.MAX_VALUE), Number.MAX_VALUE);
  }

  #addShare(share: ReportedShare): void {
    const { values: sums } = this.#shares.get(shareKey(share)) ?? this.#makeRoom(share);
    for (let index = 0; index < share.values.length; index++)
      sums[index] = (sums[index] ?? 0) + (share.values[index] ?? 0);
  }

  /** Adds a share, or finds the one for shares beyond the limits. */
  #makeRoom({ group, name }: ShareName) {
    const share = { group, name };
    const sizeBytes = this.#sizeBytes + this.#bytesOf(share);
    if (this.#shares.size >= maxShares || sizeBytes > maxSharesBytes) {
      const other = otherShare(share);
      return this.#shares.get(shareKey(other)) ?? this.#put(other);
    }
    this.#sizeBytes = sizeBytes;
    return this.#put(share);
  }

  #put(share: ShareName) {
    // Not empty: the first number in an empty array takes room for sixteen more.
    const count = { share, values: [0] };
    this.#shares.set(shareKey(share), count);
    if (share.group !== null) this.#groups.add(share.group);
    return count;
  }

  /** Bounds the bytes that a new share adds to the JSON. */
  #bytesOf({ group, name }: ShareName): number {
    const numberCount = reportFormOf(this.#typeName) === 'rows' ? maxValuesPerBar : 1;
    const own = jsonBytes(name) + shareBytes + numberCount * numberBytes;
    // The name of a group is in the JSON four times.
    if (group === null || this.#groups.has(group)) return own;
    return own + 4 * jsonBytes(group) + groupBytes + numberBytes;
  }

  #sharesJson(): JsonText {
    const counts = this.#inOrder();
    if (formOf(this.#typeName) === 'bars')
      return trustedJson(
        JSON.stringify(counts.map(({ share: { name }, values }) => ({ name, data: values }))),
      );
    return renderShares(
      this.#typeName,
      counts.map(({ share, sum }) => [share, sum]),
    );
  }

  /** Lists the shares from the largest, equal ones by name; of a drilldown pie the largest group comes first. */
  #inOrder() {
    const groupSums = new Map<string | null, number>();
    const counts = Array.from(this.#shares.values(), ({ share, values }) => {
      const sum = values.reduce((total, value) => total + value, 0);
      groupSums.set(share.group, (groupSums.get(share.group) ?? 0) + sum);
      return { share, values, sum };
    });
    const groupSum = ({ group }: ShareName) => groupSums.get(group) ?? 0;
    return counts.sort(
      (a, b) =>
        groupSum(b.share) - groupSum(a.share) ||
        compareText(a.share.group ?? '', b.share.group ?? '') ||
        b.sum - a.sum ||
        compareText(a.share.name, b.share.name),
    );
  }
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
