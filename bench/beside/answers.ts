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
import { serviceUse } from '../harness/processes.ts';
import { Connections, type LoadRequest, loopOf, type Requests } from '../harness/requests.ts';
import { type Server, smallCache, startServe } from '../harness/server.ts';
import type { Bench } from '../question.ts';
import { catalogue, histories, wholeStore } from './data.ts';
import { cpuOfTurns, onBoth, type Part, pairOf } from './part.ts';
import type { Row, Sides } from './row.ts';

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
    requests: () => [{ path: dataPath(exampleLine(catalogue)) }],
  },
  {
    id: 'cached-gzip',
    what: 'a month in gzip, cached',
    unit,
    requests: () => [{ path: dataPath(exampleLine(catalogue)), headers: gzip }],
  },
  {
    id: 'cached-point',
    what: 'one point, cached',
    unit,
    requests: () => [{ path: dataPath(exampleLine(catalogue), '?maxElements=1') }],
  },
  {
    id: 'cached-304',
    what: 'a month that the client has, cached',
    unit,
    status: 304,
    requests: () => [{ path: dataPath(exampleLine(catalogue)) }],
  },
  {
    id: 'cached-list',
    what: 'the list of 30,000 plugins in gzip, cached',
    unit,
    requests: () => [{ path: '/api/v1/plugins', headers: gzip }],
  },
  {
    id: 'cached-picture',
    what: 'a picture of a month, cached',
    unit,
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
    requests: monthRequests,
  },
  {
    id: 'uncached-points',
    what: 'one to three points, not cached',
    unit,
    requests: pointRequests,
  },
  {
    id: 'uncached-picture',
    what: 'a picture of a month, not cached',
    unit,
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
    connectionCount: few,
    requests: () => shuffled(chartedIds(), 5).map((id) => ({ path: pagePath(id) })),
  },
  {
    id: 'uncached-search',
    what: 'a search in `/api/v2/plugins`, not cached',
    unit,
    connectionCount: few,
    requests: () =>
      manyTimes((index) => `/api/v2/plugins?q=${(index * 37) % 10_000}&limit=${1 + (index % 100)}`),
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
  { id: 'memory-hits', what: 'resident memory after cached answers', unit: ' MB' },
  { id: 'memory-misses', what: 'the same after answers not cached', unit: ' MB' },
];

/** Memory with a cache of 64 MB. */
export const memory: Part = {
  rows: memoryRows,
  prepare: async (sides) => {
    const stores = await onBoth(sides, wholeStore);
    return async (measure) => {
      const found = await onBoth(sides, (side, name) => measureMemory(side, stores[name]));
      await measure('memory-hits', async () => pairOf(found, ({ hits }) => hits / 1e6));
      await measure('memory-misses', async () => pairOf(found, ({ misses }) => misses / 1e6));
    };
  },
};

/**
 * Warm-ups of a process in CPU time, because a busy machine gives it less per second: longer before the first
 * row, when most of its code is compiled.
 */
const [firstWarmUpSeconds, laterWarmUpSeconds] = [4, 1];
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
      let warmUpSeconds = firstWarmUpSeconds;
      for (const row of rows)
        await measure(row.id, async () => {
          const pair = await alternateLoads(sides, servers, { ...row, warmUpSeconds });
          warmUpSeconds = laterWarmUpSeconds;
          return pair;
        });
    };
  };
}

/** Sends both servers the same requests in turns; returns the responses per CPU second of each. */
async function alternateLoads(
  sides: Sides<Bench>,
  servers: Sides<Server>,
  row: Pick<AnswerRow, 'requests' | 'connectionCount' | 'status'> & { readonly warmUpSeconds: number },
): Promise<Sides<number>> {
  const { warmUpSeconds, connectionCount = 64, status } = row;
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
  const warmUp = { present: 0, earlier: 0 };
  while (Math.min(warmUp.present, warmUp.earlier) < warmUpSeconds) {
    const { present, earlier } = await load(1, { seconds: warmUpTurnSeconds });
    warmUp.present += present;
    warmUp.earlier += earlier;
  }
  // The count is the same for both sides, and large enough to use every connection.
  const count = Math.max(2 * connectionCount, Math.ceil((turnSeconds * answered.earlier) / warmUp.earlier));
  return pairOf(await load(repeatCount, { count }), (seconds) => (2 * repeatCount * count) / seconds);
}

/** Adds the entity tag of its current response to a request. */
async function withTag(url: string, { path, headers = {} }: LoadRequest): Promise<LoadRequest> {
  const answer = await fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
  await answer.bytes();
  return { path, headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' } };
}

const hitCount = 40_000;

/** Measures the memory of a new server in bytes: first after hits, then after misses. */
async function measureMemory(side: Bench, store: string) {
  await using server = await startServe(side, store);
  const { url, pid } = server;
  using connections = new Connections(url, { count: 64 });
  const hitRequests = cachedRows.flatMap(({ requests }) => requests());
  await connections.send({ next: loopOf(url, hitRequests), count: hitCount });
  const hits = serviceUse(pid).memoryBytes;
  const missRequests = [...monthRequests(), ...pointRequests()];
  await connections.send({ next: loopOf(url, missRequests), count: missRequests.length });
  return { hits, misses: serviceUse(pid).memoryBytes };
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
