/** Question 25: waiting times beside requests for charts that are far more expensive to show than to keep. */
import { setTimeout as sleep } from 'node:timers/promises';
import { attackCounts, costly, costlyArchive } from '../data/costly.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { ask, askAndDrop, startServe } from '../harness/server.ts';
import { keptLines } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

/** The questions of this file. */
export const costs: readonly Question[] = [
  { id: '25', title: 'longest wait for a point beside hostile charts', measure: besideCostly },
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
