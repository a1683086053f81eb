/** Collecting until a signal comes. */
import { type CollectOptions, CollectServer } from '../collect/listener/collect-server.ts';
import type { ListenAddress } from '../model/listen-address.ts';
import type { Admin } from './admin.ts';
import { LogStream } from './log-stream.ts';
import type { ServeOutput } from './serve-options.ts';

/** Options of {@link collect}. */
export interface CollectProcessOptions extends Omit<CollectOptions, 'logStream'> {
  /** Version of the program. */
  readonly version: string;
  /** Undefined for no admin listener. */
  readonly admin: ListenAddress | undefined;
  readonly output: ServeOutput;
}

/** State of the process, for its admin pages. */
interface CollectProgress {
  isStopping: boolean;
  server?: CollectServer;
}

/** Takes reports until SIGTERM or SIGINT, and then answers those that have come. */
export async function collect({ output, ...options }: CollectProcessOptions): Promise<void> {
  const progress: CollectProgress = { isStopping: false };
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        progress.isStopping = true;
        resolve();
      });
  });
  await using logStream = new LogStream();
  await using admin = await startOwnAdmin(options, progress, logStream);
  await using server = await CollectServer.start({ ...options, logStream });
  progress.server = server;
  output.printResult(`listening on ${server.url}`, ...(admin === undefined ? [] : [`admin on ${admin.url}`]));
  await stopped;
}

/** Loads the code of the admin listener only where one is wanted. */
async function startOwnAdmin(
  { admin, version }: Pick<CollectProcessOptions, 'admin' | 'version'>,
  progress: CollectProgress,
  logStream: LogStream,
): Promise<Admin | undefined> {
  if (admin === undefined) return undefined;
  const { startAdmin } = await import('./admin.ts');
  return startAdmin({
    ...{ ...admin, version, logStream, hasWorkers: false },
    reader: () => progress.server?.reader,
    findReason() {
      if (progress.isStopping) return 'the server is stopping';
      if (progress.server?.isWriting === false) return 'the reports cannot be written';
      const slot = progress.server?.failingSlot;
      if (slot !== undefined) return `the slot of ${new Date(slot).toISOString()} cannot be closed`;
      return undefined;
    },
  });
}
