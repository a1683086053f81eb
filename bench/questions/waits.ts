/** Questions 10, 18 and 31: response times for a single point during heavy work. */
import { slotMs } from '../../catalogues/lines.ts';
import { archive } from '../../catalogues/records.ts';
import { laterRecords, renameArchive } from '../data/archive.ts';
import { type CatalogueLine, dataPath, ecosystem, fullLines, millionPlugins } from '../data/catalogue.ts';
import { lastTimestamp } from '../data/line-points.ts';
import { type ProbeRequest, probeDuring, probeText } from '../harness/probe.ts';
import { serviceUse } from '../harness/processes.ts';
import { loadBeside } from '../harness/requests.ts';
import { ask, askAndDrop, runProgram, type Server, smallCache, startServe } from '../harness/server.ts';
import { copiedStore, keptArchive, keptStore } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

/** Questions of this file. */
export const waits: readonly Question[] = [
  { id: '10', title: 'a point during an import of 10 million points', measure: besideImport },
  { id: '18', title: 'a point while the list of 1,000,000 plugins is made', measure: besideList },
  { id: '31', title: 'a point beside 2 clients that search 1,000,000 plugins', measure: besideSearch },
];

const loadSeconds = 6;

/** Probes while clients search for numbers in plugin names; all responses differ. */
async function besideSearch(bench: Bench): Promise<readonly Finding[]> {
  const paths = Array.from(
    { length: 1000 },
    (_, index) => `/api/v2/plugins?q=${(index * 37) % 10_000}&limit=${1 + (index % 100)}`,
  );
  await using server = await startServe(bench, await keptStore(bench, millionPlugins), {
    serveArgs: smallCache,
  });
  const probe = probeOf(server, fullLines(millionPlugins).slice(0, 100), 200);
  const beside = await probeDuring(bench, probe, () =>
    loadBeside(bench, { paths, connectionCount: 2, url: server.url, seconds: loadSeconds }),
  );
  const figure = serviceUse(server.pid).memoryBytes / 1e6;
  return [
    {
      what: 'longest',
      unit: ' ms',
      figure: beside.longestMs,
      demand: atMost(50),
      notes: [probeText(beside)],
    },
    { what: 'memory of `serve` after it', unit: ' MB', figure, demand: atMost(150) },
  ];
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
  return [{ what: 'p99', unit: ' ms', figure: during.p99Ms, demand: atMost(50), notes: [probeText(during)] }];
}

/**
 * Requests the list in three encodings; an import before each request changes the catalogue, so that no
 * response is cached.
 */
async function besideList(bench: Bench): Promise<readonly Finding[]> {
  const store = await copiedStore(bench, millionPlugins);
  await using server = await startServe(bench, store);
  const beside = await probeDuring(
    bench,
    probeOf(server, fullLines(millionPlugins).slice(0, 100), 200),
    async () => {
      for (const coding of ['br', 'gzip', 'identity']) {
        await importBeside(bench, store, '-', renameArchive(1, `Renamed ${coding}`));
        await askAndDrop(`${server.url}/api/v1/plugins`, { 'accept-encoding': coding });
      }
    },
  );
  return [
    {
      what: 'longest',
      unit: ' ms',
      figure: beside.longestMs,
      demand: atMost(50),
      notes: [probeText(beside)],
    },
    {
      what: 'peak memory of `serve`',
      unit: ' MB',
      figure: serviceUse(server.pid).peakBytes / 1e6,
      demand: atMost(500),
    },
  ];
}

function importBeside(bench: Bench, store: string, file: string, input: Iterable<string> = []) {
  const options = { input, cores: bench.cores.load, isYielding: true };
  return runProgram(bench, ['import', '--store', store, file], options);
}

function probeOf(server: Server, lines: readonly CatalogueLine[], requestsPerSecond: number): ProbeRequest {
  const paths = lines.map((line) => dataPath(line, '?maxElements=1'));
  return { baseUrl: server.url, paths, requestsPerSecond };
}
