/** Questions 26 to 31: histories of shares, windows and many charts at once. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  dataPath,
  ecosystem,
  fullLines,
  millionPlugins,
  monthLong,
  tenYearsLong,
} from '../data/catalogue.ts';
import { endOf, entropyBitsPerCount, type Histories, historiesArchive, nextHour } from '../data/histories.ts';
import { type LoadRequest, runLoad } from '../harness/load.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { ask, runProgram, startServe } from '../harness/server.ts';
import { importLines, keptLines, keptStore } from '../harness/stores.ts';
import { alternate, atMost, type Bench, type Finding, medianOf, type Question } from '../question.ts';
import { smallCache } from './not-cached.ts';

const hoursPerYear = 8760;
const drifting: Histories = { name: 'drifting', chartCount: 10, shareCount: 30, timeCount: hoursPerYear };
const years: Histories = { name: 'pie-years', chartCount: 10, shareCount: 20, timeCount: hoursPerYear };
const everyChart: Histories = { name: 'every-chart', chartCount: 300_000, shareCount: 8, timeCount: 1 };

/** The questions of this file. */
export const histories: readonly Question[] = [
  { id: '26', title: 'bytes per value of a history on disk', measure: measureBytes },
  { id: '27', title: 'CPU time of a year of a pie by day, not cached', measure: measurePieYear },
  { id: '28', title: 'CPU time of ten years of a line by day, not cached', measure: measureTenYears },
  {
    id: '29',
    title: '50 lines over 30 days, against the same points through `/api/v1`',
    measure: measureManyLines,
  },
  {
    id: '30',
    title: 'import of one hour of 300,000 charts with 8 shares',
    isLong: true,
    measure: measureHour,
  },
  { id: '31', title: 'CPU time of a search in `/api/v2/plugins`, not cached', measure: measureSearch },
  {
    id: '31b',
    title: 'search in `/api/v2/plugins` of 1,000,000 plugins',
    isLong: true,
    measure: measureMillionSearch,
  },
];

async function measureBytes(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptLines(bench, drifting.name, drifting, () => historiesArchive(drifting));
  using db = new DatabaseSync(store, { readOnly: true });
  const pageBytes = Number(
    db.prepare("select sum(pgsize) as bytes from dbstat where name = 'history'").get()?.['bytes'],
  );
  const ours = pageBytes / (drifting.chartCount * drifting.shareCount * drifting.timeCount);
  const notes = [`a value holds ${(entropyBitsPerCount / 8).toFixed(3)} B that cannot be predicted`];
  return [{ what: '30 shares by the hour, a year', unit: ' B', ours, demand: atMost(0.8, 0.5), notes }];
}

async function measurePieYear(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptLines(bench, years.name, years, () => historiesArchive(years));
  const requests = Array.from({ length: 2000 }, (_, index) => ({
    path: `/api/v2/series?charts=1:pie${index % years.chartCount}&from=2024-01-01&to=${endOf(years) + index}&step=1d`,
  }));
  const ours = await cpuMs(bench, store, requests);
  return [{ what: '20 shares by the hour', unit: ' ms', ours, demand: atMost(3, 1) }];
}

async function measureTenYears(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, tenYearsLong);
  const requests = fullLines(tenYearsLong).map(({ pluginId, chartId }) => ({
    path: `/api/v2/series?charts=${pluginId}:${chartId}&range=all&step=1d`,
  }));
  const ours = await cpuMs(bench, store, requests);
  return [{ what: '175,200 points', unit: ' ms', ours, demand: atMost(1, 0.3) }];
}

