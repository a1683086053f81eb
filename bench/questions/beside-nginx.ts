/** Questions 1 to 5: cache hits beside nginx, which serves the same bytes from a file. */
import { dataPath, ecosystem, exampleLine } from '../data/catalogue.ts';
import { loadText, runLoad, warmUp } from '../harness/load.ts';
import { startNginx } from '../harness/nginx.ts';
import { ask, type Server, startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import {
  alternate,
  atLeast,
  type Bench,
  type Demand,
  type Finding,
  medianOf,
  type Question,
} from '../question.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly coding: 'identity' | 'gzip';
  /** Path; the default month of a chart by default. */
  readonly path?: string;
  /** Query for the data of a chart. */
  readonly query?: string;
  /** Sends each server its own entity tag, for a 304. */
  readonly isConditional?: true;
  readonly demand: Demand;
}

const month = 'default month (1440 points), cache hit';
const point = { title: '`maxElements=1`, cache hit', query: '?maxElements=1' };
const list = { title: 'plugin list of 30,000 plugins, cache hit', path: '/api/v1/plugins' };
const unchanged = { title: '304 to its own entity tag', isConditional: true } as const;

const rows: readonly Row[] = [
  { id: '1', title: month, coding: 'identity', demand: atLeast(0.85) },
  { id: '2', title: month, coding: 'gzip', demand: atLeast(0.9) },
  { id: '3', ...point, coding: 'identity', demand: atLeast(0.85) },
  { id: '4', ...unchanged, coding: 'identity', demand: atLeast(0.62) },
  { id: '5', ...list, coding: 'gzip', demand: atLeast(0.7) },
];

/** One question a row. */
export const besideNginx: readonly Question[] = rows.map((row) => ({
  id: row.id,
  title: row.title,
  measure: async (bench) => [await compare(bench, row)],
}));

async function compare(bench: Bench, { coding, query, demand, ...row }: Row): Promise<Finding> {
  const path = row.path ?? dataPath(exampleLine(ecosystem), query);
  const headers = { 'accept-encoding': coding };
  await using ours = await startServe(bench, await keptStore(bench, ecosystem));
  const { bytes: plain } = await ask(ours.url + path, { 'accept-encoding': 'identity' });
  const coded = await ask(ours.url + path, headers);
  const file = { path: path.replace(/\?.*/, ''), bytes: plain };
  await using nginx = await startNginx(bench, coding === 'gzip' ? { ...file, gzipBytes: coded.bytes } : file);
  const theirs = await ask(nginx.url + path, headers);
  const isSameCoding = coded.headers['content-encoding'] === theirs.headers['content-encoding'];
  if (!isSameCoding || !coded.bytes.equals(theirs.bytes)) throw new Error('the sides send different bytes');
  bench.say(`both send the same ${coded.bytes.length.toLocaleString('en-US')} bytes`);
  const side = async (server: Server, etag: unknown) => {
    const conditional = { ...headers, 'if-none-match': String(etag) };
    if (row.isConditional) await ask(server.url + path, conditional, 304);
    const requests = [{ path, headers: row.isConditional ? conditional : headers }];
    await warmUp(bench, server, requests);
    return () => runLoad(bench, server, { requests });
  };
  const rounds = await alternate(bench, {
    ours: await side(ours, coded.headers['etag']),
    nginx: await side(nginx, theirs.headers['etag']),
  });
  return {
    what: coding,
    unit: '/CPU s',
    ours: medianOf(rounds.ours, ({ perCpuSecond }) => perCpuSecond),
    limit: medianOf(rounds.nginx, ({ perCpuSecond }) => perCpuSecond),
    demand,
    notes: [`by the clock, ours: ${loadText(rounds.ours)}; nginx: ${loadText(rounds.nginx)}`],
  };
}
