/**
 * Workers that share a port: starts them, replaces them after a crash and on SIGHUP, and stops them together.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { isSingleFile } from '../runtime/own-program.ts';
import type { ServeOutput } from './serve-options.ts';

/** Options of {@link superviseWorkers}. */
export interface SupervisorOptions {
  readonly workerCount: number;
  /** Time limit for the start of a worker. */
  readonly startTimeoutMs: number;
  /** Resolves when all must stop. */
  readonly stopped: Promise<unknown>;
  readonly output: ServeOutput;
  /** Called once, when every worker can serve. */
  readonly onListening: (port: number) => void;
}

/**
 * Pause before a worker that has ended is replaced. It doubles, up to the longest, with each worker that
 * ended early.
 */
const minPauseMs = 1000;
const maxPauseMs = 30_000;
const earlyMs = 5000;

/** A worker ends within 13 seconds unless its event loop is blocked. */
const endTimeoutMs = 14_000;

/**
 * Message to a replaced worker. A disconnect would close its idle connections, to which requests may be on
 * their way.
 */
const replacedMessage = 'replaced';

/** Resolves when the supervisor has replaced this worker; never in another process. */
export function replacedBySupervisor(): Promise<'replaced'> {
  return new Promise((resolve) => {
    cluster.worker?.on('message', (message) => {
      if (message === replacedMessage) resolve('replaced');
    });
  });
}

/**
 * Runs the command of this process again in workers, until `stopped`. SIGHUP replaces them one by one.
 * @throws AppError `unavailable` when a worker ends before it could serve; it has printed the reason.
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<void> {
  const supervisor = new Supervisor(options);
  try {
    await Promise.race([supervisor.start(), options.stopped]);
    await options.stopped;
  } finally {
    await supervisor.stop();
  }
}

class Supervisor {
  readonly #options: SupervisorOptions;
  /** Workers that serve or start; during a replacement, one more than wanted. */
  readonly #workers = new Set<Worker>();
  /** True from the moment when all serve until they are stopped. */
  #isServing = false;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = minPauseMs;
  #replacing = Promise.resolve();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    // A signal during a replacement replaces all of them again.
    process.on('SIGHUP', () => {
      this.#replacing = this.#replacing.then(() => this.#replaceAll());
    });
  }

  async start(): Promise<void> {
    let port = 0;
    // Node would start the executable with its own path as the first argument.
    const [exec, ...args] = process.argv.slice(2);
    if (isSingleFile) cluster.setupPrimary({ exec, args, execArgv: [] });
    cluster.once('listening', (_worker, address) => {
      port = address.port;
    });
    await Promise.all(
      this.#fill().map(async (isUp) => {
        if (!(await isUp)) throw new AppError('unavailable', 'a worker could not start');
      }),
    );
    this.#isServing = true;
    this.#options.onListening(port);
  }

  async stop(): Promise<void> {
    this.#isServing = false;
    clearTimeout(this.#timer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => this.#end(worker, () => worker.process.kill('SIGTERM'))));
  }

  /** Starts the workers that are missing. */
  #fill(): Promise<boolean>[] {
    const missingCount = this.#options.workerCount - this.#workers.size;
    return Array.from({ length: Math.max(0, missingCount) }, () => this.#fork().isUp);
  }

  /** Starts a worker; `isUp` resolves with true when it serves, and with false if it has ended before. */
  #fork(): { readonly worker: Worker; readonly isUp: Promise<boolean> } {
    const worker = cluster.fork();
    this.#workers.add(worker);
    const startedAt = performance.now();
    const { promise: isUp, resolve } = Promise.withResolvers<boolean>();
    const end = (reason: string) => {
      resolve(false);
      if (this.#workers.delete(worker) && this.#isServing)
        this.#replaceEnded(reason, performance.now() - startedAt < earlyMs);
    };
    worker.once('listening', () => resolve(true));
    worker.once('exit', (code, signal) =>
      end(`worker ${worker.process.pid} ended (${signal ?? `code ${code}`})`),
    );
    worker.on('error', ({ message }) => {
      // If it has a process id, only the channel to it is broken, and it ends by itself.
      if (worker.process.pid === undefined) end(`a worker could not be started (${message})`);
    });
    return { worker, isUp };
  }

  #replaceEnded(reason: string, hasEndedEarly: boolean): void {
    const isMissing = this.#workers.size < this.#options.workerCount;
    this.#options.output.printMessage(`${reason}${isMissing ? '; starting another' : ''}`);
    if (!isMissing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fill(), hasEndedEarly ? this.#pauseMs : minPauseMs);
    this.#pauseMs = hasEndedEarly ? Math.min(2 * this.#pauseMs, maxPauseMs) : minPauseMs;
  }

  /** Replaces the workers one at a time. */
  async #replaceAll(): Promise<void> {
    if (!this.#isServing) return;
    const workers = [...this.#workers];
    // The cause of crashes may be gone.
    clearTimeout(this.#timer);
    this.#pauseMs = minPauseMs;
    this.#fill();
    for (const worker of workers) if (!(await this.#replace(worker))) break;
  }

  /** Replaces a worker after the new one can serve. Resolves with false if that fails. */
  async #replace(replaced: Worker): Promise<boolean> {
    if (!this.#workers.has(replaced)) return true;
    const { output, startTimeoutMs } = this.#options;
    const { worker: next, isUp } = this.#fork();
    const hasCome = await Promise.race([isUp, sleep(startTimeoutMs, false, { ref: false })]);
    if (!this.#isServing) return false;
    if (!hasCome) {
      output.printMessage(`worker ${next.process.pid} did not start: the old workers continue`);
      next.process.kill('SIGKILL');
      return false;
    }
    // If the old worker has ended meanwhile, the new one replaces it.
    if (!this.#workers.delete(replaced)) return true;
    // Another worker may have ended, which the new one has replaced until now.
    this.#fill();
    await this.#end(replaced, () => replaced.send(replacedMessage, () => {}));
    output.printMessage(`worker ${replaced.process.pid} replaced by ${next.process.pid}`);
    return true;
  }

  /** Asks a worker to end, and kills it if it does not in time. */
  async #end(worker: Worker, ask: () => void): Promise<void> {
    if (worker.isDead()) return;
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), endTimeoutMs);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    ask();
    await ended;
    clearTimeout(timer);
  }
}
