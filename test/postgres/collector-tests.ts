/**
 * Collectors on a PostgreSQL server: two close the same slot, and one of them is killed; the server is
 * unreachable for a while.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { countLogged, makeCollectingStore, sendReport, startCollecting } from '../collect/collecting.ts';
import { exportFrom } from '../contracts/store-contract.ts';
import type { Serving } from '../serve/support/serving.ts';
import { allParts, loggedReport } from '../support/logged-report.ts';
import { waitUntil } from '../support/wait-until.ts';
import { crashableServer, startOwnServer, type TestServer } from './test-server.ts';

const dayMs = 24 * 60 * 60 * 1000;
const reportCount = 6000;

/** Milliseconds after which a process is killed; more of them find rare faults. */
const delays = Array.from(
  { length: Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 3) },
  (_, index) => 300 + ((index * 300) % 901),
);

async function makeStore(server: TestServer): Promise<string> {
  const uri = await server.emptyDatabase();
  await makeCollectingStore(uri);
  return uri;
}

/** Fills yesterday's slot, which then waits for a collector to close it; returns the start of the slot. */
async function fillSlot(uri: string): Promise<number> {
  const start = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  await using reports = await parseStoreName(uri).openReports();
  await reports.openSlot(start);
  await reports.cover(start, allParts);
  for (let first = 0; first < reportCount; first += 500) {
    const lines = Array.from({ length: 500 }, (_, index) =>
      loggedReport(
        first + index,
        { 2: { 'players single_linechart': 2 } },
        { globalPlugin: { 'servers single_linechart': 1 } },
      ),
    );
    await reports.append(start, lines.join(''));
  }
  return start;
}

async function end(collecting: Serving): Promise<void> {
  collecting.signal('SIGTERM');
  assert.equal((await collecting.ended).code, 0);
}

async function waitUntilClosed(uri: string, start: number): Promise<void> {
  await using reports = await parseStoreName(uri).openReports();
  await waitUntil(async () => (await reports.listSlots()).every((slot) => slot.start !== start));
}

/** Lists the data records of the store. */
async function pointsIn(uri: string): Promise<readonly string[]> {
  const lines = (await exportFrom(parseStoreName(uri))).split('\n');
  return lines.filter((line) => line.startsWith('{"record":"data"'));
}

/** Lists the data records of a slot that {@link fillSlot} has filled. */
function pointsOf(start: number): readonly string[] {
  return [
    `{"record":"data","pluginId":1,"chartId":"servers","data":[[${start},${reportCount}]]}`,
    `{"record":"data","pluginId":2,"chartId":"players","data":[[${start},${2 * reportCount}]]}`,
  ];
}

/** Declares the tests. */
export function serverCollectorTests(server: TestServer): void {
  describe('PostgreSQL: collectors', { timeout: 600_000 + 15_000 * delays.length }, () => {
    test('of which one is killed while both close a slot write it once', async () => {
      for (const killAfterMs of delays) {
        const uri = await makeStore(server);
        const start = await fillSlot(uri);
        const [killed, other] = await Promise.all([startCollecting(uri), startCollecting(uri)]);
        await sleep(Math.max(0, killAfterMs - 300));
        killed.signal('SIGKILL');
        await waitUntilClosed(uri, start);
        await end(other);
        assert.deepEqual(await pointsIn(uri), pointsOf(start), `killed after ${killAfterMs} ms`);
      }
    });

    test('whose server crashes while they close a slot write it once when it is back', async () => {
      await using own = await startOwnServer();
      for (const crashAfterMs of delays) {
        const uri = await makeStore(own);
        const start = await fillSlot(uri);
        const collectors = await Promise.all([startCollecting(uri), startCollecting(uri)]);
        await sleep(Math.max(0, crashAfterMs - 300));
        await own.stop();
        await own.start();
        await waitUntilClosed(uri, start);
        for (const one of collectors) await end(one);
        assert.deepEqual(await pointsIn(uri), pointsOf(start), `crashed after ${crashAfterMs} ms`);
      }
    });

    test('refuse reports while the server is gone, go on when it is back, and have lost none', async () => {
      await using own = await crashableServer(server);
      const uri = await makeStore(own);
      const collecting = await startCollecting(uri);
      const { url } = collecting;
      const accepted: string[] = [];
      let sentCount = 0;
      const sendUntil = async (wanted: number) => {
        for (let status = 0; status !== wanted; ) {
          const uuid = `server ${sentCount++}`;
          status = await sendReport(url, uuid);
          assert.ok(status === 202 || status === 503, `status ${status}`);
          if (status === 202) accepted.push(uuid);
        }
      };
      await sendUntil(202);
      await own.stop();
      await sendUntil(503);
      await own.start();
      await sendUntil(202);
      for (const uuid of accepted) assert.equal(await sendReport(url, uuid), 429, uuid);
      await end(collecting);
      await using reports = await parseStoreName(uri).openReports();
      const { plugin: count } = await countLogged(reports);
      assert.ok(count >= accepted.length && count <= sentCount, `${accepted.length} ${count} ${sentCount}`);
    });

    test('of which one hangs go on, and count every server once', async () => {
      const uri = await makeStore(server);
      const both = await Promise.all([startCollecting(uri), startCollecting(uri)]);
      const [hanging, other] = both;
      const accepted: string[] = [];
      let sentCount = 0;
      const sendOne = async (url: string) => {
        const uuid = `server ${sentCount++}`;
        const status = await sendReport(url, uuid);
        if (status === 202) accepted.push(uuid);
        else assert.equal(status, 503);
        return status;
      };
      for (let round = 0; round < 3; round++) {
        const sending = Array.from({ length: 200 }, () => sendOne(hanging.url));
        await sleep(Math.random() * 60);
        hanging.signal('SIGSTOP');
        await waitUntil(async () => (await sendOne(other.url)) === 202);
        hanging.signal('SIGCONT');
        await Promise.all(sending);
      }
      // At least one of the two collectors knows each report.
      const again = await Promise.all(
        accepted.map((uuid) => Promise.all(both.map(({ url }) => sendReport(url, uuid)))),
      );
      for (const statuses of again) assert.ok(statuses.includes(429), String(statuses));
      for (const one of both) await end(one);
      await using reports = await parseStoreName(uri).openReports();
      const { servers, plugin, global } = await countLogged(reports);
      assert.ok(servers >= accepted.length && servers <= sentCount);
      assert.equal(global, plugin);
    });
  });
}
