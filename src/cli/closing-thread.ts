/** Closes slots in a separate thread, so that the collector takes reports of the next slot meanwhile. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type ClosedSlot, type CloseOptions, closeSlot } from '../collect/close-slot.ts';
import { AppError } from '../model/app-error.ts';
import type { OpenSlot } from '../model/report-store.ts';
import { isSingleFile, readOwnFile } from '../runtime/own-program.ts';
import { loadTemporaryFault } from '../store/store.ts';
import { parseStoreName } from './store-name.ts';

/** The options that can be passed to a thread. */
interface ThreadOptions extends Pick<CloseOptions, 'slotMs' | 'historyMs'> {
  readonly storeName: string;
}

/**
 * The answer of the thread. A copy would no longer be an AppError, so its parts are sent; a bug has its
 * stack.
 */
type Outcome =
  | { readonly closed: ClosedSlot }
  | { readonly failure: Error | Pick<AppError, 'kind' | 'message'> };

/**
 * Limits without which the thread would keep hundreds of megabytes of garbage. A million reports need a
 * third, the most hostile ones two thirds.
 */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 24 };

/**
 * The thread, which opens the store itself. It loads all code when it starts, so that an upgrade does not
 * affect it.
 */
export class ClosingThread {
  readonly #options: ThreadOptions;
  #thread: Worker | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Starts the thread, unless it runs. */
  start(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const options = { workerData: this.#options, resourceLimits };
    // A thread from the address of the executable would not run this file.
    const thread = isSingleFile
      ? new Worker(readOwnFile('closing-thread.js').toString(), {
          ...options,
          eval: true,
          execArgv: ['--input-type=module'],
        })
      : new Worker(new URL(import.meta.url), options);
    const forget = () => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    // The slot being closed gets the failure. The next slot starts another thread.
    thread.on('error', forget).on('exit', forget);
    thread.unref();
    this.#thread = thread;
    return thread;
  }

  /** Closes a slot, as `CloseSlot`. */
  async close(slot: OpenSlot, signal?: AbortSignal): Promise<ClosedSlot> {
    const thread = this.start();
    thread.ref();
    try {
      thread.postMessage(slot);
      const [outcome] = (await once(thread, 'message', { signal })) as [Outcome];
      if ('closed' in outcome) return outcome.closed;
      const { failure } = outcome;
      throw failure instanceof Error ? failure : new AppError(failure.kind, failure.message);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      // It is in a transaction.
      await thread.terminate();
      throw new AppError('store-unavailable', 'closing a slot was interrupted');
    } finally {
      thread.unref();
    }
  }
}

function failureOf(error: unknown): Outcome {
  if (!(error instanceof AppError))
    return { failure: error instanceof Error ? error : new Error(String(error)) };
  const { kind, message } = error;
  return { failure: { kind, message } };
}

function isThreadOptions(data: unknown): data is ThreadOptions {
  return typeof data === 'object' && data !== null && 'storeName' in data && 'slotMs' in data;
}

// The thread runs this file too.
if (parentPort !== null && isThreadOptions(workerData)) {
  const port = parentPort;
  const { storeName, ...options } = workerData;
  const store = parseStoreName(storeName);
  await store.preload();
  const temporaryFault = await loadTemporaryFault();
  setFlagsFromString('--expose_gc');
  const collectGarbage: () => void = runInNewContext('gc');
  port.on('message', (slot: OpenSlot) => {
    void closeSlot(slot, { ...options, store })
      .then(
        (closed): Outcome => ({ closed }),
        // The store has explained its own errors, so an error of SQLite comes from the sums.
        (error: unknown) => failureOf(temporaryFault(error, process.env)),
      )
      .then((outcome) => {
        // The next slot may be half an hour away.
        collectGarbage();
        port.postMessage(outcome);
      });
  });
}
