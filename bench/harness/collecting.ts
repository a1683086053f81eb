/** The program as a collector, and reports for it. */
import { reportedCatalogue } from '../data/reports.ts';
import type { Bench } from '../question.ts';
import { Connections } from './requests.ts';
import { type Server, startListening } from './server.ts';
import { keptLines } from './stores.ts';

/** The path of a store with the plugins that reports are for, which must not be written to. */
export function keptCatalogue(bench: Bench, pluginCount: number): Promise<string> {
  return keptLines(bench, 'reported', { pluginCount }, () => reportedCatalogue(pluginCount));
}

/** Starts `collect` on the core for servers. */
export function startCollect(
  bench: Bench,
  store: string,
  collectArgs: readonly string[] = [],
): Promise<Server> {
  const limits = ['--per-address', '1000000', '--max-connections-per-address', '10000'];
  return startListening(bench, ['collect', '--store', store, '--port', '0', ...limits, ...collectArgs]);
}

/** Opens connections for reports, which must be accepted. */
export function connectReporters({ url }: Server): Connections {
  return new Connections(url, { count: 50, status: 202 });
}

/** Sends each of the reports once. Rejects if one is refused. */
export async function sendReports(connections: Connections, messages: readonly Uint8Array[]): Promise<void> {
  let at = 0;
  await connections.send({ next: () => messages[at++] ?? Buffer.of(), count: messages.length });
}
