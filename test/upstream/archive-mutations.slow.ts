// Archives with random changes: a mirror stores what an import would take, or nothing.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { chartLine, dataLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { fc } from '../support/seed.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { serveRoutes } from './dialect-server.ts';
import { emptyMirror, mirrorOnce } from './mirror-into.ts';

const path = '/api/v2/plugins/7/archive';
const good = pastText([
  softwareLine(),
  pluginLine(),
  chartLine(),
  dataLine('players', '[[1000,1],[2000,2]]'),
  chartLine({ chartId: 'os', uid: 71, type: 'drilldown_pie', position: 1 }),
  '{"record":"data","pluginId":7,"chartId":"os","data":{"drilldownData":[{"name":"a","id":"a","data":[["b",2]]}],"seriesData":[{"name":"a","y":2,"drilldown":"a"}]},"at":3000}',
  '{"record":"history","pluginId":7,"chartId":"os","times":[1000,3000],"series":[{"group":"a","name":"b","values":[1,2]}]}',
  '{"record":"event","pluginId":7,"time":1000,"title":"1.0","url":"https://example.org/"}',
]);

const digits = [...good.matchAll(/\d/g)].map(({ index }) => index);

const change = fc.oneof(
  fc.record({ at: fc.constantFrom(...digits), deleted: fc.constant(1), inserted: fc.nat(9).map(String) }),
  fc.record({ at: fc.nat(good.length), deleted: fc.nat(12), inserted: fc.string({ maxLength: 6 }) }),
  fc.record({
    at: fc.nat(good.length),
    deleted: fc.nat(3),
    inserted: fc.constantFrom(
      '1',
      '8',
      '-',
      '"',
      '\n',
      'null',
      '1e400',
      '9e15',
      '[',
      '}',
      '\u0000',
      '\ud800',
    ),
  }),
);

function mutated(changes: readonly { at: number; deleted: number; inserted: string }[]): string {
  let text = good;
  for (const { at, deleted, inserted } of changes)
    text = text.slice(0, at) + inserted + text.slice(at + deleted);
  return text;
}

/** Lines that come in another order, twice or not at all. */
const shuffled = fc
  .array(fc.nat(20), { minLength: 1, maxLength: 12 })
  .map((order) => pastText(order.map((index) => good.split('\n').slice(1, -2)[index % 8] ?? '')));

test('a mutated archive is stored as an import would store it, or refused, and the store is sound', async (t) => {
  await using server = await serveRoutes({
    '/api/v2/software': { body: [{ id: 1, name: 'B', url: 'bukkit', globalPlugin: null }] },
  });
  const counts = { stored: 0, refused: 0 };
  const text = fc.oneof(fc.array(change, { minLength: 1, maxLength: 3 }).map(mutated), shuffled);
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      using directory = temporaryDirectory();
      const mirror = emptyMirror(directory.path);
      server.routes.set(path, { body });
      const { failures, progress } = await mirrorOnce(mirror, server.url);
      assert.equal(failures.length + progress.doneCount, 1);
      if (progress.doneCount === 0) {
        assert.ok(!existsSync(mirror.path));
        counts.refused++;
        return;
      }
      counts.stored++;
      assert.deepEqual(await Array.fromAsync(checkSqliteStore(mirror.path, recordChecker())), []);
      const imported = directory.at('imported.db');
      await importText(imported, body);
      const names = /"(name|url)":"[^"]*"/;
      const withoutSoftware = (exported: string) => exported.replace(names, '').replace(names, '');
      assert.equal(
        withoutSoftware(await exportText(mirror.path)),
        withoutSoftware(await exportText(imported)),
      );
    }),
    { numRuns: 600 },
  );
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.stored > 10 && counts.refused > 10, JSON.stringify(counts));
});
