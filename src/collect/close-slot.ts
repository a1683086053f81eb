/** Closes a slot: writes the sums of its reports into the store, in one transaction that also closes it, and deletes the reports. */

import type { OpenSlot } from '../model/report-store.ts';
import type { Store } from '../model/store.ts';
import { maxTimestamp } from '../model/window.ts';
import { slotRecords } from './slot-records.ts';
import { SlotSums } from './slot-sums.ts';

/** The number of parts of a slot that must be covered. */
const minCoveredParts = 27;

/** Closes a slot, perhaps in another thread. It rejects when it is aborted; the next call for the slot then finishes it. */
export type CloseSlot = (slot: OpenSlot, signal?: AbortSignal) => Promise<ClosedSlot>;

/** Options of {@link closeSlot}. */
export interface CloseOptions {
  readonly store: Store;
  /** The length of a slot. */
  readonly slotMs: number;
  /** Step of the histories of shares: they keep slots that begin at a multiple of it. Undefined for no histories. */
  readonly historyMs: number | undefined;
}

/** The outcome of closing a slot. */
export interface ClosedSlot {
  /** The number of parts that collectors covered. */
  readonly coveredParts: number;
  /**
   * `written`: its charts are in the store. `left_out`: too little of it was covered, so nothing is stored. `known`: another collector, or one
   * that was then killed, has closed it.
   */
  readonly outcome: 'written' | 'left_out' | 'known';
  readonly recordCount: number;
}

/**
 * Closes a slot that has ended, with its own connections. If it is killed, the next call for the slot finishes it, and it is written once.
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
