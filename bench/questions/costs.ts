/** Questions 25 and 26: charts that are far more expensive to show than to keep, and what others wait meanwhile. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attackCounts, costly, costlyArchive } from '../data/costly.ts';
import { costlyHistories, costlyHistoryArchive, costlyPluginId } from '../data/costly-histories.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { processUse } from '../harness/processes.ts';
import { ask, askAndDrop, startServe } from '../harness/server.ts';
import { keptLines } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

/** The questions of this file. */
export const costs: readonly Question[] = [
  { id: '25', title: 'longest wait for a point beside hostile charts', measure: besideCostly },
  { id: '26', title: 'one request for a costly history', isLong: true, measure: costlyRequests },
];

const widths = Array.from({ length: 20 }, (_, index) => 400 + index);

const kinds = ['bars', 'drilldown', 'pie', 'map', 'unknown'] as const;

const attacks: Readonly<Record<string, readonly string[]>> = {
  pictures: kinds.flatMap((kind) => widths.map((width) => `/embed/${costly[kind]}/c.svg?width=${width}`)),
  CSV: kinds.map((kind) => `/plugin/bukkit/${kind}/${costly[kind]}/c.csv`),
  'details and pages': [costly.manyCharts, costly.largeSettings].flatMap((id) => [
    `/api/v1/plugins/${id}`,
    `/api/v1/plugins/${id}/charts`,
    `/plugin/bukkit/${id === costly.manyCharts ? 'manyCharts' : 'largeSettings'}/${id}`,
    `/embed/${id}.svg`,
  ]),
};

async function besideCostly(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptLines(bench, 'costly', attackCounts, () => costlyArchive());
  await using server = await startServe(bench, store);
  const points = Array.from({ length: 47 }, (_, index) => index + 1);
  const data = `/api/v1/plugins/${costly.small}/charts/players/data`;
  const probe = {
    baseUrl: server.url,
    paths: points.map((count) => `${data}?maxElements=${count}`),
    requestsPerSecond: 200,
  };
  // The first page loads the directory of all plugins and the drawing code.
  for (const path of ['/', '/embed/9.svg']) await ask(server.url + path);
  const alone = await probeDuring(bench, probe, () => sleep(2000));
  const findings: Finding[] = [];
  for (const [what, paths] of Object.entries(attacks)) {
    const beside = await probeDuring(bench, probe, async () => {
      for (const path of paths) await askAndDrop(server.url + path);
    });
    const notes = [`${what}: ${probeText(beside)}; alone: ${probeText(alone)}`];
    findings.push({ what, unit: ' ms', ours: beside.longestMs, demand: atMost(50), notes });
  }
  return findings;
}

/** Charts that are asked for together, and what one request for them may cost: seconds of CPU, and MB above rest. */
const costlyCharts = [
  { what: 'names of 200 characters', chartIds: ['long'], cpuSeconds: 1.5, memoryMb: 64 },
  { what: 'groups', chartIds: ['groups'], cpuSeconds: 1.5, memoryMb: 64 },
  { what: 'a hundred days', chartIds: ['days'], cpuSeconds: 1.5, memoryMb: 64 },
  { what: 'other names each time', chartIds: ['a', 'b', 'c', 'd', 'e'], cpuSeconds: 3, memoryMb: 128 },
];

async function costlyRequests(bench: Bench): Promise<readonly Finding[]> {
  const lines = () => costlyHistoryArchive();
  const store = await keptLines(bench, 'costly-histories', costlyHistories, lines);
  const findings: Finding[] = [];
  for (const { what, chartIds, cpuSeconds, memoryMb } of costlyCharts) {
    const query = `charts=${chartIds.map((chartId) => `${costlyPluginId}:${chartId}`).join()}&range=all&top=100`;
    const costs: Cost[] = [];
    for (const path of [
      `/api/v2/series?${query}`,
      `/api/v2/series.csv?${query}`,
      `/embed/${costlyPluginId}/${chartIds[0]}.svg?view=history&range=all`,
    ])
      costs.push(await costOf(bench, store, path));
    const most = (figure: (cost: Cost) => number) => Math.max(...costs.map(figure));
    findings.push(
      { what: `${what}: CPU`, unit: ' s', ours: most((cost) => cost.cpuSeconds), demand: atMost(cpuSeconds) },
      { what: `${what}: memory`, unit: ' MB', ours: most((cost) => cost.memoryMb), demand: atMost(memoryMb) },
      { what: `${what}: waits`, unit: ' ms', ours: most((cost) => cost.longestMs), demand: atMost(100) },
    );
  }
  return findings;
}

/** The cost of one request: CPU of the server, memory above what was resident before, and the longest wait of others. */
interface Cost {
  readonly cpuSeconds: number;
  readonly memoryMb: number;
  readonly longestMs: number;
}

async function costOf(bench: Bench, store: string, path: string): Promise<Cost> {
  await using server = await startServe(bench, store);
  await ask(`${server.url}/embed/${costlyPluginId}/long.svg`);
  const probe = { baseUrl: server.url, paths: ['/api/v1/software'], requestsPerSecond: 200 };
  const { done, longestMs } = await probeDuring(bench, probe, async () => {
    await sleep(2000);
    // The peak begins at what is resident now (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const before = processUse(server.pid);
    await askAndDrop(server.url + path);
    const after = processUse(server.pid);
    const memoryMb = (after.peakBytes - before.memoryBytes) / 1e6;
    return { cpuSeconds: after.cpuSeconds - before.cpuSeconds, memoryMb };
  });
  return { ...done, longestMs };
}
