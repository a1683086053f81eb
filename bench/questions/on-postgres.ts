/** Questions P1 to P3: responses from PostgreSQL compared with SQLite, an import, and bytes on disk. */
import { join } from 'node:path';
import { shuffled } from '../../catalogues/random.ts';
import { catalogueArchive } from '../data/archive.ts';
import { type Catalogue, dataPath, fullLines, pointCountOf } from '../data/catalogue.ts';
import { slots } from '../data/line-points.ts';
import { serviceUse } from '../harness/processes.ts';
import { Connections, loopOf } from '../harness/requests.ts';
import { runProgram, type Server, smallCache, startServe } from '../harness/server.ts';
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

/** Questions of this file. */
export const onPostgres: readonly Question[] = [
  { id: 'P1', title: 'PostgreSQL beside SQLite: default month, not cached', measure: measureMisses },
  { id: 'P2', title: 'PostgreSQL: import of an archive into a new store', measure: measureImport },
  { id: 'P3', title: 'PostgreSQL: bytes per point on busy lines', measure: measureBytes },
];

/** 3,000 lines with a month of history: too much for the small cache, but quick to import. */
const months: Catalogue = {
  name: 'months',
  pluginCount: 1500,
  linesPerPlugin: 2,
  piesPerPlugin: 2,
  slotCount: slots.month,
};

/** Counts responses per CPU second of `serve`: the database and the load share a core. */
async function measureMisses(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const file = join(bench.folder, 'months.db');
  await importLines(bench, file, catalogueArchive(months));
  await using ours = await startServe(bench, await postgres.makeStore(months), { serveArgs: smallCache });
  await using sqlite = await startServe(bench, file, { serveArgs: smallCache });
  const requests = shuffled(fullLines(months), 6).map((line) => ({ path: dataPath(line) }));
  await using stack = new AsyncDisposableStack();
  const side = async (server: Server) => {
    const connections = stack.use(new Connections(server.url, { count: 64 }));
    const next = loopOf(server.url, requests);
    // Warm-up: half of the CPU time of the first seconds is spent on compiling, and a new store must be read
    // from the disk.
    await connections.send({ next, seconds: 8 });
    return async () => {
      const cpuSeconds = () => ({
        own: serviceUse(server.pid).cpuSeconds,
        database: serviceUse(postgres.processId()).cpuSeconds,
      });
      const before = cpuSeconds();
      const answered = await connections.send({ next, seconds: 2 });
      const after = cpuSeconds();
      return {
        perCpuSecond: answered / (after.own - before.own),
        databaseMicros: (1e6 * (after.database - before.database)) / answered,
      };
    };
  };
  const rounds = await alternate(bench, { postgres: await side(ours), sqlite: await side(sqlite) });
  const [postgresRate, sqliteRate] = [rounds.postgres, rounds.sqlite].map((side) =>
    medianOf(side, ({ perCpuSecond }) => perCpuSecond),
  ) as [number, number];
  const databaseMicros = medianOf(rounds.postgres, (round) => round.databaseMicros);
  const notes = [
    `${postgresRate.toFixed(0)} and ${sqliteRate.toFixed(0)} a second of CPU time of \`serve\`; ` +
      `the database takes another ${databaseMicros.toFixed(0)} µs for an answer`,
  ];
  const figure = postgresRate / sqliteRate;
  return [{ what: 'ratio of their rates', unit: '', figure, demand: atLeast(0.35), notes }];
}

/** 2.1 million points. */
const transferred: Catalogue = {
  name: 'small-transfer',
  pluginCount: 12,
  linesPerPlugin: 10,
  piesPerPlugin: 2,
  slotCount: slots.year,
};

async function measureImport(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const archive = await keptArchive(bench, transferred, () => catalogueArchive(transferred));
  const importOnce = async () => {
    const args = ['import', '--store', await postgres.emptyDatabase(), archive];
    return pointCountOf(transferred) / 1e6 / (await runProgram(bench, args)).seconds;
  };
  const { ours } = await alternate(bench, { ours: importOnce });
  const what = 'start of the program included';
  const notes = ['2.1 million points; the database has one core, and waits for its disk (`fsync` is on)'];
  return [{ what, unit: ' M points/s', figure: medianOf(ours, Number), demand: atLeast(0.5), notes }];
}

/** Busy lines, each with a year of history. */
const busy: Catalogue = {
  name: 'only-busy',
  kind: 'busy',
  pluginCount: 50,
  linesPerPlugin: 3,
  piesPerPlugin: 0,
  slotCount: slots.year,
};

async function measureBytes(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const uri = await postgres.makeStore(busy);
  const [row] = await postgres.run(uri, "select pg_total_relation_size('plugin_metrics.chunk') as bytes");
  const figure = Number(row?.['bytes']) / pointCountOf(busy);
  return [{ what: 'the table and its key', unit: ' B', figure, demand: atMost(1.6) }];
}
