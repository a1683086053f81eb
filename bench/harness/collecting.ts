/** The program as a collector, and reports for it. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Reports, reportedCatalogue, reportMessages } from '../data/reports.ts';
import type { Bench } from '../question.ts';
import { type ChildOptions, runChild } from './child.ts';
import { parseWrk } from './load.ts';
import { programPath } from './machine.ts';
import { type Server, startServer } from './server.ts';
import { keptLines } from './stores.ts';

/** A file of messages with different reports, and one of the reports before them, with which a process warms up. */
export interface ReportFiles {
  readonly first: string;
  readonly others: string;
}

/** The path of a store with the plugins that reports are for, which must not be written to. */
export function keptCatalogue(bench: Bench, pluginCount: number): Promise<string> {
  return keptLines(bench, 'reported', { pluginCount }, () => reportedCatalogue(pluginCount));
}

/** Starts `collect`, by default on the core for servers. */
export function startCollect(
  bench: Bench,
  store: string,
  {
    collectArgs = [],
    ...options
  }: { readonly collectArgs?: readonly string[] } & Pick<ChildOptions, 'cores' | 'isYielding'> = {},
): Promise<Server> {
  const limits = ['--per-address', '1000000', '--max-connections-per-address', '10000'];
  const args = [bench.program, 'collect', '--store', store, '--port', '0', ...limits, ...collectArgs];
  const child = { cores: bench.cores.server, ...options, command: process.execPath, args };
  return startServer(
    bench,
    child,
    async ({ output }) => /^listening on (http:\/\/\S+)$/m.exec(output())?.[1],
  );
}

/** Sends the reports of a file, each once. Rejects if one is refused. */
export async function sendReports(
  bench: Bench,
  { url }: Pick<Server, 'url'>,
  {
    messages,
    seconds,
    connectionCount,
  }: { readonly messages: string; readonly seconds: number; readonly connectionCount: number },
): Promise<ReturnType<typeof parseWrk>> {
  const script = `${messages}.lua`;
  await writeFile(script, scriptText(messages));
  const { output } = await runChild(bench, {
    command: programPath('wrk'),
    args: ['-t1', `-c${connectionCount}`, `-d${seconds}s`, '-s', script, url],
    cores: bench.cores.load,
  });
  return parseWrk(output, false);
}

/** Writes reports to files, of which the first has so many. */
export async function writeReports(
  bench: Bench,
  description: Reports,
  firstCount: number,
): Promise<ReportFiles> {
  const path = (part: string) => join(bench.folder, `${description.name}-${part}`);
  const write = (part: string, from: Iterable<Buffer>) =>
    pipeline(Readable.from(from), createWriteStream(path(part)));
  await write('first', reportMessages(description).take(firstCount).toArray());
  await write('others', reportMessages(description).drop(firstCount));
  return { first: path('first'), others: path('others') };
}

/** Renders a script of `wrk` that sends each message of the file once. */
function scriptText(messages: string): string {
  return `
local messages = io.open(${JSON.stringify(messages)}, "rb")
function request()
  local size = messages:read("*n")
  messages:read(1)
  return messages:read(size)
end
`;
}