async function measureManyLines(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, monthLong);
  const lines = fullLines(monthLong);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  const lists = Array.from({ length: 400 }, (_, index) => {
    const chosen = Array.from({ length: 50 }, (__, at) => lines[(index * 7 + at * 13) % lines.length]);
    const names = new Set(chosen.map((line) => `${line?.pluginId}:${line?.chartId}`));
    return { path: `/api/v2/series?charts=${[...names].join()}&range=30d` };
  });
  await ask(server.url + (lists[0]?.path ?? ''));
  const rounds = await alternate(bench, {
    together: () => runLoad(bench, server, { requests: lists, connectionCount: 8 }),
    each: () => runLoad(bench, server, { requests: lines.map((line) => ({ path: dataPath(line) })) }),
  });
  const ours = 1000 / medianOf(rounds.together, ({ perCpuSecond }) => perCpuSecond);
  const limit = 50_000 / medianOf(rounds.each, ({ perCpuSecond }) => perCpuSecond);
  return [{ what: 'CPU time, not cached', unit: ' ms', ours, limit, demand: atMost(1.5, 1) }];
}

async function measureHour(bench: Bench): Promise<readonly Finding[]> {
  const first = join(bench.folder, 'first-hour.db');
  await importLines(bench, first, historiesArchive(everyChart));
  const round = async () => {
    const store = join(bench.folder, 'next-hour.db');
    await copyFile(first, store);
    const { seconds, peakBytes } = await runProgram(bench, ['import', '--store', store, '-'], {
      input: nextHour(everyChart),
    });
    return { seconds, peakMb: peakBytes / 1e6 };
  };
  const { ours } = await alternate(bench, { ours: round }, bench.isQuick ? 1 : 2);
  return [
    { what: 'time', unit: ' s', ours: medianOf(ours, ({ seconds }) => seconds), demand: atMost(60, 25) },
    { what: 'memory', unit: ' MB', ours: Math.max(...ours.map(({ peakMb }) => peakMb)), demand: atMost(400) },
  ];
}

/** Searches for numbers in the names of plugins, with distinct answers. */
const searches: readonly LoadRequest[] = Array.from({ length: 2000 }, (_, index) => ({
  path: `/api/v2/plugins?q=${(index * 37) % 10_000}&limit=${1 + (index % 100)}`,
}));

async function measureSearch(bench: Bench): Promise<readonly Finding[]> {
  const ours = await cpuMs(bench, await keptStore(bench, ecosystem), searches);
  return [{ what: '30,000 plugins', unit: ' ms', ours, demand: atMost(3, 1) }];
}

async function measureMillionSearch(bench: Bench): Promise<readonly Finding[]> {
  const store = await keptStore(bench, millionPlugins);
  const ours = await cpuMs(bench, store, searches);
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  await ask(server.url + (searches[0]?.path ?? ''));
  const paths = fullLines(millionPlugins)
    .slice(0, 100)
    .map((line) => dataPath(line, '?maxElements=1'));
  const probe = { baseUrl: server.url, paths, requestsPerSecond: 200 };
  const load = { requests: searches, connectionCount: 2, seconds: bench.isQuick ? 3 : 6, isYielding: true };
  const beside = await probeDuring(bench, probe, () => runLoad(bench, server, load));
  const notes = [`\`maxElements=1\` beside 2 clients that search: ${probeText(beside)}`];
  return [
    { what: 'CPU time, not cached', unit: ' ms', ours, demand: atMost(50) },
    { what: 'longest of other requests', unit: ' ms', ours: beside.longestMs, demand: atMost(50), notes },
  ];
}

/** Measures the CPU time of the server for one request. */
async function cpuMs(bench: Bench, store: string, requests: readonly LoadRequest[]): Promise<number> {
  await using server = await startServe(bench, store, { serveArgs: smallCache });
  // Warm up before measuring, and read all plugins.
  await ask(server.url + (requests[0]?.path ?? ''));
  await runLoad(bench, server, { requests, seconds: 1, connectionCount: 8 });
  const { ours } = await alternate(bench, {
    ours: () => runLoad(bench, server, { requests, connectionCount: 8 }),
  });
  return 1000 / medianOf(ours, ({ perCpuSecond }) => perCpuSecond);
}
