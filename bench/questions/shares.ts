/**
 * Questions S1 to S3: the share of cache misses beside cache hits that saturate the server, on both stores, and the cost of
 * a miss beside a hit.
 */
import { dataPath, ecosystem, exampleLine, fullLines, monthLong } from '../data/catalogue.ts';
import { type LoadRequest, runLoad, warmUp } from '../harness/load.ts';
import { ask, type Server, startServe } from '../harness/server.ts';
import { keptStore, startPostgres } from '../harness/stores.ts';
import {
  alternate,
  atLeast,
  atMost,
  type Bench,
  type Finding,
  medianOf,
  type Question,
} from '../question.ts';
import { shuffledRequests, smallCache } from './not-cached.ts';

/** The questions of this file. */
export const shares: readonly Question[] = [
  { id: 'S1', title: 'misses beside saturating hits, SQLite', measure: besideHitsOnSqlite },
  { id: 'S2', title: 'misses beside saturating hits, PostgreSQL', measure: besideHitsOnPostgres },
  { id: 'S3', title: '`maxElements=1`, not cached against cached', measure: missAgainstHit },
];

async function besideHitsOnSqlite(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, monthLong);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  return await besideHits(bench, server);
}

async function besideHitsOnPostgres(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const store = await postgres.makeStore(monthLong);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  return await besideHits(bench, server);
}

/** Computes the share of misses: their rate beside hits divided by their rate alone. */
async function besideHits(bench: Bench, server: Server): Promise<readonly Finding[]> {
  const path = dataPath(exampleLine(monthLong), '?maxElements=1');
  await ask(server.url + path);
  const hits = { requests: [{ path }] as readonly LoadRequest[], connectionCount: 32 };
  const misses = { requests: shuffledRequests(fullLines(monthLong)), connectionCount: 32 };
  // Warm up before measuring.
  await runLoad(bench, server, { ...misses, seconds: 3 });
  await runLoad(bench, server, { ...hits, seconds: 1 });
  const both = async () => {
    const [beside, made] = await Promise.all([runLoad(bench, server, hits), runLoad(bench, server, misses)]);
    return { hits: beside.perSecond, misses: made.perSecond };
  };
  const rounds = await alternate(
    bench,
    {
      hits: async () => ({ hits: (await runLoad(bench, server, hits)).perSecond, misses: 0 }),
      misses: async () => ({ hits: 0, misses: (await runLoad(bench, server, misses)).perSecond }),
      both,
    },
    5,
  );
  const hitsAlone = medianOf(rounds.hits, ({ hits: rate }) => rate);
  const missesAlone = medianOf(rounds.misses, ({ misses: rate }) => rate);
  const missesBeside = medianOf(rounds.both, ({ misses: rate }) => rate);
  const row = { unit: '/s', ours: missesBeside, limit: missesAlone } as const;
  return [
    {
      what: 'hits beside misses',
      unit: '/s',
      ours: medianOf(rounds.both, ({ hits: rate }) => rate),
      limit: hitsAlone,
      demand: atLeast(0.8),
    },
    { what: 'misses: at least', ...row, demand: atLeast(0.08) },
    { what: 'misses: at most', ...row, demand: atMost(0.2) },
  ];
}

async function missAgainstHit(bench: Bench): Promise<readonly Finding[]> {
  const query = '?maxElements=1';
  const store = await keptStore(bench, ecosystem);
  const cached = [{ path: dataPath(exampleLine(ecosystem), query) }];
  const notCached = shuffledRequests(fullLines(ecosystem), { query });
  // One process differs from the next by up to a tenth.
  const inNewProcess = async () => {
    await using server = await startServe(bench, store, { serveArgs: smallCache });
    await warmUp(bench, server, notCached);
    const { perCpuSecond: hits } = await runLoad(bench, server, { requests: cached });
    const { perCpuSecond: misses } = await runLoad(bench, server, { requests: notCached });
    return { hits, misses };
  };
  const { both } = await alternate(bench, { both: inNewProcess }, 5);
  return [
    {
      what: 'identity',
      unit: '/CPU s',
      ours: medianOf(both, ({ misses }) => misses),
      limit: medianOf(both, ({ hits }) => hits),
      demand: atLeast(0.35),
    },
  ];
}
