/** Collecting until a signal comes. */
import { type CollectOptions, CollectServer } from '../collect/listener/collect-server.ts';
import { LogStream } from './log-stream.ts';
import type { ServeOutput } from './serve-options.ts';

/** Options of {@link collect}. */
export interface CollectProcessOptions extends Omit<CollectOptions, 'logStream'> {
  readonly output: ServeOutput;
}

/** Takes reports until SIGTERM or SIGINT, and then answers those that have come. */
export async function collect({ output, ...options }: CollectProcessOptions): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  await using logStream = new LogStream();
  await using server = await CollectServer.start({ ...options, logStream });
  output.printResult(`listening on ${server.url}`);
  await stopped;
}
