/** Measures responses of `serve` per CPU second, with and without cache hits, and its memory. */
import { shuffled } from '../../catalogues/random.ts';
import { pagePath } from '../data/archive.ts';
import {
  type CatalogueLine,
  dataPath,
  exampleLine,
  fullLines,
  linesOf,
  pluginIds,
} from '../data/catalogue.ts';
import { endOf, firstTime } from '../data/histories.ts';
import { serviceUse, sharedMemoryBytes } from '../harness/processes.ts';
import { Connections, type LoadRequest, loopOf, type Requests } from '../harness/requests.ts';
import { type Server, smallCache, startServe } from '../harness/server.ts';
import type { Bench } from '../question.ts';
import { catalogue, histories, wholeStore } from './data.ts';
import { cpuOfTurns, onBoth, type Part, pairOf } from './part.ts';
import { least, most, type Row, type Sides } from './row.ts';

/** A row of responses; its requests are sent one after the other, in a loop. */
interface AnswerRow extends Row {
  readonly requests: () => readonly LoadRequest[];
  readonly connectionCount?: number;
  /** Set for conditional requests, which carry the entity tag of their response. */
  readonly status?: 304;
}

const unit = '/CPU s';
const gzip = { 'accept-encoding': 'gzip' };

/** Number of connections at which a server that renders responses one at a time refuses none. */
const few = 8;

function picturePath({ pluginId, chartId }: CatalogueLine, type = 'svg'): string {
  return `/embed/${pluginId}/${chartId}.${type}`;
}

const cachedRows: readonly AnswerRow[] = [
  {
    id: 'cached-month',
    what: 'a month, cached',
    unit,
    bound: least(0.9),
    requests: () => [{ path: dataPath(exampleLine(catalogue)) }],
  },
  {
    id: 'cached-gzip',
    what: 'a month in gzip, cached',
    unit,
    bound: least(0.9),
    requests: () => [{ path: dataPath(exampleLine(catalogue)), headers: gzip }],
  },
  {
    id: 'cached-point',
    what: 'one point, cached',
    unit,
    bound: least(0.9),
    requests: () => [{ path: dataPath(exampleLine(catalogue), '?maxElements=1') }],
  },
  {
    id: 'cached-304',
    what: 'a month that the client has, cached',
    unit,
    bound: least(0.9),
    status: 304,
    requests: () => [{ path: dataPath(exampleLine(catalogue)) }],
  },
  {
    id: 'cached-list',
    what: 'the list of 30,000 plugins in gzip, cached',
    unit,
    bound: least(0.85),
    requests: () => [{ path: '/api/v1/plugins', headers: gzip }],
  },
  {
    id: 'cached-picture',
    what: 'a picture of a month, cached',
    unit,
    bound: least(0.85),
    requests: () => [{ path: picturePath(exampleLine(catalogue)) }],
  },
];

/**
 * Each row requests far more data than the smallest cache holds, in turn, so that all requests are misses.
 */
const notCachedRows: readonly AnswerRow[] = [
  {
    id: 'uncached-month',
    what: 'a month, not cached',
    unit,
    bound: least(0.8),
    requests: monthRequests,
  },
  {
    id: 'uncached-points',
    what: 'one to three points, not cached',
    unit,
    bound: least(0.7),
    requests: pointRequests,
  },
  {
    id: 'uncached-picture',
    what: 'a picture of a month, not cached',
    unit,
    bound: least(0.75),
    connectionCount: few,
    requests: () => months().map((line) => ({ path: picturePath(line) })),
  },
  {
    id: 'uncached-png',
    what: 'the same as PNG',
    unit,
    connectionCount: 2,
    requests: () => months().map((line) => ({ path: picturePath(line, 'png') })),
  },
  {
    id: 'uncached-pie-year',
    what: 'a year of a pie by day, not cached',
    unit,
    bound: least(0.75),
    connectionCount: few,
    requests: () =>
      manyTimes((index) => {
        const chart = `${histories.pluginId}:pie${index % histories.chartCount}`;
        return `/api/v2/series?charts=${chart}&from=${firstTime}&to=${endOf(histories) + index}&step=1d`;
      }),
  },
  {
    id: 'uncached-page',
    what: 'a page of a plugin with twelve charts, not cached',
    unit,
    bound: least(0.7),
    connectionCount: few,
    requests: () => shuffled(chartedIds(), 5).map((id) => ({ path: pagePath(id) })),
  },
  {
    id: 'uncached-search',
    what: 'a search in `/api/v2/plugins`, not cached',
    unit,
    bound: least(0.5),
    connectionCount: few,
    requests: () =>
      manyTimes((index) => `/api/v2/plugins?q=${(index * 37) % 10_000}&limit=${1 + (index % 100)}`),
  },
  {
    id: 'uncached-search-page',
    what: 'a search on the first page, not cached',
    unit,
    bound: least(0.5),
    connectionCount: few,
    requests: () => manyTimes((index) => `/?q=${(index * 37) % 10_000}`),
  },
];

/** Cache hits. */
export const cached: Part = { rows: cachedRows, prepare: prepareAnswers(cachedRows, []) };

/** Cache misses. */
export const notCached: Part = {
  rows: notCachedRows,
  prepare: prepareAnswers(notCachedRows, smallCache),
};

const memoryRows: readonly Row[] = [
  { id: 'memory-hits-rss', what: 'resident memory after cached answers' },
  { id: 'memory-hits-pss', what: 'the same, shared pages by their share' },
  { id: 'memory-misses-rss', what: 'resident memory after answers not cached' },
  { id: 'memory-misses-pss', what: 'the same, shared pages by their share' },
].map((row) => ({ ...row, unit: ' MB', bound: most(1.3) }));

