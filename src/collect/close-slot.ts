/**
 * Closes a slot: writes the sums of its reports into the store, in one transaction that also closes it, and
 * deletes the reports.
 */

import { type ChartData, maxJsonBytes } from '../model/chart-data.ts';
import { hasGroups, renderShares } from '../model/chart-forms.ts';
import { formOf, reportFormOf } from '../model/chart-types.ts';
import { compareText, pointsOf, shareKey, shareOfKey } from '../model/columns.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { StoredChart } from '../model/metrics-writer.ts';
import type { OpenSlot } from '../model/report-store.ts';
import type { Store } from '../model/store.ts';
import { maxTimestamp } from '../model/window.ts';
import { nameRuleOf } from './chart-filter.ts';
import { chartName } from './report-line.ts';
import { addTo, fromLargest, maxShares, otherShare, type SummedShare, summed } from './reported-value.ts';
import { SlotSums, type SummedShares } from './slot-sums.ts';

/** The number of parts of a slot that must be covered. */
const minCoveredParts = 27;

/**
 * Closes a slot, perhaps in another thread. It rejects when it is aborted; the next call for the slot then
 * finishes it.
 */
export type CloseSlot = (slot: OpenSlot, signal?: AbortSignal) => Promise<ClosedSlot>;

/** Options of {@link closeSlot}. */
export interface CloseOptions {
  readonly store: Store;
  /** The length of a slot. */
  readonly slotMs: number;
  /**
   * Step of the histories of shares: they keep slots that begin at a multiple of it. Undefined for no
   * histories.
   */
  readonly historyMs: number | undefined;
}

/** The outcome of closing a slot. */
export interface ClosedSlot {
  /** The number of parts that collectors covered. */
  readonly coveredParts: number;
  /**
   * `written`: its charts are in the store. `left_out`: too little of it was covered, so nothing is stored.
   * `known`: another collector, or one that was then killed, has closed it.
   */
  readonly outcome: 'written' | 'left_out' | 'known';
  readonly recordCount: number;
}

/**
 * Closes a slot that has ended, with its own connections. If it is killed, the next call for the slot
 * finishes it, and it is written once.
 * @throws AppError of the store and of the reports.
 */
export async function closeSlot(slot: OpenSlot, options: CloseOptions): Promise<ClosedSlot> {
  await using reports = await options.store.openReports();
  const { start } = slot;
  await reports.freezeSlot(start);
  const coveredParts = countBits(slot.covered);
  // Before the store is locked, because the log may be long.
  using sums = coveredParts < minCoveredParts ? undefined : new SlotSums();
  await sums?.read(reports.readLog(start));
  const outcome = await writeSlot(start, sums, options);
  await reports.forgetSlot(start);
  return { coveredParts, ...outcome };
}

/** @param sums undefined for a slot that is left out. */
async function writeSlot(
  start: number,
  sums: SlotSums | undefined,
  { store, slotMs, historyMs }: CloseOptions,
): Promise<Pick<ClosedSlot, 'outcome' | 'recordCount'>> {
  // The clock of this collector decides, so the store must accept every time.
  await using writer = await store.openWriter({ latestTimestamp: maxTimestamp });
  if ((await writer.getClosedUntil()) > start) return { outcome: 'known', recordCount: 0 };
  let recordCount = 0;
  if (sums !== undefined) {
    const isKept = historyMs !== undefined && start % historyMs === 0;
    for await (const batch of slotRecords(writer.listStoredCharts(), sums, { start, isKept })) {
      await writer.write(batch);
      recordCount += batch.length;
    }
    await writer.write([{ place: store.name, kind: 'end' }]);
  }
  await writer.markClosed(start + slotMs);
  await writer.commit();
  return { outcome: sums === undefined ? 'left_out' : 'written', recordCount };
}

function countBits(bits: number): number {
  return bits.toString(2).replaceAll('0', '').length;
}

/**
 * Approximate bytes of a batch of records, and of a record beside its data. A writer may keep some dozen
 * batches.
 */
const batchBytes = 256 * 1024;
const recordBytes = 4096;

/** The time of the records. */
interface SlotTime {
  /** Its beginning, in Unix milliseconds. */
  readonly start: number;
  /** True to keep shares as history too. */
  readonly isKept: boolean;
}

/**
 * Yields records in batches: one for every chart with sums, and one for every other chart with data, of which
 * lines get 0 and other charts become empty. Sums of plugins and charts that are no longer in the store are
 * skipped.
 * @param pages the charts of the store.
 */
