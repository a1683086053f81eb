/** Question K1: reports of running plugins, taken by `collect`. */
import { createWriteStream } from 'node:fs';
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Reports, reportedCatalogue, reportMessages } from '../data/reports.ts';
import { runChild } from '../harness/child.ts';
import { parseWrk } from '../harness/load.ts';
import { programPath } from '../harness/machine.ts';
import { serviceUse } from '../harness/processes.ts';
import { type Server, startServer } from '../harness/server.ts';
import { keptLines } from '../harness/stores.ts';
import {
  alternate,
  atLeast,
  atMost,
  type Bench,
  type Finding,
  medianOf,
  type Question,
} from '../question.ts';

const reports = { pluginCount: 300, reportCount: 240_000 };

/** Reports before those that are measured: a process compiles its code while it works. */
const warmUpCount = 60_000;
const keptAlive: Reports = { ...reports, name: 'reports-kept-alive', isKeptAlive: true };
const closed: Reports = { ...reports, name: 'reports-closed', isKeptAlive: false };

const connectionCount = 50;

/** The question of this file. */
export const collecting: readonly Question[] = [
  {
    id: 'K1',
    title: 'reports a second of CPU time, gzip, 50 connections, answered from the disk',
    measure: measureRates,
  },
];

interface Round {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly bytesPerReport: number;
}

async function measureRates(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptLines(bench, 'reported', { pluginCount: reports.pluginCount }, () =>
    reportedCatalogue(reports.pluginCount),
  );
  const files = {
    keptAlive: await writeReports(bench, keptAlive),
    closed: await writeReports(bench, closed),
  };
  const rounds = await alternate(bench, {
    keptAlive: () => runRound(bench, store, files.keptAlive),
    closed: () => runRound(bench, store, files.closed),
  });
  const rate = (name: keyof typeof rounds) => medianOf(rounds[name], ({ perCpuSecond }) => perCpuSecond);
  const byClock = (name: keyof typeof rounds) =>
    `${Math.round(medianOf(rounds[name], ({ perSecond }) => perSecond)).toLocaleString('en')} a second by the clock`;
  return [
    {
      what: 'reports, connections kept alive',
      unit: '/CPU s',
      ours: rate('keptAlive'),
      demand: atLeast(5000, 15_000),
      notes: [byClock('keptAlive')],
    },
    {
      what: 'reports, a new connection for each',
      unit: '/CPU s',
      ours: rate('closed'),
      demand: atLeast(3000, 6000),
      notes: [byClock('closed')],
    },
    {
      what: 'bytes of the open slot for a report with fifteen charts',
      unit: ' B',
      ours: medianOf(rounds.keptAlive, ({ bytesPerReport }) => bytesPerReport),
      demand: atMost(200, 80),
    },
  ];
}

/** Sends reports to a collector that has just started, with a store of its own. */
async function runRound(bench: Bench, kept: string, messages: ReportFiles): Promise<Round> {
  const store = join(bench.folder, `reported-${process.hrtime.bigint()}.db`);
  await copyFile(kept, store);
  const seconds = bench.isQuick ? 2 : 6;
  let [requestCount, keptCount] = [0, 0];
  let figures: Pick<Round, 'perSecond' | 'perCpuSecond'>;
  {
    await using server = await startCollect(bench, store);
    const warmUp = await sendReports(bench, server, { messages: messages.first, seconds: 3 });
    const before = serviceUse(server.pid).cpuSeconds;
    const counts = await sendReports(bench, server, { messages: messages.others, seconds });
    requestCount = counts.requestCount;
    keptCount = warmUp.requestCount + requestCount;
    const cpuSeconds = serviceUse(server.pid).cpuSeconds - before;
    figures = { perSecond: counts.perSecond, perCpuSecond: requestCount / cpuSeconds };
  }
  return { ...figures, bytesPerReport: (await stat(`${store}-reports`)).size / keptCount };
}

function startCollect(bench: Bench, store: string): Promise<Server> {
  const limits = ['--per-address', '1000000', '--max-connections-per-address', '10000'];
  const args = [bench.program, 'collect', '--store', store, '--port', '0', ...limits];
  const child = { cores: bench.cores.server, command: process.execPath, args };
  return startServer(
    bench,
    child,
    async ({ output }) => /^listening on (http:\/\/\S+)$/m.exec(output())?.[1],
  );
}

async function sendReports(
  bench: Bench,
  { url }: Server,
  { messages, seconds }: { readonly messages: string; readonly seconds: number },
): Promise<ReturnType<typeof parseWrk>> {
  const script = join(bench.folder, 'reports.lua');
  await writeFile(script, scriptText(messages));
  const { output } = await runChild(bench, {
    command: programPath('wrk'),
    args: ['-t1', `-c${connectionCount}`, `-d${seconds}s`, '-s', script, url],
    cores: bench.cores.load,
  });
  return parseWrk(output, false);
}

/** Files of messages with different reports. */
interface ReportFiles {
  readonly first: string;
  readonly others: string;
}

async function writeReports(bench: Bench, description: Reports): Promise<ReportFiles> {
  const path = (part: string) => join(bench.folder, `${description.name}-${part}`);
  const messages = reportMessages(description);
  const write = (part: string, from: Iterable<Buffer>) =>
    pipeline(Readable.from(from), createWriteStream(path(part)));
  await write('first', messages.take(warmUpCount).toArray());
  await write('others', reportMessages(description).drop(warmUpCount));
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
