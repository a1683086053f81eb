/** Question 32: the same histories in VictoriaMetrics and in a table of PostgreSQL. Each of the three has one core. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { endOf, type Histories, historiesArchive } from '../data/histories.ts';
import { tableRows, victoriaLines } from '../data/labelled-series.ts';
import { runLoad } from '../harness/load.ts';
import { serviceUse } from '../harness/processes.ts';
import { ask, runProgram, type Server, startServe } from '../harness/server.ts';
import { startPostgres } from '../harness/stores.ts';
import { startVictoriaMetrics, type VictoriaMetrics } from '../harness/victoria-metrics.ts';
import { alternate, type Bench, type Finding, medianOf, type Question } from '../question.ts';
import { smallCache } from './not-cached.ts';

/** The question of this file. */
export const besideDatabases: readonly Question[] = [
  { id: '32', title: 'a year of 20 shares by the hour', measure: measureDatabases },
];

const years: Histories = { name: 'pie-years', chartCount: 10, shareCount: 20, timeCount: 8760 };
const valueCount = years.chartCount * years.shareCount * years.timeCount;
const [from, to] = [endOf({ ...years, timeCount: 0 }), endOf(years)];
const dayMs = 24 * 60 * 60 * 1000;

/** A database with the histories. */
interface Filled {
  readonly importSeconds: number;
  readonly bytesPerValue: number;
  /** Adds up the means of a chart by day, to compare them. */
  readonly sumOfMeans: (chartId: string) => Promise<number>;
  /** Measures the CPU time of the database for the means of a chart by day. */
  readonly round: () => Promise<{ readonly cpuMs: number }>;
}

async function measureDatabases(bench: Bench): Promise<readonly Finding[]> {
  await using stack = new AsyncDisposableStack();
  const sides = {
    victoriaMetrics: await fillVictoriaMetrics(bench, stack),
    ours: await fillOurs(bench, stack),
    postgres: await fillPostgres(bench, stack),
  };
  const expected = await sides.ours.sumOfMeans('pie3');
  for (const [name, { sumOfMeans }] of Object.entries(sides)) {
    const found = await sumOfMeans('pie3');
    if (!(Math.abs(found / expected - 1) < 1e-9))
      throw new Error(`the means of ${name} add up to ${found}, and ours to ${expected}`);
  }
  // Warm up before measuring.
  for (const { round } of Object.values(sides)) await round();
  const rounds = await alternate(bench, {
    ours: sides.ours.round,
    victoriaMetrics: sides.victoriaMetrics.round,
    postgres: sides.postgres.round,
  });
  const cpuMs = (name: keyof typeof sides) => medianOf(rounds[name], (round) => round.cpuMs);
  const beside = (name: 'victoriaMetrics' | 'postgres', words: string): readonly Finding[] => [
    {
      what: `${words}: CPU time of the means by day, not cached`,
      unit: ' ms',
      ours: cpuMs('ours'),
      limit: cpuMs(name),
    },
    {
      what: `${words}: bytes per value on disk`,
      unit: ' B',
      ours: sides.ours.bytesPerValue,
      limit: sides[name].bytesPerValue,
    },
    {
      what: `${words}: import of 10 charts`,
      unit: ' s',
      ours: sides.ours.importSeconds,
      limit: sides[name].importSeconds,
    },
  ];
  return [
    ...beside('victoriaMetrics', 'beside VictoriaMetrics'),
    ...beside('postgres', 'beside PostgreSQL with a BRIN index'),
  ];
}

async function fillOurs(bench: Bench, stack: AsyncDisposableStack): Promise<Filled> {
  const store = join(bench.folder, 'beside-databases.db');
  const lines = [...historiesArchive(years)];
  const options = { input: lines, cores: bench.cores.server };
  const importSeconds = await secondsOf(() => runProgram(bench, ['import', '--store', store, '-'], options));
  using db = new DatabaseSync(store, { readOnly: true });
  const size = db.prepare("select sum(pgsize) as bytes from dbstat where name = 'history'").get();
  const server = stack.use(await startServe(bench, store, { serveArgs: smallCache }));
  const pathOf = (chartId: string, end: number) =>
    `/api/v2/series?charts=1:${chartId}&from=${from}&to=${end}&step=1d`;
  return {
    importSeconds,
    bytesPerValue: Number(size?.['bytes']) / valueCount,
    sumOfMeans: async (chartId) => {
      const { series } = (await askJson(server.url + pathOf(chartId, to))) as OurAnswer;
      return sumOf(series.flatMap(({ values }) => values));
    },
    round: () => loadRound(bench, server, pathOf),
  };
}

