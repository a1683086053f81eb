/** Questions 7 and 8: misses in larger catalogues and longer histories, and with more workers. */
import {
  type Catalogue,
  ecosystem,
  fullLines,
  monthLong,
  tenYearsLong,
  yearLong,
} from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { loadText, runLoad, shuffledRequests, smallCache, warmUp } from '../harness/load.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { alternate, atLeast, type Bench, type Finding, medianOf, type Question } from '../question.ts';

/** The number of plugins in the small catalogues, so that only their size differs. */
const flatLineCount = 1000;

/** The questions of this file. */
export const growth: readonly Question[] = [
  { id: '7', title: 'default month, not cached: slowest against fastest', measure: measureFlat },
  { id: '8', title: 'two workers on two cores against one on one', measure: measureWorkers },
];

/** Compares catalogues and histories of several sizes, none of which should slow the server down. */
async function measureFlat(bench: Bench): Promise<readonly Finding[]> {
  await using stack = new AsyncDisposableStack();
  const side = async (catalogue: Catalogue) => {
    const store = await keptStore(bench, catalogue);
    const server = stack.use(await startServe(bench, store, { serveArgs: smallCache }));
    const requests = shuffledRequests(shuffled(fullLines(catalogue), 7).slice(0, flatLineCount));
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
    return { what, unit: '/s', ours, limit, demand: atLeast(1 / 1.3) };
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
  return [{ what: 'default month, not cached', unit: '/s', ours, limit, demand: atLeast(1.7), notes }];
}
