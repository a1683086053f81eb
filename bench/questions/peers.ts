/**
 * Question `peers`: a month of a line from this program, and from servers that could stand in its place. All
 * have the same data and the same core, and the CPU time of all their processes counts.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slotMs } from '../../catalogues/lines.ts';
import { shuffled } from '../../catalogues/random.ts';
import { startOwnServer } from '../../test/postgres/test-server.ts';
import { freePort } from '../../test/support/free-port.ts';
import { catalogueArchive } from '../data/archive.ts';
import {
  type Catalogue,
  type CatalogueLine,
  dataPath,
  exampleLine,
  fullLines,
  pointCountOf,
} from '../data/catalogue.ts';
import { lastTimestamp, linePoints, slots } from '../data/line-points.ts';
import { stayOnCores } from '../harness/machine.ts';
import { folderBytes, overHttp, overSql, type Peer, startInstalled } from '../harness/peer.ts';
import { serviceUse } from '../harness/processes.ts';
import { ask, runProgram, smallCache, startServe } from '../harness/server.ts';
import { keptArchive } from '../harness/stores.ts';
import { alternate, atLeast, type Bench, type Finding, medianOf, type Question } from '../question.ts';

/** Questions of this file. */
export const peers: readonly Question[] = [
  { id: 'peers', title: 'a month beside other servers', measure: measurePeers },
];

/** 3,000 lines with a month of points: too much for the small cache, but quick to import. */
const months: Catalogue = {
  name: 'months',
  pluginCount: 1500,
  linesPerPlugin: 2,
  piesPerPlugin: 0,
  slotCount: slots.month,
};
const lines = shuffled(fullLines(months), 6);

type Start = (bench: Bench, stack: AsyncDisposableStack) => Promise<readonly Peer[]>;

/** Half of the CPU time of the first seconds of a Node process is spent on compiling. */
const warmUpSeconds = 6;
const turnSeconds = 2;

async function measurePeers(bench: Bench): Promise<readonly Finding[]> {
  await using stack = new AsyncDisposableStack();
  const found: Peer[] = [];
  for (const start of [startOwn, startNginx, startVictoriaMetrics, startOnPostgres])
    found.push(...(await start(bench, stack)));
  const example = exampleLine(months);
  const sides: Record<string, () => Promise<readonly number[]>> = {};
  for (const { name, pids, first, load } of found) {
    const text = await first(example);
    if ((text.match(/\d+/g) ?? []).length < 2 * linePoints(example).length)
      throw new Error(`${name} did not answer with a month, but with ${text}`);
    const look = () => pids.map((pid) => serviceUse(pid).cpuSeconds);
    for (const [what, asked] of [
      ['one of 3,000 lines', lines],
      ['one line, again and again', [example]],
    ] as const) {
      await load(asked, warmUpSeconds);
      sides[`${name}: ${what}`] = async () => {
        const before = look();
        const answered = await load(asked, turnSeconds);
        return look().map((seconds, index) =>
          Number(((1e6 * (seconds - (before[index] ?? 0))) / answered).toPrecision(3)),
        );
      };
    }
  }
  const rates = Object.entries(await alternate(bench, sides)).map(([what, rounds]): Finding => {
    const micros = medianOf(rounds, (parts) => parts.reduce((sum, part) => sum + part));
    const parts = rounds[0]?.map((_, index) => medianOf(rounds, (round) => round[index] ?? 0)) ?? [];
    const notes = [`${what}: ${parts.join(' and ')} µs`];
    return { what, unit: '/CPU s', figure: 1e6 / micros, notes };
  });
  const sizes = found.flatMap(({ name, sizeBytes, importSeconds }): Finding[] => {
    const pointCount = pointCountOf(months);
    const bytes: Finding = { what: `${name}: bytes of a point`, unit: ' B', figure: sizeBytes / pointCount };
    if (importSeconds === undefined) return [bytes];
    const figure = pointCount / 1e6 / importSeconds;
    return [bytes, { what: `${name}: import`, unit: ' M points/s', figure, demand: atLeast(0.5) }];
  });
  return [...rates, ...sizes];
}

const startOwn: Start = async (bench, stack) => {
  const store = join(bench.folder, 'months.db');
  const importSeconds = await importMonths(bench, store);
  const { url, pid } = stack.use(await startServe(bench, store, { serveArgs: smallCache }));
  const sizeBytes = statSync(store).size;
  return [{ name: 'this program', sizeBytes, importSeconds, pids: [pid], ...overHttp(url, ownPath) }];
};

/** Files with the bytes that this program answers. */
const startNginx: Start = async (bench, stack) => {
  const folder = join(bench.folder, 'nginx');
  const url = `http://127.0.0.1:${await freePort()}`;
  const pathOf = ({ uid }: CatalogueLine) => `/${uid}.json`;
  mkdirSync(folder);
  for (const line of lines) writeFileSync(join(folder, pathOf(line)), monthText(line));
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `user root; daemon off; master_process off; pid ${folder}.pid; error_log stderr; events {} http {
    ${kinds.map((kind) => `${kind}_temp_path ${folder}.tmp;`).join(' ')} types { application/json json; }
    access_log off; sendfile on; tcp_nopush on; open_file_cache max=10000; keepalive_requests 1000000000;
    server { listen ${new URL(url).host}; root ${folder}; } }`;
  writeFileSync(`${folder}.conf`, config);
  const args = ['-e', 'stderr', '-c', `${folder}.conf`];
  const pid = await startInstalled(bench, stack, { path: '/usr/sbin/nginx', args, url });
  if (pid === undefined) return [];
  return [{ name: 'nginx', sizeBytes: folderBytes(folder), pids: [pid], ...overHttp(url, pathOf) }];
};