interface OurAnswer {
  readonly series: readonly { readonly values: readonly number[] }[];
}

async function fillVictoriaMetrics(bench: Bench, stack: AsyncDisposableStack): Promise<Filled> {
  const database: VictoriaMetrics = stack.use(await startVictoriaMetrics(bench));
  const lines = [...victoriaLines(years)];
  const importSeconds = await secondsOf(() => database.importLines(lines));
  // Its steps end at a time, which belongs to them.
  const pathOf = (chartId: string, end: number) => {
    const query = encodeURIComponent(`avg_over_time(share{chart="${chartId}"}[1d])`);
    const [first, last] = [from + dayMs - 1, end - 1].map((time) => time / 1000);
    return `/api/v1/query_range?query=${query}&start=${first}&end=${last}&step=1d&nocache=1`;
  };
  return {
    importSeconds,
    bytesPerValue: (await database.sizeBytes()) / valueCount,
    sumOfMeans: async (chartId) => {
      const { data } = (await askJson(database.url + pathOf(chartId, to))) as VictoriaAnswer;
      return sumOf(data.result.flatMap(({ values }) => values.map(([, mean]) => Number(mean))));
    },
    round: () => loadRound(bench, database, pathOf),
  };
}

interface VictoriaAnswer {
  readonly data: {
    readonly result: readonly { readonly values: readonly (readonly [number, string])[] }[];
  };
}

/** Requests the means of one chart after the other. The ends differ, so that no answer is made once for all. */
async function loadRound(bench: Bench, server: Server, pathOf: (chartId: string, end: number) => string) {
  const requests = Array.from({ length: 2000 }, (_, index) => ({
    path: pathOf(`pie${index % years.chartCount}`, to + index),
  }));
  const { perCpuSecond } = await runLoad(bench, server, { requests, connectionCount: 8 });
  return { cpuMs: 1000 / perCpuSecond };
}

const meansByDay = `
  select date_trunc('day', at, 'UTC') as day, name, avg(value) as mean from share
  where chart = $1 and at >= $2 and at < $3
  group by 1, 2 order by 2, 1`;

async function fillPostgres(bench: Bench, stack: AsyncDisposableStack): Promise<Filled> {
  const postgres = stack.use(await startPostgres(bench));
  const uri = await postgres.emptyDatabase();
  // The server may run as another user, who cannot read the folder of this run.
  const folder = await mkdtemp(join(tmpdir(), 'plugin-metrics-bench-copy-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const file = join(folder, 'share.txt');
  await writeFile(file, tableRows(years));
  await postgres.run(
    uri,
    'create table share (chart text not null, at timestamptz not null, name text not null, value double precision not null)',
  );
  const importSeconds = await secondsOf(async () => {
    await postgres.run(uri, `copy share from '${file}'`);
    await postgres.run(uri, 'create index on share using brin (chart, at)');
  });
  await postgres.run(uri, 'vacuum (analyze) share');
  const [size] = await postgres.run(uri, "select pg_total_relation_size('share') as bytes");
  const client = new pg.Client({ connectionString: uri, ssl: false });
  await client.connect();
  stack.defer(() => client.end());
  // Processes of their own would have ended before their CPU time is read.
  await client.query('set max_parallel_workers_per_gather = 0');
  const means = async (chartId: string) =>
    (await client.query<{ mean: number }>(meansByDay, [chartId, new Date(from), new Date(to)])).rows;
  return {
    importSeconds,
    bytesPerValue: Number(size?.['bytes']) / valueCount,
    sumOfMeans: async (chartId) => sumOf((await means(chartId)).map(({ mean }) => mean)),
    round: async () => {
      const before = serviceUse(postgres.processId()).cpuSeconds;
      const count = 10;
      for (let index = 0; index < count; index++) await means(`pie${index % years.chartCount}`);
      return { cpuMs: ((serviceUse(postgres.processId()).cpuSeconds - before) * 1000) / count };
    },
  };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

async function askJson(url: string): Promise<unknown> {
  return JSON.parse((await ask(url)).bytes.toString());
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
