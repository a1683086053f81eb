/** Questions 14, 15 and 19: the cost of starting, running and installing the service. */
import { dirname } from 'node:path';
import { type Catalogue, dataPath, ecosystem, exampleLine, linesOf, snapshotId } from '../data/catalogue.ts';
import { createRandom, type Random } from '../data/random.ts';
import { runChild } from '../harness/child.ts';
import { type LoadRequest, runLoad } from '../harness/load.ts';
import { serviceUse } from '../harness/processes.ts';
import { ask, startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { alternate, atMost, type Bench, type Finding, medianOf, type Question } from '../question.ts';

/** The questions of this file. */
export const footprint: readonly Question[] = [
  { id: '14', title: 'start to first answer', measure: measureStart },
  {
    id: '15',
    title: 'memory of `serve` after a million mixed requests',
    isLong: true,
    measure: measureMemory,
  },
  { id: '19', title: 'packages at run time', measure: countPackages },
];

async function measureStart(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, ecosystem);
  const path = dataPath(exampleLine(ecosystem));
  const startOnce = async () => {
    const startedAt = performance.now();
    await using server = await startServe(bench, store);
    await ask(server.url + path);
    return performance.now() - startedAt;
  };
  const { ours } = await alternate(bench, { ours: startOnce }, 5);
  const what = '30,000 plugins, 360,000 charts';
  return [{ what, unit: ' ms', ours: medianOf(ours, Number), demand: atMost(250, 150) }];
}

async function countPackages(bench: Bench): Promise<readonly Finding[]> {
  const checkout = dirname(dirname(bench.program));
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--prefix', checkout];
  const { output } = await runChild(bench, { command: 'npm', args });
  // The first line is the checkout itself.
  const count = output.trim().split('\n').length - 1;
  return [{ what: 'dependencies of dependencies included', unit: '', ours: count, demand: atMost(25) }];
}

async function measureMemory(bench: Bench): Promise<readonly Finding[]> {
  const requests = mixedRequests(ecosystem, 200_000);
  const { early, last, note } = await memoryAfterLoad(bench, requests);
  const growth = 'at the end against after three tenths';
  return [
    { what: 'cache of 64 MB', unit: ' MB', ours: last, demand: atMost(300, 200), notes: [note] },
    { what: growth, unit: ' MB', ours: last, limit: early, demand: atMost(1.1, 1) },
  ];
}

async function memoryAfterLoad(bench: Bench, requests: readonly LoadRequest[]) {
  const store = await keptStore(bench, ecosystem);
  await using server = await startServe(bench, store, { serveArgs: ['--cache-mb', '64'] });
  const wanted = bench.isQuick ? 100_000 : 1_000_000;
  const looks: { readonly requestCount: number; readonly megabytes: number }[] = [];
  let requestCount = 0;
  while (requestCount < wanted) {
    const load = { requests, seconds: bench.isQuick ? 1 : 4, takesErrors: true };
    requestCount += (await runLoad(bench, server, load)).requestCount;
    const megabytes = serviceUse(server.pid).memoryBytes / 1e6;
    looks.push({ requestCount, megabytes });
    bench.say(`${megabytes.toFixed(0)} MB after ${requestCount.toLocaleString('en-US')} requests`);
  }
  const at = (share: number) =>
    looks.find((look) => look.requestCount >= wanted * share)?.megabytes ?? Number.NaN;
  const note =
    `${requestCount.toLocaleString('en-US')} requests: ${at(0.3).toFixed(0)} MB after three tenths, ` +
    `${at(0.6).toFixed(0)} MB after six, ${at(1).toFixed(0)} MB at the end, over all processes`;
  return { early: at(0.3), last: at(1), note };
}

/** Requests of many different clients, in random order. */
function mixedRequests(catalogue: Catalogue, count: number): LoadRequest[] {
  const random = createRandom(15);
  return Array.from({ length: count }, () => ({
    path: mixedPath(catalogue, random),
    headers: mixedHeaders(random),
  }));
}

function mixedPath(catalogue: Catalogue, random: Random): string {
  const pluginId = 1 + random.below(catalogue.pluginCount);
  const lines = linesOf(catalogue, pluginId);
  const line = lines[random.below(lines.length)] ?? { pluginId, chartId: 'servers' };
  const share = random.next();
  if (share < 0.35) return dataPath(line);
  if (share < 0.65) return dataPath(line, '?maxElements=1');
  if (share < 0.7) return dataPath(line, `?maxElements=${random.below(2000)}`);
  if (share < 0.72) return dataPath(line, '?maxElements=100000');
  if (share < 0.82) {
    return dataPath({ pluginId, chartId: snapshotId(random.below(catalogue.snapshotsPerPlugin)) });
  }
  if (share < 0.88) return `/api/v1/plugins/${pluginId}`;
  if (share < 0.94) return `/api/v1/plugins/${pluginId}/charts`;
  if (share < 0.97) return `/api/v1/plugins/${pluginId}/charts/${line.chartId}`;
  if (share < 0.98) return `/api/v1/plugins/${pluginId}/charts/no-such-chart/data`;
  if (share < 0.99) return dataPath(line, '?maxElements=many');
  return share < 0.9995 ? '/api/v1/software' : '/api/v1/plugins';
}

function mixedHeaders(random: Random): Readonly<Record<string, string>> {
  const share = random.next();
  if (share < 0.4) return { 'accept-encoding': 'gzip, deflate, br' };
  if (share < 0.7) return { 'accept-encoding': 'gzip' };
  if (share < 0.75) return { 'accept-encoding': 'gzip', 'if-none-match': '*' };
  return {};
}
