/** Workers that share a port: starts them, replaces them after a crash and on SIGHUP, and stops them together. */
import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { AppError } from '../model/app-error.ts';
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
 * Pause before a crashed worker is restarted. It doubles, up to the longest, with each crash of a worker that has not served for long, so
 * that workers which crash at their start are not restarted in a tight loop.
 */
const restartPauseMs = 500;
const maxRestartPauseMs = 30_000;
const longServiceMs = 5000;

/** A worker ends within 13 seconds unless its event loop is blocked. */
const endTimeoutMs = 14_000;

/** The message to a worker that has been replaced. */
const replacedMessage = { kind: 'replaced' } as const;

/** Calls back when this worker has been replaced. SIGHUP, which a terminal sends to all processes, is ignored. */
export function onReplaced(callback: () => void): void {
  process.on('SIGHUP', () => {});
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'kind' in message)
      if (message.kind === replacedMessage.kind) callback();
  });
}

/** Warns if there are more than two workers for each core. */
export function warnOfTooManyWorkers(workerCount: number, output: ServeOutput): void {
  const coreCount = availableParallelism();
  if (workerCount <= 2 * coreCount) return;
  output.printMessage(
    `warning: --workers ${workerCount} is too many for ${coreCount} ${coreCount === 1 ? 'core' : 'cores'}: more workers than cores serve no more requests, and each takes memory`,
  );
}

