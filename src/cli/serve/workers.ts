/** Several processes on one port: they are started, replaced when one crashes or on SIGHUP, and stopped together. */
import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../../model/app-error.ts';
import { printMessage } from '../output.ts';

/** What the supervisor of workers needs. */
export interface SupervisorOptions {
  readonly workerCount: number;
  /** How long a worker may take until it can serve. */
  readonly startTimeoutMs: number;
  /** Resolves when all must stop. */
  readonly stopped: Promise<unknown>;
  /** Called once, when every worker can serve. */
  readonly onListening: (port: number) => void;
}

/**
 * glibc reads these once, when a process starts. Without them it gives every thread of the pool a heap of its own, and
 * keeps the memory that large responses have freed (docs/performance.md has the figures).
 */
const allocatorSettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '524288' };

/** The pause before a crashed worker is replaced: one that crashes at its start must not be restarted in a tight loop. */
const restartPauseMs = 500;

/** A worker ends within 13 seconds unless its event loop is blocked. */
const endTimeoutMs = 14_000;

/** The message to a worker whose place another one has taken. */
const replacedMessage = { kind: 'replaced' } as const;

/** Calls back when another worker has taken the place of this one. What a terminal sends to all processes is ignored. */
export function onReplaced(callback: () => void): void {
  process.on('SIGHUP', () => {});
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'kind' in message)
      if (message.kind === replacedMessage.kind) callback();
  });
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
  /** Those whose end is no crash. */
  readonly #leaving = new Set<Worker>();
  readonly #started = Promise.withResolvers<void>();
  #isStarted = false;
  #isStopping = false;
  #isReplacing = false;
  #isReplacementWanted = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    cluster.on('exit', (worker, code, signal) => this.#ended(worker, signal ?? `code ${code}`));
    process.on('SIGHUP', () => {
      this.#isReplacementWanted = true;
      void this.#replaceAll();
    });
  }

  /** Resolves when every worker can serve, or when all must stop. */
  async start(): Promise<void> {
    const { workerCount, onListening, stopped } = this.#options;
    const workers = Array.from({ length: workerCount }, () => cluster.fork(allocatorSettings));
    let port = 0;
    cluster.once('listening', (_worker, address) => {
      port = address.port;
    });
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
    this.#isStopping = true;
    await Promise.all(this.#workers().map((worker) => end(worker, () => worker.process.kill('SIGTERM'))));
  }

  #ended(worker: Worker, reason: string): void {
    if (this.#isStopping || this.#leaving.delete(worker)) return;
    if (!this.#isStarted) {
      this.#started.reject(new AppError('unavailable', 'a worker could not start'));
      return;
    }
    const another = this.#isShort() ? '; starting another' : '';
    printMessage(`worker ${worker.process.pid} ended (${reason})${another}`);
    setTimeout(() => {
      if (!this.#isStopping && this.#isShort()) cluster.fork(allocatorSettings);
    }, restartPauseMs);
  }

  /** One at a time; a signal that comes meanwhile replaces all once more. */
  async #replaceAll(): Promise<void> {
    if (this.#isReplacing || !this.#isStarted) return;
    this.#isReplacing = true;
    while (this.#isReplacementWanted && !this.#isStopping) {
      this.#isReplacementWanted = false;
      // One that has crashed meanwhile has been replaced already.
      for (const worker of this.#workers()) if (!worker.isDead() && !(await this.#replace(worker))) break;
    }
    this.#isReplacing = false;
  }

  /** Gives whether it could be done. A worker goes only when another one can serve. */
  async #replace(worker: Worker): Promise<boolean> {
    const next = cluster.fork(allocatorSettings);
    const isUp = await canServe(next, this.#options.startTimeoutMs);
    if (this.#isStopping) return false;
    if (!isUp) {
      printMessage(`worker ${next.process.pid} did not come up: the workers that serve go on`);
      next.process.kill('SIGKILL');
      return false;
    }
    this.#leaving.add(worker);
    await end(worker, () => worker.send(replacedMessage));
    printMessage(`worker ${worker.process.pid} replaced by ${next.process.pid}`);
    return true;
  }

  #isShort(): boolean {
    const staying = this.#workers().filter((worker) => !this.#leaving.has(worker));
    return staying.length < this.#options.workerCount;
  }

  #workers(): Worker[] {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    return workers.filter((worker) => !worker.isDead());
  }
}

async function canServe(worker: Worker, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  worker.once('listening', () => resolve(true));
  worker.once('exit', () => resolve(false));
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const isUp = await promise;
  clearTimeout(timer);
  return isUp;
}

/** Asks a worker to end and waits until it has. One that does not is killed. */
function end(worker: Worker, ask: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) {
      resolve();
      return;
    }
    const timer = setTimeout(() => {
      printMessage(`worker ${worker.process.pid} does not end; it is killed`);
      worker.process.kill('SIGKILL');
    }, endTimeoutMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    ask();
  });
}
