/** The admin listener of a mirror that runs at intervals. */
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { Store } from '../model/store.ts';
import { LogStream } from './log-stream.ts';
import { type AdminOptions, startAdmin } from './process.ts';
import type { ServeOutput } from './serve-options.ts';

/** Options of {@link startMirrorAdmin}. */
interface MirrorAdminOptions extends Pick<AdminOptions, 'version' | 'adminHost' | 'adminPort' | 'stopped'> {
  readonly store: Store;
  readonly output: ServeOutput;
}

/** Starts the admin listener and prints its address. @throws AppError as `startAdmin`. */
export async function startMirrorAdmin({
  store,
  output,
  ...options
}: MirrorAdminOptions): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const logStream = stack.use(new LogStream());
  const late = stack.use(new LateReader(store));
  const admin = stack.use(
    await startAdmin({
      ...options,
      logStream,
      workerCount: 1,
      reader: () => late.find(),
      findReason: () => undefined,
    }),
  );
  if (admin !== undefined) output.printResult(`admin on ${admin.url}`);
  return stack.move();
}

/** The reader of a store that perhaps does not exist before the first run. */
class LateReader implements AsyncDisposable {
  readonly #store: Store;
  #reader: MetricsReader | undefined;
  #opening: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the reader if the store is open, and otherwise tries to open it. */
  find(): MetricsReader | undefined {
    if (this.#reader === undefined) this.#opening ??= this.#open();
    return this.#reader;
  }

  async #open(): Promise<void> {
    try {
      this.#reader = await this.#store.openReader();
    } catch {
      // `/ready` says that the store is not open, and the runs say why.
    }
    this.#opening = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opening;
    await this.#reader?.[Symbol.asyncDispose]();
  }
}
