/** Closes slots in a thread of its own, so that reports of the next slot are taken meanwhile. */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type ClosedSlot, type CloseOptions, type CloseSlot, closeSlot } from '../collect/close-slot.ts';
import { AppError } from '../model/app-error.ts';
import type { OpenSlot } from '../model/report-store.ts';
import { parseStoreName } from './store-name.ts';

/** The part of the options that a thread can be given. */
interface ThreadOptions extends Pick<CloseOptions, 'slotMs' | 'historyMs'> {
  readonly storeName: string;
}

interface ThreadData extends ThreadOptions {
  readonly closedSlot: OpenSlot;
}

/** Without them the thread would keep hundreds of megabytes of garbage. A million reports need a third of this, the most hostile ones two thirds. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 24 };

/** Returns a function that closes a slot in a new thread, which opens the store for itself. */
export function closeInThread(options: ThreadOptions): CloseSlot {
  return async (slot, signal) => {
    const data: ThreadData = { ...options, closedSlot: slot };
    const thread = new Worker(new URL(import.meta.url), { workerData: data, resourceLimits });
    try {
      const [closed] = await once(thread, 'message', { signal });
      return closed as ClosedSlot;
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      throw new AppError('unavailable', 'closing a slot was interrupted', { kind: 'store-unavailable' });
    } finally {
      // If it is interrupted, it is in a transaction.
      await thread.terminate();
    }
  };
}

function isThreadData(data: unknown): data is ThreadData {
  return typeof data === 'object' && data !== null && 'closedSlot' in data;
}

// This file is also what the thread runs.
if (isThreadData(workerData)) {
  const { storeName, closedSlot, ...options } = workerData;
  parentPort?.postMessage(await closeSlot(closedSlot, { ...options, store: parseStoreName(storeName) }));
}
