/** Collecting until a signal comes. */
import { type CollectOptions, CollectServer } from '../collect/listener/collect-server.ts';
import { type AdminOptions, startAdmin } from './admin.ts';
import { LogStream } from './log-stream.ts';
import type { ServeOutput } from './serve-options.ts';

/** Options of {@link collect}. */
export interface CollectProcessOptions
  extends Omit<CollectOptions, 'logStream'>,
    Pick<AdminOptions, 'version' | 'adminHost' | 'adminPort'> {
  readonly output: ServeOutput;
}

/** Takes reports until SIGTERM or SIGINT, and then answers those that have come. */
export async function collect({ output, ...options }: CollectProcessOptions): Promise<void> {
  const state: { isStopping: boolean; server?: CollectServer } = { isStopping: false };
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        state.isStopping = true;
        resolve();
      });
  });
  await using logStream = new LogStream();
  await using admin = await startAdmin({
    ...options,
    logStream,
    workerCount: 1,
    reader: () => state.server?.reader,
    findReason() {
      if (state.isStopping) return 'the server is stopping';
      const { isWriting = true, failingSlot } = state.server ?? {};
      if (!isWriting) return 'the reports cannot be written';
      return failingSlot === undefined
        ? undefined
        : `the slot of ${new Date(failingSlot).toISOString()} cannot be closed`;
    },
  });
  await using server = await CollectServer.start({ ...options, logStream });
  state.server = server;
  output.printResult(`listening on ${server.url}`, ...(admin === undefined ? [] : [`admin on ${admin.url}`]));
  await stopped;
}
