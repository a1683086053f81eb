/** Several processes on one port: they are started, replaced when one crashes, and stopped together. */
import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../../model/app-error.ts';
import { printMessage } from '../output.ts';

/** What the supervisor of workers needs. */
export interface SupervisorOptions {
  readonly workerCount: number;
  /** Resolves when all must stop. */
  readonly stopped: Promise<void>;
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

/**
 * Runs the command of this process again in workers, until `stopped`.
 * @throws AppError `unavailable` when a worker ends before it could serve; it has printed the reason.
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<void> {
  const { workerCount, stopped, onListening } = options;
  let listeningCount = 0;
  let isStopping = false;
  const failed = Promise.withResolvers<never>();
  cluster.on('listening', (_worker, { port }) => {
    listeningCount++;
    if (listeningCount === workerCount) onListening(port);
  });
  cluster.on('exit', (worker, code, signal) => {
    if (isStopping) return;
    if (listeningCount < workerCount) {
      failed.reject(new AppError('unavailable', 'a worker could not start'));
      return;
    }
    printMessage(`worker ${worker.process.pid} ended (${signal ?? `code ${code}`}); starting another`);
    setTimeout(() => {
      if (!isStopping) cluster.fork(allocatorSettings);
    }, restartPauseMs);
  });
  for (let count = 0; count < workerCount; count++) cluster.fork(allocatorSettings);
  try {
    await Promise.race([stopped, failed.promise]);
  } finally {
    isStopping = true;
    await Promise.all(liveWorkers().map(stopWorker));
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) resolve();
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
