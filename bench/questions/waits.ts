/** Questions 9, 10, 17, 18, 25 and 31: response times for a single point during heavy work. */
import { slotMs } from '../../catalogues/lines.ts';
import { shuffled } from '../../catalogues/random.ts';
import { archive } from '../../catalogues/records.ts';
import { laterRecords, renameArchive } from '../data/archive.ts';
import {
  type Catalogue,
  type CatalogueLine,
  dataPath,
  ecosystem,
  fullLines,
  millionPlugins,
  tenYearsLong,
} from '../data/catalogue.ts';
import { attackCounts, costly, costlyArchive } from '../data/costly.ts';
import { lastTimestamp } from '../data/line-points.ts';
import { type ProbeRequest, probeDuring, probeText } from '../harness/probe.ts';
import { serviceUse } from '../harness/processes.ts';
import { loadBeside } from '../harness/requests.ts';
import { ask, askAndDrop, runProgram, type Server, smallCache, startServe } from '../harness/server.ts';
import { copiedStore, keptArchive, keptLines, keptStore } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

/** Questions of this file. */
export const waits: readonly Question[] = [
  { id: '9', title: 'a point while 8 clients pull ten years of points each', measure: besideLongAnswers },
  { id: '10', title: 'a point during an import of 10 million points', measure: besideImport },
  {
    id: '17',
    title: 'a point while the list of 30,000 plugins is made',
    measure: (bench) => besideList(bench, ecosystem, 10),
  },
  {
    id: '18',
    title: 'a point while the list of 1,000,000 plugins is made',
    measure: (bench) => besideList(bench, millionPlugins, 50),
  },
  { id: '25', title: 'a point beside hostile charts', measure: besideCostly },
  { id: '31', title: 'a point beside 2 clients that search 1,000,000 plugins', measure: besideSearch },
];

const loadSeconds = 6;

/** Probes while clients request large responses, each again as soon as it has one. */
async function besideLoad(
  bench: Bench,
  asked: {
    readonly catalogue: Catalogue;
    readonly paths: readonly string[];
    readonly connectionCount: number;
    readonly serveArgs?: readonly string[];
  },
) {
  const { catalogue, serveArgs = [], ...load } = asked;
  await using server = await startServe(bench, await keptStore(bench, catalogue), { serveArgs });
  const probe = probeOf(server, fullLines(catalogue).slice(0, 100), 200);
  const beside = await probeDuring(bench, probe, () =>
    loadBeside(bench, { ...load, url: server.url, seconds: loadSeconds }),
  );
  const answered = `the others got ${(beside.done / loadSeconds).toFixed(0)} answers a second`;
  return { ...beside, notes: [`${probeText(beside)}; ${answered}`] };
}

async function besideLongAnswers(bench: Bench): Promise<readonly Finding[]> {
  const lines = shuffled(fullLines(tenYearsLong), 9);
  const paths = lines.map((line) => dataPath(line, '?maxElements=200000'));
  const { p99Ms, notes } = await besideLoad(bench, { catalogue: tenYearsLong, paths, connectionCount: 8 });
  return [{ what: 'p99', unit: ' ms', figure: p99Ms, demand: atMost(15), notes }];
}

/** Searches for numbers in plugin names; all responses differ. */
async function besideSearch(bench: Bench): Promise<readonly Finding[]> {
  const paths = Array.from(
    { length: 1000 },
    (_, index) => `/api/v2/plugins?q=${(index * 37) % 10_000}&limit=${1 + (index % 100)}`,
  );
  const asked = { catalogue: millionPlugins, paths, connectionCount: 2, serveArgs: smallCache };
  const { longestMs, notes } = await besideLoad(bench, asked);
  return [{ what: 'longest', unit: ' ms', figure: longestMs, demand: atMost(50), notes }];
}

/** 167 points for each of 60,000 lines: ten million points. */
const later = { firstSlot: 0, slotCount: 167 };