const startVictoriaMetrics: Start = async (bench, stack) => {
  const folder = join(bench.folder, 'victoria-metrics');
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=${new URL(url).host}`,
    '-retentionPeriod=100y',
  ];
  const pid = await startInstalled(bench, stack, { path: '/usr/bin/victoria-metrics', args, url });
  if (pid === undefined) return [];
  for (const line of lines) {
    const metric = { __name__: line.chartId, plugin: String(line.pluginId) };
    const [timestamps, values] = [0, 1].map((column) => linePoints(line).map((point) => point[column]));
    const body = JSON.stringify({ metric, timestamps, values });
    await fetch(`${url}/api/v1/import`, { method: 'POST', body });
  }
  for (const path of ['force_flush', 'force_merge']) await ask(`${url}/internal/${path}`);
  const selector = ({ chartId, pluginId }: CatalogueLine) =>
    encodeURIComponent(`${chartId}{plugin="${pluginId}"}`);
  const last = lastTimestamp / 1000;
  const step = slotMs / 1000;
  const span = `start=${last - (slots.month - 1) * step}&end=${last}&step=${step}`;
  const paths: Readonly<Record<string, (line: CatalogueLine, isHit: boolean) => string>> = {
    export: (line) => `/api/v1/export?match[]=${selector(line)}`,
    query_range: (line, isHit) =>
      `/api/v1/query_range?query=${selector(line)}&${span}&nocache=${isHit ? 0 : 1}`,
  };
  return Object.entries(paths).map(([way, pathOf]) => ({
    ...{ name: `VictoriaMetrics, ${way}`, sizeBytes: folderBytes(folder), pids: [pid] },
    ...overHttp(url, pathOf),
  }));
};

/** As an operator would choose them, but with little memory. Commits wait for the disk. */
const postgresSettings = ['shared_buffers=256MB', 'max_wal_size=2GB'];

/** This program with a store on PostgreSQL, and plain tables there with a BRIN index. */
const startOnPostgres: Start = async (bench, stack) => {
  const server = stack.use(await startOwnServer(postgresSettings));
  const uri = await server.emptyDatabase();
  const importSeconds = await importMonths(bench, uri);
  const run = (sql: string, values?: unknown[]) => server.run(uri, sql, values);
  await run('create table by_chart (time bigint, chart integer, value integer)');
  await run(
    `insert into by_chart select (point->>0)::bigint, chart, (point->>1)::integer
      from unnest($1::integer[], $2::json[]) as line (chart, points), json_array_elements(points) as point
      order by 2, 1`,
    [lines.map(({ uid }) => uid), lines.map(monthText)],
  );
  await run('create table by_time as select * from by_chart order by time, chart');
  for (const table of ['by_time', 'by_chart'])
    await run(`create index on ${table} using brin (chart, time) with (pages_per_range = 8)`);
  // Autovacuum would otherwise do this in the middle of a round.
  await run('vacuum (analyze)');
  await run('checkpoint');
  const postgres = server.processId();
  // New connections are its children, and stay on its core.
  stayOnCores(bench.cores.server, postgres);
  const sizeOf = async (table: string) =>
    Number((await run('select pg_total_relation_size($1) as bytes', [table]))[0]?.['bytes']);
  const { url, pid } = stack.use(await startServe(bench, uri, { serveArgs: smallCache }));
  const pids = [pid, postgres];
  const sizeBytes = await sizeOf('plugin_metrics.chunk');
  const own = { name: 'this program on PostgreSQL', sizeBytes, importSeconds, pids };
  const found: Peer[] = [{ ...own, ...overHttp(url, ownPath) }];
  for (const [table, name] of Object.entries({ by_time: 'rows by time', by_chart: 'rows by chart' })) {
    const sql = `select '[' || string_agg('[' || time || ',' || value || ']', ',' order by time) || ']' as month
      from ${table} where chart = $1 and time >= ${lastTimestamp - (slots.month - 1) * slotMs}`;
    const plain = { name: `PostgreSQL, ${name}`, sizeBytes: await sizeOf(table), pids: [postgres] };
    found.push({ ...plain, ...overSql(uri, sql) });
  }
  return found;
};

/** Imports the catalogue; returns the time that it took, the start of the program included. */
async function importMonths(bench: Bench, store: string): Promise<number> {
  const archive = await keptArchive(bench, months, () => catalogueArchive(months));
  return (await runProgram(bench, ['import', '--store', store, archive])).seconds;
}

function ownPath(line: CatalogueLine): string {
  return dataPath(line);
}

/** Renders a line as this program answers it. */
function monthText(line: CatalogueLine): string {
  return JSON.stringify(linePoints(line));
}
