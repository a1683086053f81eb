/**
 * Questions P1 to P3 and K2: answers from PostgreSQL beside those from SQLite, an import, bytes on disk, and reports that two collectors
 * share.
 */
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import { type Catalogue, fullLines, pointCountOf, slots } from '../data/catalogue.ts';
import { reportedCatalogue, reportMessages } from '../data/reports.ts';
import { connectReporters, sendReports, startCollect } from '../harness/collecting.ts';
import { runLoad, shuffledRequests, smallCache, warmUp } from '../harness/load.ts';
import { serviceUse } from '../harness/processes.ts';
import { runProgram, type Server, startServe } from '../harness/server.ts';
import { importLines, keptArchive, startPostgres } from '../harness/stores.ts';
import {
  alternate,
  atLeast,
  atMost,
  type Bench,
  type Finding,
  medianOf,
  type Question,
} from '../question.ts';

/** The questions of this file. */
export const onPostgres: readonly Question[] = [
  { id: 'P1', title: 'PostgreSQL beside SQLite: default month, not cached', measure: measureMisses },
  {
    id: 'P2',
    title: 'PostgreSQL: import of an archive into a new store',
    isLong: true,
    measure: measureImport,
  },
  { id: 'P3', title: 'PostgreSQL: bytes per point on busy lines', measure: measureBytes },
  {
    id: 'K2',
    title: 'reports a second of CPU time, two collectors on one PostgreSQL database, 50 connections to each',
    measure: measureReports,
  },
];

/** 3,000 lines with a month of history: more than fits into the small cache, and quick to import. */
const months: Catalogue = {
  name: 'months',
  pluginCount: 1500,
  linesPerPlugin: 2,
  snapshotsPerPlugin: 2,
  slotCount: slots.month,
};

/** Counts answers by the CPU time of `serve`: the database and the load share a core. */
async function measureMisses(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const file = join(bench.folder, 'months.db');
  await importLines(bench, file, catalogueArchive(months));
  await using ours = await startServe(bench, await postgres.makeStore(months), { serveArgs: smallCache });
  await using sqlite = await startServe(bench, file, { serveArgs: smallCache });
  const requests = shuffledRequests(fullLines(months));
  for (const server of [ours, sqlite]) await warmUp(bench, server, requests);
  const rounds = await alternate(bench, {
    postgres: async () => {
      const before = serviceUse(postgres.processId()).cpuSeconds;
      const round = await runLoad(bench, ours, { requests });
      const databaseSeconds = serviceUse(postgres.processId()).cpuSeconds - before;
      return { ...round, databaseMicros: (1e6 * databaseSeconds) / round.requestCount };
    },
    sqlite: async () => ({ ...(await runLoad(bench, sqlite, { requests })), databaseMicros: 0 }),
  });
  const databaseMicros = medianOf(rounds.postgres, (round) => round.databaseMicros);
  return [
    {
      what: 'identity',
      unit: '/CPU s',
      ours: medianOf(rounds.postgres, ({ perCpuSecond }) => perCpuSecond),
      limit: medianOf(rounds.sqlite, ({ perCpuSecond }) => perCpuSecond),
      demand: atLeast(0.35),
      notes: [`the database takes another ${databaseMicros.toFixed(0)} µs of CPU for an answer`],
    },
  ];
}

/** 2.1 million points. */
const transferred: Catalogue = {
  name: 'small-transfer',
  pluginCount: 12,
  linesPerPlugin: 10,
  snapshotsPerPlugin: 2,
  slotCount: slots.year,
};

async function measureImport(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const archive = await keptArchive(bench, transferred, () => catalogueArchive(transferred));
  const importOnce = async () => {
    const args = ['import', '--store', await postgres.emptyDatabase(), archive];
    return pointCountOf(transferred) / 1e6 / (await runProgram(bench, args)).seconds;
  };
  const { ours } = await alternate(bench, { ours: importOnce }, bench.isQuick ? 1 : 3);
  const what = 'start of the program included';
  const notes = ['2.1 million points; the database has one core, and waits for its disk (`fsync` is on)'];
  return [{ what, unit: ' M points/s', ours: medianOf(ours, Number), demand: atLeast(0.5), notes }];
}

/** Lines that are busy, each with a year of history. */
const busy: Catalogue = {
  name: 'only-busy',
  kind: 'busy',
  pluginCount: 50,
  linesPerPlugin: 3,
  snapshotsPerPlugin: 0,
  slotCount: slots.year,
};

async function measureBytes(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const uri = await postgres.makeStore(busy);
  const finding = async (what: string, size: string): Promise<Finding> => {
    const [row] = await postgres.run(uri, `select ${size}('plugin_metrics.chunk') as bytes`);
    const ours = Number(row?.['bytes']) / pointCountOf(busy);
    return { what, unit: ' B', ours, demand: atMost(1.6) };
  };
  return [
    await finding('the table', 'pg_table_size'),
    await finding('the table and its key', 'pg_total_relation_size'),
  ];
}

const reports = { pluginCount: 300, reportCount: 40_000 };

/** Reports before those that are measured: a process compiles its code while it works. */
const warmUpCount = 30_000;

async function measureReports(bench: Bench): Promise<readonly Finding[]> {
  // Servers of the second collector are others.
  const messages = [0, 1_000_000].map((firstServer) => [...reportMessages({ ...reports, firstServer })]);
  const { shared } = await alternate(bench, { shared: () => shareReports(bench, messages) });
  const microseconds = Math.round(medianOf(shared, ({ microsecondsPerReport }) => microsecondsPerReport));
  return [
    {
      what: 'reports',
      unit: '/CPU s',
      ours: medianOf(shared, ({ perCpuSecond }) => perCpuSecond),
      demand: atLeast(3000),
      notes: [`${microseconds} µs of CPU time of PostgreSQL for a report`],
    },
  ];
}

/** Sends reports to two collectors that share a new database. */
async function shareReports(bench: Bench, messages: readonly (readonly Uint8Array[])[]) {
  await using postgres = await startPostgres(bench);
  const store = await postgres.emptyDatabase();
  await importLines(bench, store, reportedCatalogue(reports.pluginCount));
  await using stack = new AsyncDisposableStack();
  const collectors: Server[] = [];
  for (const _ of messages) collectors.push(stack.use(await startCollect(bench, store)));
  const reporters = collectors.map((server) => stack.use(connectReporters(server)));
  const sendAll = (from: number, to: number) =>
    Promise.all(
      reporters.map((connections, index) => sendReports(connections, messages[index]?.slice(from, to) ?? [])),
    );
  const cpuSeconds = () => collectors.reduce((sum, { pid }) => sum + serviceUse(pid).cpuSeconds, 0);
  await sendAll(0, warmUpCount);
  const before = { own: cpuSeconds(), database: serviceUse(postgres.processId()).cpuSeconds };
  await sendAll(warmUpCount, reports.reportCount);
  const sentCount = collectors.length * (reports.reportCount - warmUpCount);
  const databaseSeconds = serviceUse(postgres.processId()).cpuSeconds - before.database;
  return {
    perCpuSecond: sentCount / (cpuSeconds() - before.own),
    microsecondsPerReport: (databaseSeconds * 1e6) / sentCount,
  };
}