/**
 * Runs the command of this process again in workers, until `stopped`. SIGHUP replaces them one by one.
 * @throws AppError `unavailable` when a worker ends before it could serve; it has printed the reason.
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<void> {
  const supervisor = new Supervisor(options);
  try {
    await supervisor.start();
    await options.stopped;
  } finally {
    await supervisor.stop();
  }
}

class Supervisor {
  readonly #options: SupervisorOptions;
  /** Workers that serve or start. A replacement joins when the worker that it replaces leaves. */
  readonly #pool = new Set<Worker>();
  /** A worker of the pool, and its replacement that is starting. */
  #replacement: { readonly replaced: Worker; readonly next: Worker } | undefined;
  readonly #started = Promise.withResolvers<void>();
  #isStarted = false;
  #isStopping = false;
  #isReplacing = false;
  #isReplacementWanted = false;
  #fillTimer: NodeJS.Timeout | undefined;
  #pauseMs = restartPauseMs;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    process.on('SIGHUP', () => {
      this.#isReplacementWanted = true;
      void this.#replaceAll();
    });
  }

  /** Resolves when every worker can serve, or when all must stop. */
  async start(): Promise<void> {
    const { onListening, stopped } = this.#options;
    let port = 0;
    cluster.once('listening', (_worker, address) => {
      port = address.port;
    });
    this.#fill();
    const workers = [...this.#pool];
    const listening = Promise.all(
      workers.map((worker) => new Promise((resolve) => worker.once('listening', resolve))),
    );
    await Promise.race([listening.then(() => this.#started.resolve()), this.#started.promise, stopped]);
    if (port === 0 || this.#isStopping) return;
    this.#isStarted = true;
    onListening(port);
    void this.#replaceAll();
  }

  async stop(): Promise<void> {
    const { output } = this.#options;
    this.#isStopping = true;
    clearTimeout(this.#fillTimer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => end(worker, () => worker.process.kill('SIGTERM'), output)));
  }

  #fork(): Worker {
    const worker = cluster.fork();
    let servesSince = Number.POSITIVE_INFINITY;
    worker.once('listening', () => {
      servesSince = performance.now();
    });
    const hasServedLong = () => performance.now() - servesSince > longServiceMs;
    worker.once('exit', (code, signal) => {
      const reason = `worker ${worker.process.pid} ended (${signal ?? `code ${code}`})`;
      this.#ended(worker, { reason, hasServedLong: hasServedLong() });
    });
    worker.on('error', ({ message }) => {
      // With a process id, only the channel to it is broken, and it ends by itself.
      if (worker.process.pid === undefined)
        this.#ended(worker, { reason: `a worker could not be started (${message})`, hasServedLong: false });
    });
    return worker;
  }

  #ended(worker: Worker, { reason, hasServedLong }: { reason: string; hasServedLong: boolean }): void {
    const isOfPool = this.#pool.delete(worker);
    const { replaced, next } = this.#replacement ?? {};
    if (this.#isStopping || (!isOfPool && worker !== next)) return;
    if (!this.#isStarted) {
      this.#started.reject(new AppError('unavailable', 'a worker could not start'));
      return;
    }
    if (isOfPool && worker === replaced && next?.isDead() === false) this.#pool.add(next);
    const isShort = this.#pool.size < this.#options.workerCount;
    this.#options.output.printMessage(`${reason}${isShort ? '; starting another' : ''}`);
    if (isShort) this.#fillLater(hasServedLong);
  }

  /** Starts the workers that the pool lacks. */
  #fill(): void {
    clearTimeout(this.#fillTimer);
    this.#fillTimer = undefined;
    while (!this.#isStopping && this.#pool.size < this.#options.workerCount) this.#pool.add(this.#fork());
  }

  #fillLater(hasServedLong: boolean): void {
    if (hasServedLong) {
      clearTimeout(this.#fillTimer);
      this.#pauseMs = restartPauseMs;
    } else if (this.#fillTimer !== undefined) return;
    this.#fillTimer = setTimeout(() => this.#fill(), this.#pauseMs);
    if (!hasServedLong) this.#pauseMs = Math.min(2 * this.#pauseMs, maxRestartPauseMs);
  }

  /** Replaces the workers one at a time. A signal during that replaces all of them again. */
  async #replaceAll(): Promise<void> {
    if (this.#isReplacing || !this.#isStarted) return;
    this.#isReplacing = true;
    while (this.#isReplacementWanted && !this.#isStopping) {
      this.#isReplacementWanted = false;
      const workers = [...this.#pool];
      // The cause of crashes may have been fixed, so missing workers are started at once.
      this.#pauseMs = restartPauseMs;
      this.#fill();
      for (const worker of workers) if (this.#pool.has(worker) && !(await this.#replace(worker))) break;
    }
    this.#isReplacing = false;
  }

  /** Replaces a worker after the new one can serve. Resolves with false if that fails. */
  async #replace(replaced: Worker): Promise<boolean> {
    const { output, startTimeoutMs } = this.#options;
    const next = this.#fork();
    this.#replacement = { replaced, next };
    const isUp = await canServe(next, startTimeoutMs);
    this.#replacement = undefined;
    if (this.#isStopping) return false;
    if (!isUp) {
      output.printMessage(`worker ${next.process.pid} did not come up: the workers that serve go on`);
      next.process.kill('SIGKILL');
      return false;
    }
    // If the old worker has ended meanwhile, the new one is in the pool already.
    if (!this.#pool.delete(replaced)) return true;
    this.#pool.add(next);
    await end(replaced, () => replaced.send(replacedMessage, () => {}), output);
    output.printMessage(`worker ${replaced.process.pid} replaced by ${next.process.pid}`);
    return true;
  }
}

async function canServe(worker: Worker, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  worker.once('listening', () => resolve(true));
  worker.once('exit', () => resolve(false));
  worker.once('error', () => resolve(false));
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const isUp = await promise;
  clearTimeout(timer);
  return isUp;
}

/** Asks a worker to end, and kills it if it does not in time. */
function end(worker: Worker, ask: () => void, output: ServeOutput): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) {
      resolve();
      return;
    }
    const timer = setTimeout(() => {
      output.printMessage(`worker ${worker.process.pid} does not end; it is killed`);
      worker.process.kill('SIGKILL');
    }, endTimeoutMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    ask();
  });
}
