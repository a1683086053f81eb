/** Reports of open slots that several collectors share. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { KeepOutcome, Submission } from '../../src/model/report-store.ts';
import type { OpenReports } from '../report-contract.ts';
import { seed } from '../support/seed.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { TestServer } from './test-server.ts';

const start = 1_782_864_000_000;

/** A report of one server for one plugin. */
function reportOf(server: number): Submission {
  const hash = Buffer.alloc(8);
  hash.writeUInt32BE(server);
  const plugins = [{ pluginId: 7, values: [['players', 1] as const] }];
  return {
    server: new Uint8Array(hash),
    address: new Uint8Array(hash.subarray(0, 6)),
    plugins,
    globalPlugin: undefined,
  };
}

/** Makes a store and returns a function that opens its reports. */
export async function makeReports(server: TestServer): Promise<OpenReports> {
  const store = parseStoreName(await server.emptyDatabase());
  await (await store.openWriter()).commit();
  return () => store.openReports();
}

/** Declares the tests. */
export function serverReportTests(server: TestServer): void {
  describe('PostgreSQL: collectors that share a slot', () => {
    test('count every server once, and every address to the limit', async () => {
      const open = await makeReports(server);
      let state = seed;
      const random = (count: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * count);
      };
      const hash = (number: number, length: number) => Uint8Array.from({ length }, () => number);
      const submission = (): Submission => {
        const server = random(60);
        return {
          server: hash(server, 8),
          address: hash(server % 5, 6),
          plugins: [7, 8]
            .filter(() => random(3) > 0)
            .map((pluginId) => ({
              pluginId,
              values: [['players', [{ group: null, name: `name ${random(20)}`, values: [1] }]]],
            })),
          globalPlugin: { pluginId: 1, values: [] },
        };
      };
      await using one = await open();
      await using other = await open();
      const keys = await Promise.all([one.openSlot(start), other.openSlot(start)]);
      assert.deepEqual(Buffer.from(keys[0]), Buffer.from(keys[1]));
      const maxPerAddress = 4;
      const kept = new Map<string, number>();
      const byAddress = new Map<string, number>();
      const run = async (reports: typeof one) => {
        for (let round = 0; round < 20; round++) {
          const batch = Array.from({ length: 10 }, submission);
          const outcomes = await reports.keep(start, batch, maxPerAddress);
          for (const [index, { plugins, server, address }] of batch.entries())
            for (const [rank, { pluginId }] of plugins.entries()) {
              const outcome: KeepOutcome | undefined = outcomes[index]?.[rank];
              if (outcome !== 'kept') continue;
              const [key, addressKey] = [`${pluginId} ${server[0]}`, `${pluginId} ${address[0]}`];
              kept.set(key, (kept.get(key) ?? 0) + 1);
              byAddress.set(addressKey, (byAddress.get(addressKey) ?? 0) + 1);
            }
        }
      };
      await Promise.all([run(one), run(other)]);
      assert.deepEqual(new Set(kept.values()), new Set([1]), `seed ${seed}`);
      assert.deepEqual(new Set(byAddress.values()), new Set([maxPerAddress]));
      const counts = new Map<number, number>();
      for await (const batch of other.readSlot(start))
        for (const { pluginId } of batch) counts.set(pluginId, (counts.get(pluginId) ?? 0) + 1);
      assert.equal(counts.get(7), 5 * maxPerAddress);
      assert.equal(counts.get(8), 5 * maxPerAddress);
      assert.equal(counts.get(1), new Set(Array.from(kept.keys(), (key) => key.split(' ')[1])).size);
    });

    test('a report that comes while another collector freezes the slot is kept before that, or refused', async () => {
      const open = await makeReports(server);
      await using one = await open();
      await using other = await open();
      await Promise.all([one.openSlot(start), other.openSlot(start)]);
      let keptCount = 0;
      const keeping = (async () => {
        for (let server = 0; ; server++) {
          try {
            await one.keep(start, [reportOf(server)], 1);
          } catch (error) {
            assert.equal((error as { kind?: string }).kind, 'slot-closed');
            return;
          }
          keptCount++;
        }
      })();
      while (keptCount < 5) await other.listSlots();
      await other.freezeSlot(start);
      let readCount = 0;
      for await (const batch of other.readSlot(start)) readCount += batch.length;
      await keeping;
      assert.equal(readCount, keptCount);
    });

    test('a collector that is many commits behind the others reads them before it judges', async () => {
      const open = await makeReports(server);
      await using one = await open();
      await using other = await open();
      await Promise.all([one.openSlot(start), other.openSlot(start)]);
      assert.deepEqual(await one.keep(start, [reportOf(0)], 1), [['kept']]);
      const commitCount = 1100;
      for (let server = 1; server <= commitCount; server++) await other.keep(start, [reportOf(server)], 1);
      const again = [reportOf(0), reportOf(commitCount), reportOf(commitCount + 1)];
      assert.deepEqual(await one.keep(start, again, 1), [['repeated'], ['repeated'], ['kept']]);
      assert.deepEqual(await other.keep(start, again, 1), [['repeated'], ['repeated'], ['repeated']]);
    });

    test('a collector that loses its connection forgets what the server has lost', async () => {
      const uri = await server.emptyDatabase();
      await (await parseStoreName(uri).openWriter()).commit();
      await using reports = await parseStoreName(uri).openReports();
      await reports.openSlot(start);
      await reports.keep(start, [reportOf(1)], 1);
      await reports.keep(start, [reportOf(2)], 1);
      // A standby that takes over may lack the last commit.
      await server.run(uri, `delete from plugin_metrics.batch_${start} where id = 2`);
      await server.run(
        uri,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      const keepThird = () => reports.keep(start, [reportOf(3)], 1);
      await waitUntil(() => keepThird().then(Boolean, () => false));
      const all = [reportOf(1), reportOf(2), reportOf(3)];
      assert.deepEqual(await reports.keep(start, all, 1), [['repeated'], ['kept'], ['repeated']]);
    });
  });
}
