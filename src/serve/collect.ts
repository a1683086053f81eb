/** Collects until a signal comes. */
import {
  type CollectOptions,
  type CollectServer,
  startCollectServer,
} from '../collect/listener/collect-server.ts';
import { LogStream } from './log-stream.ts';
import { type AdminOptions, announce, openReader, startAdmin, stopSignal, warnOfLimit } from './process.ts';
import type { ServeOptions } from './serve-options.ts';

/** Options of {@link runCollector}. */
export interface CollectProcessOptions
  extends Omit<CollectOptions, 'logStream'>,
    Pick<AdminOptions, 'version' | 'adminHost' | 'adminPort'>,
    Pick<ServeOptions, 'output' | 'waitSeconds'> {
  /** Called once the collector listens. */
  readonly onListening: () => void;
}

/** Takes reports until SIGTERM or SIGINT, and then answers those that have arrived. */
export async function runCollector({ onListening, ...options }: CollectProcessOptions): Promise<void> {
  const stopped = stopSignal();
  await using logStream = new LogStream();
  let started: CollectServer | undefined;
  await using admin = await startAdmin({
    ...options,
    logStream,
    stopped,
    workerCount: 1,
    reader: () => started?.reader,
    findReason: () => started?.findReason(),
  });
  warnOfLimit(logStream, options);
  {
    await using reader = await openReader(options, stopped);
    if (reader === undefined) return;
  }
  await using server = await startCollectServer({ ...options, logStream });
  started = server;
  announce(options.output, server.url, admin);
  onListening();
  await stopped;
}
