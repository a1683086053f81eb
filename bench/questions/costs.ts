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
  { id: '26', title: 'one request for a costly history', isLong: true, measure: oneCostly },
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

/** Requests for histories, and what one of them may cost: seconds of CPU, and MB above rest. */
const historyRequests = [['long'], ['groups'], ['year'], ['a', 'b', 'c', 'd', 'e']].flatMap((chartIds) => {
  const charts = chartIds.map((chartId) => `${costlyPluginId}:${chartId}`).join();
  const areOthers = chartIds.length > 1;
  const query = `charts=${charts}&range=all&top=100`;
  const bounds = { cpuSeconds: areOthers ? 3 : 1.5, memoryMb: 64 };
  const series = { ...bounds, memoryMb: areOthers ? 128 : 64 };
  return [
    { path: `/api/v2/series?${query}`, ...series },
    { path: `/api/v2/series.csv?${query}`, ...series },
    { path: `/embed/${costlyPluginId}/${chartIds[0]}.svg?view=history&range=all`, ...bounds },
  ];
});

async function oneCostly(bench: Bench): Promise<readonly Finding[]> {
  const lines = () => costlyHistoryArchive();
  const store = await keptLines(bench, 'costly-histories', costlyHistories, lines);
  const findings: Finding[] = [];
  for (const { path, cpuSeconds, memoryMb } of historyRequests) {
    await using server = await startServe(bench, store);
    await ask(`${server.url}/embed/${costlyPluginId}/long.svg`);
    const probe = { baseUrl: server.url, paths: ['/api/v1/software'], requestsPerSecond: 200 };
    const beside = await probeDuring(bench, probe, async () => {
      await sleep(2000);
      // The peak begins at what is resident now (proc_pid_clear_refs(5)).
      writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
      const before = processUse(server.pid);
      await askAndDrop(server.url + path);
      const after = processUse(server.pid);
      return {
        cpu: after.cpuSeconds - before.cpuSeconds,
        bytes: after.peakBytes - before.memoryBytes,
      };
    });
    const { cpu, bytes } = beside.done;
    findings.push(
      { what: `CPU of ${path}`, unit: ' s', ours: cpu, demand: atMost(cpuSeconds) },
      { what: 'its memory above rest', unit: ' MB', ours: bytes / 1e6, demand: atMost(memoryMb) },
      { what: 'longest wait beside it', unit: ' ms', ours: beside.longestMs, demand: atMost(100) },
    );
  }
  return findings;
}