async function besideImport(bench: Bench): Promise<readonly Finding[]> {
  const key = { ...ecosystem, ...later, name: 'ten-million-points-later' };
  const file = await keptArchive(bench, key, () => archive(laterRecords(ecosystem, later)));
  const store = await copiedStore(bench, ecosystem);
  await using server = await startServe(bench, store);
  const probe = probeOf(server, fullLines(ecosystem).slice(0, 1000), 500);
  const during = await probeDuring(bench, probe, () => importBeside(bench, store, file));
  // A finished import must be visible in the next response.
  const text = (await ask(server.url + (probe.paths[0] ?? '/'))).toString();
  if (!text.startsWith(`[[${lastTimestamp + later.slotCount * slotMs},`))
    throw new Error(`after the import ${probe.paths[0]} still answers ${text}`);
  const took = `the import took ${during.done.seconds.toFixed(1)} s on the core of the load, to which it gave way`;
  const notes = [probeText(during), took];
  return [{ what: 'p99', unit: ' ms', figure: during.p99Ms, demand: atMost(50), notes }];
}

/**
 * Requests the list in three encodings; an import before each request changes the catalogue, so that no
 * response is cached.
 */
async function besideList(bench: Bench, catalogue: Catalogue, mustMs: number): Promise<readonly Finding[]> {
  const store = await copiedStore(bench, catalogue);
  await using server = await startServe(bench, store);
  const listSeconds: string[] = [];
  const beside = await probeDuring(
    bench,
    probeOf(server, fullLines(catalogue).slice(0, 100), 200),
    async () => {
      for (const coding of ['br', 'gzip', 'identity']) {
        await importBeside(bench, store, '-', renameArchive(1, `Renamed ${coding}`));
        const startedAt = performance.now();
        await askAndDrop(`${server.url}/api/v1/plugins`, { 'accept-encoding': coding });
        listSeconds.push(`${coding} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      }
    },
  );
  const notes = [`${probeText(beside)}; the list took in ${listSeconds.join(', ')}`];
  return [
    { what: 'longest', unit: ' ms', figure: beside.longestMs, demand: atMost(mustMs), notes },
    {
      what: 'peak memory of `serve`',
      unit: ' MB',
      figure: serviceUse(server.pid).peakBytes / 1e6,
      demand: atMost(500),
    },
  ];
}

const widths = Array.from({ length: 20 }, (_, index) => 400 + index);

const kinds = ['bars', 'drilldown', 'pie', 'map', 'unknown'] as const;

const attacks: Readonly<Record<string, readonly string[]>> = {
  pictures: kinds.flatMap((kind) => widths.map((width) => `/embed/${costly[kind]}/c.svg?width=${width}`)),
  CSV: kinds.map((kind) => `/plugin/bukkit/${kind}/${costly[kind]}/c.csv`),
  'details and pages': (['manyCharts', 'largeSettings'] as const).flatMap((name) => [
    `/api/v1/plugins/${costly[name]}`,
    `/api/v1/plugins/${costly[name]}/charts`,
    `/plugin/bukkit/${name}/${costly[name]}`,
    `/embed/${costly[name]}.svg`,
  ]),
};

async function besideCostly(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptLines(bench, 'costly', attackCounts, () => costlyArchive());
  await using server = await startServe(bench, store);
  const data = `/api/v1/plugins/${costly.small}/charts/players/data`;
  const paths = Array.from({ length: 47 }, (_, index) => `${data}?maxElements=${index + 1}`);
  // Warm-up: the first page loads the drawing code.
  for (const path of ['/', `/embed/${costly.small}.svg`]) await ask(server.url + path);
  const findings: Finding[] = [];
  for (const [what, attack] of Object.entries(attacks)) {
    const beside = await probeDuring(
      bench,
      { baseUrl: server.url, paths, requestsPerSecond: 200 },
      async () => {
        for (const path of attack) await askAndDrop(server.url + path);
      },
    );
    const notes = [`${what}: ${probeText(beside)}`];
    findings.push({
      what: `longest, ${what}`,
      unit: ' ms',
      figure: beside.longestMs,
      demand: atMost(50),
      notes,
    });
  }
  return findings;
}

function importBeside(bench: Bench, store: string, file: string, input: Iterable<string> = []) {
  const options = { input, cores: bench.cores.load, isYielding: true };
  return runProgram(bench, ['import', '--store', store, file], options);
}

function probeOf(server: Server, lines: readonly CatalogueLine[], requestsPerSecond: number): ProbeRequest {
  const paths = lines.map((line) => dataPath(line, '?maxElements=1'));
  return { baseUrl: server.url, paths, requestsPerSecond };
}
