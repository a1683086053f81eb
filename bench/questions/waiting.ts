/** Questions 9, 10, 17, 18 and 31: response times for a single point beside heavy work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { laterArchive, renameArchive } from '../data/archive.ts';
import {
  type Catalogue,
  type CatalogueLine,
  dataPath,
  ecosystem,
  fullLines,
  lastTimestamp,
  millionPlugins,
  slotMs,
  tenYearsLong,
} from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { runLoad, smallCache } from '../harness/load.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { serviceUse } from '../harness/processes.ts';
import { ask, askAndDrop, runProgram, type Server, startServe } from '../harness/server.ts';
import { copiedStore, keptArchive, keptStore } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

const title = 'p99 of `maxElements=1`';

/** The questions of this file. */
export const waiting: readonly Question[] = [
  { id: '9', title: `${title} while 8 clients pull \`maxElements=200000\``, measure: besideLongAnswers },
  { id: '10', title: `${title} during an import of 10 million points`, measure: besideImport },
  {
    id: '17',
    title: '`maxElements=1` while the list of 30,000 plugins is made',
    measure: async (bench) => {
      const asked = { catalogue: ecosystem, roundCount: bench.isQuick ? 1 : 2, mustMs: 10 };
      return (await besideList(bench, asked)).waits;
    },
  },
  {
    id: '18',
    title: 'list of 1,000,000 plugins',
    isLong: true,
    measure: async (bench) => {
      const { waits, others } = await besideList(bench, { catalogue: millionPlugins, mustMs: 50 });
      return [...waits, ...others];
    },
  },
  {
    id: '31',
    title: '`maxElements=1` beside 2 clients that search 1,000,000 plugins',
    isLong: true,
    measure: besideSearch,
  },
];

/** 167 points for each of 60,000 lines are ten million. */
const later = { firstSlot: 0, slotCount: 167 };

async function besideLongAnswers(bench: Bench): Promise<readonly Finding[]> {
  await using server = await startServe(bench, await keptStore(bench, tenYearsLong));
  const lines = shuffled(fullLines(tenYearsLong), 9);
  const probe = probeOf(server, lines.slice(0, 100), 200);
  const alone = await probeDuring(bench, probe, () => sleep(2000));
  const requests = lines.map((line) => ({ path: dataPath(line, '?maxElements=200000') }));
  const load = { requests, connectionCount: 8, seconds: bench.isQuick ? 3 : 6, isYielding: true };
  const beside = await probeDuring(bench, probe, () => runLoad(bench, server, load));
  const what = '10 years each, distinct charts';
  const pulled = `the 8 clients pulled ${beside.done.perSecond.toFixed(0)} answers of 175,200 points a second`;
  const notes = [probeText(beside), `alone: ${probeText(alone)}`, pulled];
  return [{ what, unit: ' ms', ours: beside.p99Ms, demand: atMost(15), notes }];
}

async function besideImport(bench: Bench): Promise<readonly Finding[]> {
  const key = { ...ecosystem, ...later, name: 'ten-million-points-later' };
  const archive = await keptArchive(bench, key, () => laterArchive(ecosystem, later));
  const store = await copiedStore(bench, ecosystem);
  await using server = await startServe(bench, store);
  const probe = probeOf(server, fullLines(ecosystem).slice(0, 1000), 500);
  const alone = await probeDuring(bench, probe, () => sleep(2000));
  const options = { cores: bench.cores.load, isYielding: true };
  const args = ['import', '--store', store, archive];
  const during = await probeDuring(bench, probe, () => runProgram(bench, args, options));
  // A finished import is visible in the next response.
  const { bytes } = await ask(server.url + (probe.paths[0] ?? '/'));
  if (!bytes.toString().startsWith(`[[${lastTimestamp + later.slotCount * slotMs},`)) {
    throw new Error(`after the import ${probe.paths[0]} still answers ${bytes}`);
  }
  const what = 'into the same store, without an error';
  const took = `the import took ${during.done.seconds.toFixed(1)} s on the core of the load, to which it gave way`;
  const notes = [probeText(during), `alone: ${probeText(alone)}`, took];
  return [{ what, unit: ' ms', ours: during.p99Ms, demand: atMost(50), notes }];
}

