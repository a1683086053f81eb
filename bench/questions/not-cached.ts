/** Questions 6 to 8: cache misses, with far more charts than fit into the cache. */
import {
  type Catalogue,
  type CatalogueLine,
  dataPath,
  ecosystem,
  fullLines,
  monthLong,
  tenYearsLong,
  yearLong,
} from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { type LoadRequest, loadText, runLoad, warmUp } from '../harness/load.ts';
import { ask, startServe } from '../harness/server.ts';
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

/** The smallest cache of `serve`: room for a few dozen default months, or a few hundred single points. */
export const smallCache = ['--cache-mb', '1'];

/** The number of plugins in the small catalogues, so that only their size differs. */
const flatLineCount = 1000;

interface Row {
  readonly id: string;
  readonly title: string;
  readonly coding: 'identity' | 'gzip';
  readonly query?: string;
  readonly demand: Demand;
}

const month = 'default month, not cached (20,000 charts)';
const point = { title: '`maxElements=1`, not cached (20,000 charts)', query: '?maxElements=1' };

const rows: readonly Row[] = [
  { id: '6', title: month, coding: 'identity', demand: atLeast(8000, 12_000) },
  { id: '6b', title: month, coding: 'gzip', demand: atLeast(3500, 6000) },
  { id: '6c', ...point, coding: 'identity', demand: atLeast(28_000, 40_000) },
];

/** The questions of this file. */
export const notCached: readonly Question[] = [
  ...rows.map((row) => ({
    id: row.id,
    title: row.title,
    measure: async (bench: Bench) => [await measureRow(bench, row)],
  })),
  { id: '7', title: 'default month, not cached: slowest against fastest', measure: measureFlat },
  { id: '8', title: 'two workers on two cores against one on one', measure: measureWorkers },
];

/** Requests the data of each line, in random order. */
export function shuffledRequests(
  lines: readonly CatalogueLine[],
  { query, coding = 'identity' }: { readonly query?: string; readonly coding?: string } = {},
): LoadRequest[] {
  const headers = { 'accept-encoding': coding };
  return shuffled(lines, 6).map((line) => ({ path: dataPath(line, query), headers }));
}

async function measureRow(bench: Bench, row: Row): Promise<Finding> {
  const requests = shuffledRequests(fullLines(ecosystem), row);
  const store = await keptStore(bench, ecosystem);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  await checkAnswers(server.url, requests, row.query === undefined ? 1400 : 1);
  await warmUp(bench, server, requests);
  const { ours } = await alternate(bench, { ours: () => runLoad(bench, server, { requests }) });
  const perSecond = medianOf(ours, (round) => round.perSecond);
  const { coding: what, demand } = row;
  return { what, unit: '/s', ours: perSecond, demand, notes: [loadText(ours)] };
}

/** Compares catalogues and histories of several sizes, none of which should slow the server down. */
async function measureFlat(bench: Bench): Promise<readonly Finding[]> {
  await using stack = new AsyncDisposableStack();
  const side = async (catalogue: Catalogue) => {
    const store = await keptStore(bench, catalogue);
    const server = stack.use(await startServe(bench, store, { serveArgs: smallCache }));
    const requests = shuffledRequests(shuffled(fullLines(catalogue), 7).slice(0, flatLineCount));
    await checkAnswers(server.url, requests, 1400);
    await warmUp(bench, server, requests);
    return () => runLoad(bench, server, { requests });
  };
  const rounds = await alternate(bench, {
    month: await side(monthLong),
    year: await side(yearLong),
    tenYears: await side(tenYearsLong),
    ecosystem: await side(ecosystem),
  });
  const finding = (what: string, names: readonly (keyof typeof rounds)[]): Finding => {
    const rates = names.map((name) => medianOf(rounds[name], ({ perSecond }) => perSecond));
    const [ours, limit] = [Math.min(...rates), Math.max(...rates)];
    return { what, unit: '/s', ours, limit, demand: atLeast(1 / 1.3, 1) };
  };
  return [
    finding('1 month, 1 year, 10 years of history', ['month', 'year', 'tenYears']),
    finding('100 and 30,000 plugins', ['month', 'ecosystem']),
  ];
}

/**
 * Compares two workers with one, on cache misses, for which the server is busier than the load. Rates are per CPU second of
 * all server processes, scaled to one and to two full cores: on two cores the load uses part of the second one.
 */
async function measureWorkers(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, ecosystem);
  const requests = shuffledRequests(fullLines(ecosystem));
  const { server, second } = bench.cores;
  const workers = (count: string) => [...smallCache, '--workers', count];
  await using one = await startServe(bench, store, { serveArgs: workers('1') });
  await using two = await startServe(bench, store, { serveArgs: workers('2'), cores: `${server},${second}` });
  await warmUp(bench, one, requests);
  await warmUp(bench, two, requests);
  const rounds = await alternate(bench, {
    one: () => runLoad(bench, one, { requests }),
    two: () => runLoad(bench, two, { requests }),
  });
  const limit = medianOf(rounds.one, ({ perCpuSecond }) => perCpuSecond);
  const ours = 2 * medianOf(rounds.two, ({ perCpuSecond }) => perCpuSecond);
  const notes = [`by the clock, one: ${loadText(rounds.one)}; two: ${loadText(rounds.two)}`];
  return [{ what: 'default month, not cached', unit: '/s', ours, limit, demand: atLeast(1.7, 2), notes }];
}

/** Rejects unless the first few responses have this many points. */
async function checkAnswers(
  url: string,
  requests: readonly LoadRequest[],
  leastCount: number,
): Promise<void> {
  for (const { path } of requests.slice(0, 20)) {
    const points: unknown = JSON.parse((await ask(url + path)).bytes.toString());
    if (Array.isArray(points) && points.length >= leastCount) continue;
    throw new Error(`${path} does not have ${leastCount} points`);
  }
}
