/** Questions K1 to K3: reports of running plugins, taken by `collect`. */
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Reports, reportedCatalogue } from '../data/reports.ts';
import {
  keptCatalogue,
  type ReportFiles,
  sendReports,
  startCollect,
  writeReports,
} from '../harness/collecting.ts';
import { serviceUse } from '../harness/processes.ts';
import { sendSteadily } from '../harness/report-probe.ts';
import type { Server } from '../harness/server.ts';
import { importLines, startPostgres } from '../harness/stores.ts';
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

const warmUpSeconds = 3;

/** Two collectors on one core need longer. */
const sharedWarmUpSeconds = 10;

const connectionCount = 50;

/** The question of this file. */
export const collecting: readonly Question[] = [
  {
    id: 'K1',
    title: 'reports a second of CPU time, gzip, 50 connections, answered from the disk',
    measure: measureRates,
  },
  {
    id: 'K2',
    title: 'reports a second of CPU time, two collectors on one PostgreSQL database, 50 connections to each',
    measure: measureSharedRates,
  },
  { id: 'K3', title: 'a report until it is answered from the disk', measure: measureTimes },
];

interface Round {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly bytesPerReport: number;
}

async function measureRates(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptCatalogue(bench, reports.pluginCount);
  const files = {
    keptAlive: await writeReports(bench, keptAlive, warmUpCount),
    closed: await writeReports(bench, closed, warmUpCount),
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
  const store = await copyOf(bench, kept);
  const seconds = bench.isQuick ? 2 : 6;
  let [requestCount, keptCount] = [0, 0];
  let figures: Pick<Round, 'perSecond' | 'perCpuSecond'>;
  {
    await using server = await startCollect(bench, store);
    const warmUp = await sendReports(bench, server, {
      messages: messages.first,
      seconds: warmUpSeconds,
      connectionCount,
    });
    const before = serviceUse(server.pid).cpuSeconds;
    const counts = await sendReports(bench, server, {
      messages: messages.others,
      seconds,
      connectionCount,
    });
    requestCount = counts.requestCount;
    keptCount = warmUp.requestCount + requestCount;
    const cpuSeconds = serviceUse(server.pid).cpuSeconds - before;
    figures = { perSecond: counts.perSecond, perCpuSecond: requestCount / cpuSeconds };
  }
  return { ...figures, bytesPerReport: (await stat(`${store}-reports`)).size / keptCount };
}

interface SharedRound {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Of the database. */
  readonly microsecondsPerReport: number;
}

async function measureSharedRates(bench: Bench): Promise<readonly Finding[]> {
  const warmUp = { ...reports, name: 'shared', isKeptAlive: true };
  const files = [await writeReports(bench, { ...warmUp, name: 'shared-one' }, warmUpCount)];
  // Servers of the second collector are others.
  files.push(
    await writeReports(bench, { ...warmUp, name: 'shared-other', firstServer: 1_000_000 }, warmUpCount),
  );
  const { shared } = await alternate(bench, { shared: () => runSharedRound(bench, files) });
  return [
    {
      what: 'reports',
      unit: '/CPU s',
      ours: medianOf(shared, ({ perCpuSecond }) => perCpuSecond),
      demand: atLeast(3000, 8000),
      notes: [
        `${Math.round(medianOf(shared, ({ perSecond }) => perSecond)).toLocaleString('en')} a second by the clock, both on one core; ` +
          `${Math.round(medianOf(shared, ({ microsecondsPerReport }) => microsecondsPerReport))} µs of CPU time of PostgreSQL for a report`,
      ],
    },
  ];
}

/** Sends reports to two collectors that share a new database. */
async function runSharedRound(bench: Bench, files: readonly ReportFiles[]): Promise<SharedRound> {
  await using postgres = await startPostgres(bench);
  const store = await postgres.emptyDatabase();
  await importLines(bench, store, reportedCatalogue(reports.pluginCount));
  await using stack = new AsyncDisposableStack();
  const collectors: { readonly messages: ReportFiles; readonly server: Server }[] = [];
  for (const messages of files)
    collectors.push({ messages, server: stack.use(await startCollect(bench, store)) });
  const sendAll = async (part: keyof ReportFiles, seconds: number) =>
    await Promise.all(
      collectors.map(({ messages, server }) =>
        sendReports(bench, server, { messages: messages[part], seconds, connectionCount }),
      ),
    );
  await sendAll('first', sharedWarmUpSeconds);
  const cpuSeconds = () => collectors.reduce((sum, { server }) => sum + serviceUse(server.pid).cpuSeconds, 0);
  const before = { own: cpuSeconds(), database: serviceUse(postgres.processId()).cpuSeconds };
  const counts = await sendAll('others', bench.isQuick ? 2 : 6);
  const databaseSeconds = serviceUse(postgres.processId()).cpuSeconds - before.database;
  const sum = (figure: 'requestCount' | 'perSecond') => counts.reduce((total, one) => total + one[figure], 0);
  return {
    perSecond: sum('perSecond'),
    perCpuSecond: sum('requestCount') / (cpuSeconds() - before.own),
    microsecondsPerReport: (databaseSeconds * 1e6) / sum('requestCount'),
  };
}

/** Measures the largest rate of a collector, and then the times at half of it. */
async function measureTimes(bench: Bench): Promise<readonly Finding[]> {
  const kept = await keptCatalogue(bench, reports.pluginCount);
  const files = await writeReports(bench, { ...keptAlive, name: 'steady' }, warmUpCount);
  const { steady } = await alternate(bench, {
    steady: async () => {
      const store = await copyOf(bench, kept);
      await using server = await startCollect(bench, store);
      const seconds = bench.isQuick ? 3 : 8;
      const { perSecond } = await sendReports(bench, server, {
        messages: files.first,
        seconds: warmUpSeconds,
        connectionCount,
      });
      const reportsPerSecond = Math.round(perSecond / 2);
      const load = { messages: files.others, reportsPerSecond, seconds, connectionCount };
      return { reportsPerSecond, ...(await sendSteadily(bench, server, load)) };
    },
  });
  const figure = (name: keyof (typeof steady)[number]) => medianOf(steady, (round) => round[name]);
  return [
    {
      what: 'p99 at half of the largest rate',
      unit: ' ms',
      ours: figure('p99Ms'),
      demand: atMost(150, 110),
      notes: [
        `at ${figure('reportsPerSecond').toLocaleString('en')} reports a second, while a commit has the disk to wait for: ` +
          `median ${figure('medianMs').toFixed(1)} ms, longest ${figure('longestMs').toFixed(1)} ms`,
      ],
    },
  ];
}

async function copyOf(bench: Bench, kept: string): Promise<string> {
  const store = join(bench.folder, `reported-${process.hrtime.bigint()}.db`);
  await copyFile(kept, store);
  return store;
}
