/** Questions 20 to 23: pictures, cached and not, and the memory for PNGs. */
import { dataPath, ecosystem, exampleLine, fullLines, tenYearsLong } from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { type LoadRequest, loadText, runLoad, warmUp } from '../harness/load.ts';
import { serviceUse } from '../harness/processes.ts';
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
import { smallCache } from './not-cached.ts';

/** The questions of this file. */
export const pictures: readonly Question[] = [
  { id: '20', title: 'SVG of the default month, not cached (20,000 charts)', measure: measureMonth },
  { id: '20b', title: 'SVG of ten years, not cached (1,000 charts)', measure: measureTenYears },
  { id: '21', title: 'SVG, cache hit, against the JSON of the same chart', measure: measureCached },
  { id: '22', title: 'PNG of the default month at scale 2, not cached', measure: measurePng },
];

interface ChartName {
  readonly pluginId: number;
  readonly chartId: string;
}

function picturePath({ pluginId, chartId }: ChartName, rest: string): string {
  return `/embed/${pluginId}/${chartId}${rest}`;
}

async function measureMonth(bench: Bench): Promise<readonly Finding[]> {
  const requests = shuffled(fullLines(ecosystem), 6).map((line) => ({ path: picturePath(line, '.svg') }));
  return [await measureSvg(bench, { store: await keptStore(bench, ecosystem), requests, must: 5000 })];
}

async function measureTenYears(bench: Bench): Promise<readonly Finding[]> {
  const lines = shuffled(fullLines(tenYearsLong), 6);
  const requests = lines.map((line) => ({ path: picturePath(line, '.svg?range=all') }));
  const store = await keptStore(bench, tenYearsLong);
  return [await measureSvg(bench, { store, requests, must: 1500, aim: 3000 })];
}

async function measureSvg(
  bench: Bench,
  {
    store,
    requests,
    must,
    aim,
  }: {
    readonly store: string;
    readonly requests: readonly LoadRequest[];
    readonly must: number;
    readonly aim?: number;
  },
): Promise<Finding> {
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  await checkSvg(server.url + (requests[0]?.path ?? ''));
  await warmUp(bench, server, requests);
  const { ours } = await alternate(bench, { ours: () => runLoad(bench, server, { requests }) });
  const perCpuSecond = medianOf(ours, (round) => round.perCpuSecond);
  return {
    what: 'identity',
    unit: '/CPU s',
    ours: perCpuSecond,
    demand: atLeast(must, aim),
    notes: [loadText(ours)],
  };
}

async function measureCached(bench: Bench): Promise<readonly Finding[]> {
  await using server = await startServe(bench, await keptStore(bench, ecosystem));
  const line = exampleLine(ecosystem);
  const side = async (path: string, coding: string) => {
    const requests = [{ path, headers: { 'accept-encoding': coding } }];
    await runLoad(bench, server, { requests, seconds: 1 });
    return () => runLoad(bench, server, { requests });
  };
  const findings: Finding[] = [];
  for (const coding of ['identity', 'gzip']) {
    const { svg, json } = await alternate(bench, {
      svg: await side(picturePath(line, '.svg'), coding),
      json: await side(dataPath(line), coding),
    });
    findings.push({
      what: coding,
      unit: '/CPU s',
      ours: medianOf(svg, ({ perCpuSecond }) => perCpuSecond),
      limit: medianOf(json, ({ perCpuSecond }) => perCpuSecond),
      demand: atLeast(0.95, 1),
    });
  }
  return findings;
}

/** Requests one at a time, since the queue is bounded. */
async function measurePng(bench: Bench): Promise<readonly Finding[]> {
  const requests = shuffled(fullLines(ecosystem), 6).map((line) => ({ path: picturePath(line, '.png') }));
  await using server = await startServe(bench, await keptStore(bench, ecosystem), { serveArgs: smallCache });
  await checkPng(server.url + (requests[0]?.path ?? ''));
  const load = { requests, connectionCount: 2, seconds: bench.isQuick ? 1 : 3 };
  await runLoad(bench, server, { ...load, seconds: 2 });
  const wanted = bench.isQuick ? 100 : 2000;
  const looks: { readonly pngCount: number; readonly megabytes: number }[] = [];
  const rates: number[] = [];
  let pngCount = 0;
  while (pngCount < wanted) {
    const { requestCount, perCpuSecond } = await runLoad(bench, server, load);
    pngCount += requestCount;
    rates.push(perCpuSecond);
    looks.push({ pngCount, megabytes: serviceUse(server.pid).memoryBytes / 1e6 });
    bench.say(`${pngCount} PNGs, ${perCpuSecond.toFixed(1)}/CPU s, ${looks.at(-1)?.megabytes.toFixed(0)} MB`);
  }
  const early = looks.find((look) => look.pngCount >= wanted * 0.3)?.megabytes ?? Number.NaN;
  const last = looks.at(-1)?.megabytes ?? Number.NaN;
  return [
    { what: '800 × 300', unit: '/CPU s', ours: medianOf(rates, Number), demand: atLeast(60) },
    {
      what: 'memory after 2,000 against after 600',
      unit: ' MB',
      ours: last,
      limit: early,
      demand: atMost(1.1, 1),
    },
  ];
}

async function checkSvg(url: string): Promise<void> {
  const text = (await ask(url)).bytes.toString();
  if (!text.startsWith('<svg') || !text.includes('<path')) throw new Error(`${url} is no picture of a line`);
}

async function checkPng(url: string): Promise<void> {
  const { bytes } = await ask(url);
  if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error(`${url} is no PNG`);
}
