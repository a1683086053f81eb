/** Question K4: closing a slot of a million reports, and `serve` on the same store meanwhile. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { reportedCatalogue } from '../data/reports.ts';
import { slotReports } from '../data/slot.ts';
import { startCollect } from '../harness/collecting.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { serviceUse } from '../harness/processes.ts';
import { ask, type Server, startServe } from '../harness/server.ts';
import { keptLines } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

const pluginCount = 30_000;
const chartCount = 12;
/** A slot of the present would end in the middle of the run, and close those before it. */
const dayMs = 24 * 60 * 60 * 1000;
const collectArgs = ['--slot', '1d', '--history', '1d'];

/** The question of this file. */
export const closing: readonly Question[] = [
  {
    id: 'K4',
    title: 'closing a slot of 1,000,000 reports for 30,000 plugins with 360,000 charts, kept as history',
    isLong: true,
    measure: measureClosing,
  },
];

async function measureClosing(bench: Bench): Promise<readonly Finding[]> {
  const kept = await keptLines(bench, 'closing', { pluginCount, chartCount }, () =>
    reportedCatalogue(pluginCount, chartCount),
  );
  const store = join(bench.folder, 'closing.db');
  await copyFile(kept, store);
  await using server = await startServe(bench, store);
  // Later slots go into the rows that the first one has made.
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const starts = [3, 2, 1].map((count) => today - count * dayMs);
  const prepareClosing = async (isYielding: boolean) => {
    const start = starts.shift() ?? today;
    await fillSlot(store, start, bench.isQuick ? 50_000 : 1_000_000);
    return () => closeSlot(bench, { store, start, server, isYielding });
  };
  await (await prepareClosing(false))();
  const { seconds, cpuSeconds, peakBytes } = await (await prepareClosing(false))();
  const paths = Array.from(
    { length: 1000 },
    (_, index) =>
      `/api/v1/plugins/${2 + 30 * index}/charts/${index % 2 === 0 ? 'players' : 'osArch'}/data?maxElements=1`,
  );
  const probe = { baseUrl: server.url, paths, requestsPerSecond: 200 };
  // As long, because the longest wait grows with the time.
  const alone = await probeDuring(bench, probe, () => sleep(1000 * seconds));
  const meanwhile = await probeDuring(bench, probe, await prepareClosing(true));
  const notes = [
    `${cpuSeconds.toFixed(1)} s of CPU time of \`collect\``,
    `\`serve\` beside another closing, which gave way to the load on its core and took ${meanwhile.done.seconds.toFixed(1)} s: ` +
      `${probeText(meanwhile)}; alone: ${probeText(alone)}`,
  ];
  return [
    { what: 'until its points are served', unit: ' s', ours: seconds, demand: atMost(60, 20), notes },
    { what: 'peak memory of `collect`', unit: ' MB', ours: peakBytes / 1e6, demand: atMost(400) },
    { what: 'p99 of `serve` meanwhile', unit: ' ms', ours: meanwhile.p99Ms, demand: atMost(50, 10) },
    { what: 'longest of `serve` meanwhile', unit: ' ms', ours: meanwhile.longestMs, demand: atMost(50) },
  ];
}

/** Fills a slot that has ended. */
async function fillSlot(store: string, start: number, reportCount: number): Promise<void> {
  await using reports = await openSqliteStore(store).openReports();
  await reports.openSlot(start);
  await reports.noteCoverage(start, { from: start, until: start + dayMs });
  for (const batch of slotReports({ pluginCount, reportCount })) await reports.keep(start, batch, 1000);
}

interface Closing {
  readonly store: string;
  readonly start: number;
  /** Serves the same store. */
  readonly server: Server;
  /** Gives way to the load on its core. */
  readonly isYielding: boolean;
}

/** Starts a collector, and stops it when the slot is closed. */
async function closeSlot(bench: Bench, { store, start, server, isYielding }: Closing) {
  const startedAt = performance.now();
  await using collector = await startCollect(bench, store, {
    cores: bench.cores.second,
    isYielding,
    collectArgs,
  });
  const isServed = async () => {
    const { bytes } = await ask(`${server.url}/api/v1/plugins/1/charts/servers/data?maxElements=1`);
    return bytes.toString().startsWith(`[[${start},`);
  };
  while (!(await isServed())) await sleep(100);
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, ...serviceUse(collector.pid) };
}
