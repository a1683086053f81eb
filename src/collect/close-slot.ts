/** Closes a slot: writes what its reports add up to into the store, in one transaction that says so, and deletes them. */

import type { OpenSlot } from '../model/report-store.ts';
import type { Store } from '../model/store.ts';
import { maxTimestamp } from '../model/window.ts';
import { slotRecords } from './slot-records.ts';
import { SlotSums } from './slot-sums.ts';

/** The parts of a slot that must be covered. */
const minCoveredParts = 27;

/** Closes a slot, perhaps in another thread. It rejects when it is aborted, and the next call for the slot finishes it. */
export type CloseSlot = (slot: OpenSlot, signal?: AbortSignal) => Promise<ClosedSlot>;

/** Options of {@link closeSlot}. */
export interface CloseOptions {
  readonly store: Store;
  /** The length of a slot. */
  readonly slotMs: number;
  /** Step of the histories of shares: slots that begin at a multiple of it are kept. Undefined for none. */
  readonly historyMs: number | undefined;
}

/** The outcome of closing a slot. */
export interface ClosedSlot {
  /** The number of parts that collectors covered. */
  readonly coveredParts: number;
  /**
   * `written`: its charts are in the store. `left_out`: too little of it was covered, so nothing is. `known`: it was closed before, by another
   * collector or by one that was killed then.
   */
  readonly outcome: 'written' | 'left_out' | 'known';
  readonly recordCount: number;
}

/**
 * Closes a slot that has ended, with connections of its own. Whatever is killed while it runs, the next call for the slot finishes it, and it is written once.
 * @throws AppError of the store and of the reports.
 */
export async function closeSlot(slot: OpenSlot, options: CloseOptions): Promise<ClosedSlot> {
  await using reports = await options.store.openReports();
  const { start } = slot;
  await reports.freezeSlot(start);
  const coveredParts = countBits(slot.covered);
  // Before the store is held: the log may be long.
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
  // The times are those of this collector's clock, whatever the store would think of them.
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
