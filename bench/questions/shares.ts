/** Question S1: the share of cache misses beside cache hits that saturate the server. */
import { dataPath, exampleLine, fullLines, monthLong } from '../data/catalogue.ts';
import { type LoadRequest, runLoad, shuffledRequests, smallCache } from '../harness/load.ts';
import { ask, startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import {
  alternate,
  atLeast,
  atMost,
  type Bench,
  type Finding,
  medianOf,
  type Question,
} from '../question.ts';

/** The question of this file. */
export const shares: readonly Question[] = [
  { id: 'S1', title: 'misses beside saturating hits, SQLite', measure: besideHits },
];

/** Computes the share of misses: their rate beside hits divided by their rate alone. */
async function besideHits(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, monthLong);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
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
