// Slots of large reports, closed by a collector: whatever was accepted fits into its memory.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Store } from '../../src/model/store.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { exportFrom, importInto } from '../contracts/store-contract.ts';
import type { ServingOptions } from '../serve/support/serving.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { allParts } from '../support/logged-report.ts';
import { mainPath } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import '../support/without-coverage.ts';
import { serveReports, startCollecting } from './collecting.ts';

const directory = directoryOfFile();

const dayMs = 24 * 60 * 60 * 1000;
const start = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
const maxResidentBytes = 600 * 1024 * 1024;

/** Makes a store whose plugin 7 has pies. */
async function makeStore(name: string, chartIds: readonly string[]): Promise<Store> {
  const store = openSqliteStore(directory.at(`${name}.db`));
  const pies = chartIds.map((chartId, index) =>
    chartLine({ chartId, uid: 100 + index, type: 'advanced_pie', isDefault: false }),
  );
  await importInto(store, archiveText([softwareLine(), pluginLine(), ...pies]));
  return store;
}

/**
 * Sends reports over HTTP in the slot of yesterday; all are accepted.
 * @param namesOf gives the names of a pie in a report.
 */
async function collectReports(
  store: Store,
  {
    count,
    chartIds,
    namesOf,
  }: {
    readonly count: number;
    readonly chartIds: readonly string[];
    readonly namesOf: (server: number, chartId: string) => readonly string[];
  },
): Promise<void> {
  {
    const options = { slotMs: dayMs, maxPerAddress: count, logStream: process.stderr, now: () => start };
    await using server = await serveReports(store, options);
    for (let sender = 0; sender < count; sender++) {
      const customCharts = chartIds.map((chartId) => ({
        chartId,
        data: { values: Object.fromEntries(namesOf(sender, chartId).map((name) => [name, 1])) },
      }));
      const report = { serverUUID: `server ${sender}`, service: { id: 7, customCharts } };
      const response = await fetch(`${server.url}/api/v2/data/bukkit`, {
        method: 'POST',
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify(report), { level: 1 }),
      });
      assert.equal(response.status, 202);
      await response.text();
    }
  }
  await using reports = await store.openReports();
  await reports.cover(start, allParts);
}

/** Lets `collect` close the slot; returns the largest size of the process. */
async function closeWithCollect(store: Store): Promise<number> {
  await using collecting = await startCollecting(store.givenName);
  await collecting.said(/"message":"slot closed"/);
  const status = readFileSync(`/proc/${collecting.pid}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]);
}

/** The pies of the store: how many names each shows, and all of the values. */
async function piesIn(store: Store) {
  const records = (await exportFrom(store)).trim().split('\n');
  const shown = records.filter((line) => line.startsWith('{"record":"data"')).map((line) => JSON.parse(line));
  return {
    nameCounts: shown.map(({ data }) => data.length),
    values: new Set(shown.flatMap(({ data }) => data.map(({ y }: { readonly y: number }) => y))),
  };
}

test('a slot in which the charts of one plugin have more names than fit into memory at once', async () => {
  const chartIds = Array.from({ length: 500 }, (_, index) => `pie${index}`);
  const store = await makeStore('charts', chartIds);
  const namesOf = (server: number, chartId: string) =>
    Array.from({ length: 8 }, (_, index) => `${chartId} ${server} ${index}`.padEnd(190, '.'));
  await collectReports(store, { count: 125, chartIds, namesOf });
  {
    // No file may be longer than 16 MB, which none is but the temporary one.
    const start: ServingOptions['start'] = (argv) =>
      spawn('sh', ['-c', 'ulimit -f 32768; exec "$@"', '', process.execPath, mainPath, ...argv]);
    await using collecting = await startCollecting(store.givenName, [], { start });
    await collecting.said(/"reason":"the folder for temporary files, \S+, cannot be used: /);
    assert.doesNotMatch(collecting.stderr(), /bug|stack/);
  }
  const residentBytes = await closeWithCollect(store);
  assert.ok(residentBytes < maxResidentBytes, `${residentBytes} bytes`);
  const { nameCounts, values } = await piesIn(store);
  assert.deepEqual(
    [nameCounts.length, new Set(nameCounts), values],
    [chartIds.length, new Set([1000]), new Set([1])],
  );
});
