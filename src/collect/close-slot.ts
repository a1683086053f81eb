/** Closes a slot: writes what its reports add up to into the store, in one transaction that says so, and deletes them. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import { maxTimestamp } from '../model/points.ts';
import type { Coverage, OpenSlot, ReportStore } from '../model/report-store.ts';
import type { Store } from '../model/store.ts';
import { slotRecords } from './slot-records.ts';

/** The part of a slot that must be covered: 27 of 30 minutes. */
const minCoveredPart = 0.9;

/** The most records of a batch, and about as many bytes of their data. A writer may keep some dozen batches. */
const batchRecords = 64;
const batchBytes = 256 * 1024;

/** Closes a slot, perhaps in another thread. It rejects when it is aborted, and the next call for the slot finishes it. */
export type CloseSlot = (slot: OpenSlot, signal?: AbortSignal) => Promise<ClosedSlot>;

/** Options of {@link closeSlot}. */
export interface CloseOptions {
  readonly store: Store;
  readonly reports: ReportStore;
  /** The length of a slot. */
  readonly slotMs: number;
  /** Step of the histories of shares: slots that begin at a multiple of it are kept. Undefined for none. */
  readonly historyMs: number | undefined;
}

/** The outcome of closing a slot. */
export interface ClosedSlot {
  /** For how long collectors took reports. */
  readonly coveredMs: number;
  /**
   * `written`: its charts are in the store. `left_out`: too little of it was covered, so nothing is. `known`: it was closed before, by another
   * collector or by one that was killed then.
   */
  readonly outcome: 'written' | 'left_out' | 'known';
  readonly recordCount: number;
}

/** Returns a function that closes slots in this thread, with connections of its own. It does not end when it is aborted. */
export function closeIn(options: Omit<CloseOptions, 'reports'>): CloseSlot {
  return async (slot) => {
    await using reports = await options.store.openReports();
    return await closeSlot(slot, { ...options, reports });
  };
}

/**
 * Closes a slot that has ended. Whatever is killed while it runs, the next call for the slot finishes it, and it is written once.
 * @throws AppError of the store and of the reports.
 */
export async function closeSlot(slot: OpenSlot, options: CloseOptions): Promise<ClosedSlot> {
  const { reports, slotMs } = options;
  const { start } = slot;
  await reports.freezeSlot(start);
  const coveredMs = coveredTime(slot.coverage, { from: start, until: start + slotMs });
  const outcome = await writeSlot(start, { ...options, isCovered: coveredMs >= minCoveredPart * slotMs });
  await reports.forgetSlot(start);
  return { coveredMs, ...outcome };
}

async function writeSlot(
  start: number,
  { store, reports, slotMs, historyMs, isCovered }: CloseOptions & { readonly isCovered: boolean },
): Promise<Pick<ClosedSlot, 'outcome' | 'recordCount'>> {
  // The times are those of this collector's clock, whatever the store would think of them.
  await using writer = await store.openWriter({ latestTimestamp: maxTimestamp });
  if ((await writer.getClosedUntil()) > start) return { outcome: 'known', recordCount: 0 };
  let recordCount = 0;
  if (isCovered) {
    const isKept = historyMs !== undefined && start % historyMs === 0;
    let batch: MetricsRecord[] = [];
    let sizeBytes = 0;
    const write = async () => {
      await writer.write(batch);
      recordCount += batch.length;
      batch = [];
      sizeBytes = 0;
    };
    const readReports = (pluginId?: number) => reports.readSlot(start, pluginId);
    for await (const { record, dataBytes } of slotRecords(writer.listStoredCharts(), readReports, {
      start,
      isKept,
    })) {
      batch.push(record);
      sizeBytes += dataBytes;
      if (batch.length === batchRecords || sizeBytes >= batchBytes) await write();
    }
    batch.push({ place: store.name, kind: 'end' });
    await write();
    recordCount--;
  }
  await writer.markClosed(start + slotMs);
  await writer.commit();
  return { outcome: isCovered ? 'written' : 'left_out', recordCount };
}

/** Adds up times within a slot; those that overlap count once. */
export function coveredTime(times: readonly Coverage[], slot: Coverage): number {
  let covered = 0;
  let reached = slot.from;
  for (const { from, until } of times.toSorted((a, b) => a.from - b.from)) {
    const end = Math.min(until, slot.until);
    covered += Math.max(0, end - Math.max(from, reached));
    reached = Math.max(reached, end);
  }
  return covered;
}
