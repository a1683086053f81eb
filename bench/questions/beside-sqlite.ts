/**
 * Questions P1, P4 and P5: responses from PostgreSQL beside those from SQLite, and three nodes beside one. The database and
 * the load share a core, so responses are counted by the CPU time of `serve`.
 */
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import { type Catalogue, dataPath, exampleLine, fullLines, slots } from '../data/catalogue.ts';
import { type LoadRequest, runLoad, warmUp } from '../harness/load.ts';
import { serviceUse } from '../harness/processes.ts';
import { type Server, startServe } from '../harness/server.ts';
import { importLines, startPostgres } from '../harness/stores.ts';
import { alternate, atLeast, type Bench, type Finding, medianOf, type Question } from '../question.ts';
import { shuffledRequests, smallCache } from './not-cached.ts';

const title = 'PostgreSQL beside SQLite: default month';

/** The questions of this file. */
export const besideSqlite: readonly Question[] = [
  {
    id: 'P1',
    title: `${title}, not cached`,
    measure: async (bench) => {
      const compared = await compare(bench, shuffledRequests(fullLines(months)), smallCache);
      return [{ ...compared, what: 'identity', demand: atLeast(0.35, 0.7) }];
    },
  },
  {
    id: 'P4',
    title: `${title}, cache hit`,
    measure: async (bench) => {
      const compared = await compare(bench, [{ path: dataPath(exampleLine(months)) }], []);
      return [{ ...compared, what: 'identity', demand: atLeast(0.95, 1) }];
    },
  },
  { id: 'P5', title: 'PostgreSQL: three nodes against one', isLong: true, measure: measureNodes },
];

/** 3,000 lines with a month of history: more than fits into the small cache, and quick to import. */
const months: Catalogue = {
  name: 'months',
  pluginCount: 1500,
  linesPerPlugin: 2,
  snapshotsPerPlugin: 2,
  slotCount: slots.month,
};

async function compare(bench: Bench, requests: readonly LoadRequest[], serveArgs: readonly string[]) {
  await using postgres = await startPostgres(bench);
  const file = join(bench.folder, `months-${process.hrtime.bigint()}.db`);
  await importLines(bench, file, catalogueArchive(months));
  await using ours = await startServe(bench, await postgres.makeStore(months), { serveArgs });
  await using sqlite = await startServe(bench, file, { serveArgs });
  for (const server of [ours, sqlite]) await warmUp(bench, server, requests);
  const rounds = await alternate(bench, {
    postgres: () => costRound(bench, { nodes: [ours], requests, database: postgres.processId() }),
    sqlite: () => costRound(bench, { nodes: [sqlite], requests, database: postgres.processId() }),
  });
  const databaseMicros = medianOf(rounds.postgres, (round) => round.databaseMicros);
  return {
    unit: '/CPU s',
    ours: medianOf(rounds.postgres, ({ nodeMicros }) => 1e6 / nodeMicros),
    limit: medianOf(rounds.sqlite, ({ nodeMicros }) => 1e6 / nodeMicros),
    notes: [`the database takes another ${databaseMicros.toFixed(0)} µs of CPU for an answer`],
  } as const;
}

/**
 * Three nodes would need a core each, and the database and the load more: costs are measured, and rates derived from them.
 */
async function measureNodes(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const store = await postgres.makeStore(months);
  const requests = shuffledRequests(fullLines(months));
  const node = () => startServe(bench, store, { serveArgs: smallCache, cores: bench.cores.all });
  await using first = await node();
  await using second = await node();
  await using third = await node();
  for (const server of [first, second, third]) await warmUp(bench, server, requests);
  const database = postgres.processId();
  const { one, three } = await alternate(bench, {
    one: () => costRound(bench, { nodes: [first], requests, database }),
    three: () => costRound(bench, { nodes: [first, second, third], requests, database }),
  });
  const oneMicros = medianOf(one, ({ nodeMicros }) => nodeMicros);
  const threeMicros = medianOf(three, ({ nodeMicros }) => nodeMicros);
  const databaseMicros = medianOf(three, (round) => round.databaseMicros);
  return [
    {
      what: 'calculated, a core for each node',
      unit: '/s',
      ours: 3e6 / threeMicros,
      limit: 1e6 / oneMicros,
      demand: atLeast(2.5, 3),
      isCalculated: true,
      notes: [
        `measured on the cores ${bench.cores.all}: a request takes ${oneMicros.toFixed(0)} µs of CPU of one node, ` +
          `${threeMicros.toFixed(0)} µs of one of three, and ${databaseMicros.toFixed(0)} µs of the database; so three full ` +
          `nodes keep ${((3 * databaseMicros) / threeMicros).toFixed(1)} cores of the database busy`,
      ],
    },
  ];
}

/**
 * Sends requests to all nodes at once for one round; returns the CPU microseconds per request of the nodes and the database.
 */
async function costRound(
  bench: Bench,
  asked: {
    readonly nodes: readonly Server[];
    readonly requests: readonly LoadRequest[];
    readonly database: number;
  },
) {
  const { nodes, requests, database } = asked;
  const before = serviceUse(database).cpuSeconds;
  const rounds = await Promise.all(nodes.map((node) => runLoad(bench, node, { requests })));
  const requestCount = rounds.reduce((sum, round) => sum + round.requestCount, 0);
  const nodeSeconds = rounds.reduce((sum, round) => sum + round.requestCount / round.perCpuSecond, 0);
  const databaseSeconds = serviceUse(database).cpuSeconds - before;
  return {
    nodeMicros: (1e6 * nodeSeconds) / requestCount,
    databaseMicros: (1e6 * databaseSeconds) / requestCount,
  };
}