/** Memory with a cache of 64 MB. */
export const memory: Part = {
  rows: memoryRows,
  prepare: async (sides) => {
    const stores = await onBoth(sides, wholeStore);
    return async (measure) => {
      const looks = await onBoth(sides, (side, name) => measureMemory(side, stores[name]));
      for (const { id } of memoryRows)
        await measure(id, async () => pairOf(looks, (look) => (look[id] ?? 0) / 1e6));
    };
  },
};

/**
 * Number of warm-ups of a process, each with two turns of a quarter of a second: more before the first row,
 * when most of its code is compiled, and fewer before each further row.
 */
const [firstWarmUpCount, laterWarmUpCount] = [8, 2];
const warmUpTurnSeconds = 0.25;

/** Length of a turn in CPU time, and number of measurements, each with two turns per side. */
const turnSeconds = 0.05;
const repeatCount = 10;

function prepareAnswers(rows: readonly AnswerRow[], serveArgs: readonly string[]): Part['prepare'] {
  return async (sides) => {
    const stores = await onBoth(sides, wholeStore);
    return async (measure) => {
      await using stack = new AsyncDisposableStack();
      // Each round uses new processes, because two processes of the same build differ by up to a tenth.
      const servers = await onBoth(sides, async (side, name) =>
        stack.use(await startServe(side, stores[name], { serveArgs })),
      );
      let warmUpCount = firstWarmUpCount;
      for (const row of rows)
        await measure(row.id, async () => {
          const pair = await alternateLoads(sides, servers, { ...row, warmUpCount });
          warmUpCount = laterWarmUpCount;
          return pair;
        });
    };
  };
}

/** Sends both servers the same requests in turns; returns the responses per CPU second of each. */
export async function alternateLoads(
  sides: Sides<Bench>,
  servers: Sides<Server>,
  row: Pick<AnswerRow, 'requests' | 'connectionCount' | 'status'> & { readonly warmUpCount?: number },
): Promise<Sides<number>> {
  const { warmUpCount = firstWarmUpCount, connectionCount = 64, status } = row;
  const requests = row.requests();
  using stack = new DisposableStack();
  const loads = await onBoth(sides, async (_, name) => {
    const { url } = servers[name];
    const asked =
      status === undefined ? requests : await Promise.all(requests.map((one) => withTag(url, one)));
    const connections = new Connections(url, { count: connectionCount, ...(status && { status }) });
    return { next: loopOf(url, asked), connections: stack.use(connections) };
  });
  const answered = { present: 0, earlier: 0 };
  const load = (times: number, bounds: Pick<Requests, 'count' | 'seconds'>) =>
    cpuOfTurns(sides, servers, {
      repeatCount: times,
      turn: async (name) => {
        const { connections, next } = loads[name];
        answered[name] += await connections.send({ next, ...bounds });
      },
    });
  const { earlier } = await load(warmUpCount, { seconds: warmUpTurnSeconds });
  // The count is the same for both sides, and large enough to use every connection.
  const count = Math.max(2 * connectionCount, Math.ceil((turnSeconds * answered.earlier) / earlier));
  return pairOf(await load(repeatCount, { count }), (seconds) => (2 * repeatCount * count) / seconds);
}

/** Adds the entity tag of its current response to a request. */
async function withTag(url: string, { path, headers = {} }: LoadRequest): Promise<LoadRequest> {
  const answer = await fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
  await answer.bytes();
  return { path, headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' } };
}

const hitCount = 40_000;

/** Measures the memory of a new server, in bytes by row: first after hits, then after misses. */
async function measureMemory(side: Bench, store: string): Promise<Readonly<Record<string, number>>> {
  await using server = await startServe(side, store);
  const { url, pid } = server;
  const look = () => ({ rss: serviceUse(pid).memoryBytes, pss: sharedMemoryBytes(pid) });
  using connections = new Connections(url, { count: 64 });
  const hitRequests = cachedRows.flatMap(({ requests }) => requests());
  await connections.send({ next: loopOf(url, hitRequests), count: hitCount });
  const hits = look();
  const missRequests = [...monthRequests(), ...pointRequests()];
  await connections.send({ next: loopOf(url, missRequests), count: missRequests.length });
  const misses = look();
  return {
    'memory-hits-rss': hits.rss,
    'memory-hits-pss': hits.pss,
    'memory-misses-rss': misses.rss,
    'memory-misses-pss': misses.pss,
  };
}

/** Lines with their full history, in random order. */
function months(): readonly CatalogueLine[] {
  return shuffled(fullLines(catalogue), 6);
}

function monthRequests(): readonly LoadRequest[] {
  return months().map((line) => ({ path: dataPath(line) }));
}

function pointRequests(): readonly LoadRequest[] {
  const lines = shuffled(
    chartedIds().flatMap((id) => linesOf(catalogue, id)),
    7,
  );
  return [1, 2, 3].flatMap((count) =>
    lines.map((line) => ({ path: dataPath(line, `?maxElements=${count}`) })),
  );
}

function chartedIds(): readonly number[] {
  return pluginIds(catalogue).slice(0, catalogue.chartedPluginCount);
}

/** Makes 5,000 distinct requests. */
function manyTimes(path: (index: number) => string): readonly LoadRequest[] {
  return Array.from({ length: 5000 }, (_, index) => ({ path: path(index) }));
}