/** Searches for numbers in the names of plugins, with distinct answers. */
async function besideSearch(bench: Bench): Promise<readonly Finding[]> {
  const requests = Array.from({ length: 2000 }, (_, index) => ({
    path: `/api/v2/plugins?q=${(index * 37) % 10_000}&limit=${1 + (index % 100)}`,
  }));
  const store = await keptStore(bench, millionPlugins);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  // The first one reads all plugins.
  await ask(server.url + (requests[0]?.path ?? ''));
  const probe = probeOf(server, fullLines(millionPlugins).slice(0, 100), 200);
  const load = { requests, connectionCount: 2, seconds: bench.isQuick ? 3 : 6, isYielding: true };
  const beside = await probeDuring(bench, probe, () => runLoad(bench, server, load));
  const notes = [probeText(beside)];
  return [
    { what: 'longest of other requests', unit: ' ms', ours: beside.longestMs, demand: atMost(50), notes },
  ];
}

/** Requests the list in three codings, each after an import that changes the catalogue, so that none is cached. */
async function besideList(
  bench: Bench,
  asked: {
    readonly catalogue: Catalogue;
    readonly roundCount?: number;
    readonly mustMs: number;
  },
): Promise<{ readonly waits: readonly Finding[]; readonly others: readonly Finding[] }> {
  const { catalogue, roundCount = 1, mustMs } = asked;
  const store = await copiedStore(bench, catalogue);
  await using server = await startServe(bench, store);
  const url = `${server.url}/api/v1/plugins`;
  const probe = probeOf(server, fullLines(catalogue).slice(0, 100), 200);
  const codings = Array.from({ length: roundCount }, () => ['br', 'gzip', 'identity']).flat();
  const listMs: number[] = [];
  let [nameCount, sizeBytes, etag] = [0, 0, ''];
  const rename = async () => {
    const input = renameArchive(1, `Renamed${++nameCount}`);
    const options = { input, cores: bench.cores.load, isYielding: true };
    await runProgram(bench, ['import', '--store', store, '-'], options);
  };
  const alone = await probeDuring(bench, probe, async () => {
    for (const _ of codings) await rename();
  });
  const beside = await probeDuring(bench, probe, async () => {
    for (const coding of codings) {
      await rename();
      const startedAt = performance.now();
      ({ sizeBytes, etag } = await askAndDrop(url, { 'accept-encoding': coding }));
      listMs.push(performance.now() - startedAt);
      bench.say(`the list, ${coding}: ${sizeBytes} bytes in ${listMs.at(-1)?.toFixed(0)} ms`);
    }
  });
  const startedAt = performance.now();
  await ask(url, { 'accept-encoding': 'identity', 'if-none-match': etag }, 304);
  const notModifiedMs = performance.now() - startedAt;
  const peakMb = serviceUse(server.pid).peakBytes / 1e6;
  const notes = [
    `beside lists in br, gzip and identity: ${probeText(beside)}`,
    `beside the imports without the lists: ${probeText(alone)}`,
    `a list took ${Math.min(...listMs).toFixed(0)} to ${Math.max(...listMs).toFixed(0)} ms; ` +
      `without a coding it has ${(sizeBytes / 1e6).toFixed(0)} MB`,
  ];
  const demand = atMost(mustMs);
  return {
    waits: [
      { what: 'p99 of other requests', unit: ' ms', ours: beside.p99Ms, demand, notes },
      { what: 'longest of other requests', unit: ' ms', ours: beside.longestMs, demand },
    ],
    others: [
      { what: '304 to its current entity tag', unit: ' ms', ours: notModifiedMs, demand },
      { what: 'peak memory of `serve`', unit: ' MB', ours: peakMb, demand: atMost(500) },
    ],
  };
}

function probeOf({ url: baseUrl }: Server, lines: readonly CatalogueLine[], requestsPerSecond: number) {
  return { baseUrl, paths: lines.map((line) => dataPath(line, '?maxElements=1')), requestsPerSecond };
}