export async function* slotRecords(
  pages: AsyncIterable<readonly StoredChart[]>,
  sums: SlotSums,
  { start, isKept }: SlotTime,
): AsyncGenerator<readonly MetricsRecord[]> {
  let batch: MetricsRecord[] = [];
  let sizeBytes = 0;
  for await (const page of pages)
    for (const chart of page) {
      const { pluginId, chartId, type } = chart;
      const form = reportFormOf(type);
      const data = form && dataOf(chart, sums.list(pluginId, chartName(chart)), start);
      if (data === undefined) continue;
      // Bars of several values have no history.
      const isDated = isKept && data.storage === 'latest' && form !== 'rows';
      batch.push({
        place: `chart ${pluginId}/${chartId}`,
        kind: 'data',
        pluginId,
        chartId,
        ...(isDated ? { at: start } : {}),
        dataFor: () => data,
      });
      sizeBytes += recordBytes + (data.storage === 'latest' ? data.json.length : 0);
      if (sizeBytes < batchBytes) continue;
      yield batch;
      batch = [];
      sizeBytes = 0;
    }
  yield batch;
}

/** Undefined for a chart that stays without data. */
function dataOf(chart: StoredChart, sums: SummedShares, start: number): ChartData | undefined {
  if (formOf(chart.type) !== 'line') {
    const json = renderLargest(chart, sums);
    return json && { storage: 'latest', json };
  }
  const [line] = sums;
  if (line === undefined && !chart.hasData) return undefined;
  return { storage: 'points', points: pointsOf([[start, line?.[1][0] ?? 0]]) };
}

/**
 * Renders the data of a chart: its {@link maxShares} largest shares, or fewer if they do not fit, and
 * `Other`.
 * @param sums by the keys of the shares. There may be any number: only few are in memory at a time.
 */
function renderLargest({ type, settings, hasData }: StoredChart, sums: SummedShares): JsonText | undefined {
  let allows: ReturnType<typeof nameRuleOf> | undefined;
  const isGrouped = hasGroups(type);
  const largest: SummedShare[] = [];
  const rest: number[] = [];
  const cutTo = (count: number) => {
    largest.sort(fromLargest);
    for (const { values } of largest.splice(count)) addTo(rest, values);
  };
  for (const [key, values] of sums) {
    allows ??= nameRuleOf(settings);
    const share = shareOfKey(key, isGrouped);
    if (allows(share.group ?? share.name)) largest.push(summed(share, values));
    if (largest.length >= 2 * maxShares) cutTo(maxShares);
  }
  if (largest.length === 0 && !hasData) return undefined;
  cutTo(maxShares);
  for (;;) {
    const other = summed(otherShare(isGrouped), rest);
    const json = render(type, rest.length > 0 ? addOther(largest, other) : largest);
    if (Buffer.byteLength(json) <= maxJsonBytes) return json;
    cutTo(Math.floor(largest.length * partThatStays));
  }
}

/** The part of the shares that is kept if they are too long for a chart. */
const partThatStays = 0.8;

/** Adds the rest to the reported share of that name, if there is one. */
function addOther(shares: readonly SummedShare[], rest: SummedShare): readonly SummedShare[] {
  const values = [...rest.values];
  const key = shareKey(rest.share);
  const { named = [], other = [] } = Object.groupBy(shares, ({ share }) =>
    shareKey(share) === key ? 'other' : 'named',
  );
  for (const one of other) addTo(values, one.values);
  return [...named, summed(rest.share, values)];
}

/** Renders shares, largest first, equal ones by name; for a drilldown pie, the largest group first. */
function render(typeName: string, shares: readonly SummedShare[]): JsonText {
  const groupSums = new Map<string | null, number>();
  for (const { share, sum } of shares) groupSums.set(share.group, (groupSums.get(share.group) ?? 0) + sum);
  const groupSum = ({ share }: SummedShare) => groupSums.get(share.group) ?? 0;
  const sorted = shares.toSorted(
    (one, other) =>
      groupSum(other) - groupSum(one) ||
      compareText(one.share.group ?? '', other.share.group ?? '') ||
      fromLargest(one, other),
  );
  if (formOf(typeName) === 'bars')
    return trustedJson(JSON.stringify(sorted.map(({ share: { name }, values }) => ({ name, data: values }))));
  return renderShares(
    typeName,
    sorted.map(({ share, sum }) => [share, sum]),
  );
}
