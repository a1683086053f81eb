/**
 * The same random imports into both kinds of stores: they refuse the same records, and finally export the
 * same bytes.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { throwUnexpected } from '../../src/model/app-error.ts';
import { type ContractStore, exportFrom, importInto } from '../contracts/store-contract.ts';
import { chartLine, pastText, pluginLine, removalLine, softwareLine } from '../support/archive-text.ts';
import { anyEntries, anyRun } from '../support/points.ts';
import { fc } from '../support/seed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { TestServer } from './test-server.ts';

// Few ids, so that records collide.
const softwareId = fc.integer({ min: 1, max: 3 });
const pluginId = fc.integer({ min: 1, max: 4 });
const chartId = fc.constantFrom('a', 'B', '_', 'b.c');
const name = fc.constantFrom('Name', 'Ö "x" \\ {,}', 'null', '\u{1F600}');

const software = fc.record({
  id: softwareId,
  name,
  url: fc.constantFrom('one', 'two', 'three', 'four'),
  globalPluginId: fc.option(pluginId),
});
const plugin = fc.record({
  id: pluginId,
  name,
  softwareId,
  owner: fc.record({ id: fc.integer({ min: 1, max: 2 }), name }),
  isGlobal: fc.boolean(),
});
const chart = fc.record({
  pluginId,
  chartId,
  type: fc.constantFrom('single_linechart', 'single_linechart', 'simple_pie', 'custom'),
  position: fc.integer({ min: -1, max: 1 }),
  title: name,
  isDefault: fc.boolean(),
  data: fc.constantFrom({}, { b: [1, null], a: '\u0000' }),
});
const data = fc.record({
  pluginId,
  chartId,
  data: fc.oneof(
    { weight: 4, arbitrary: anyEntries },
    { weight: 3, arbitrary: anyRun },
    { weight: 2, arbitrary: fc.constantFrom([{ name: 'x', y: 1 }], []) },
  ),
});

const time = fc.integer({ min: 0, max: 20 });
/** Usually the pie of the first records, so that few of these records are refused. */
const pieName = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ pluginId: 1, chartId: 'B' }) },
  { weight: 1, arbitrary: fc.record({ pluginId, chartId }) },
);
const share = fc.record({ name, y: fc.integer({ min: -1, max: 3 }) });
const dated = fc
  .tuple(pieName, fc.array(share, { maxLength: 3 }), time)
  .map(([chart, shares, at]) => ({ ...chart, data: shares, at }));
const history = fc.array(time, { maxLength: 6 }).chain((times) => {
  const { length } = times;
  const value = fc.option(fc.integer({ min: 0, max: 300 }));
  const values = fc.array(value, { minLength: length, maxLength: length });
  const series = fc.uniqueArray(fc.record({ name, values }), { selector: (one) => one.name, maxLength: 3 });
  return fc.tuple(pieName, series).map(([chart, columns]) => ({ ...chart, times, series: columns }));
});
const event = fc.record({
  pluginId,
  time,
  title: name,
  url: fc.option(fc.constantFrom('https://example.org/a', 'http://example.org/b')),
});

const oldName = fc.record({ pluginId, name });
const removal = fc
  .tuple(
    fc.oneof(fc.record({ pluginId, chartId }), fc.record({ pluginId }), fc.constant({})),
    fc.option(time, { freq: 2 }),
  )
  .map(([of, before]) => removalLine(before, of));

/** The uid of a chart; sometimes the uid of another chart. */
const uidOf = (fields: { readonly pluginId: number; readonly chartId: string }, isOdd: boolean) =>
  isOdd ? 1 : fields.pluginId * 1000 + fields.chartId.charCodeAt(0);

const record: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: software.map((fields) => softwareLine(fields)) },
  { weight: 1, arbitrary: plugin.map((fields) => pluginLine(fields)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        chart,
        fc.integer({ min: 0, max: 30 }).map((one) => one === 0),
      )
      .map(([fields, isOdd]) => chartLine({ ...fields, uid: uidOf(fields, isOdd) })),
  },
  { weight: 5, arbitrary: data.map((fields) => JSON.stringify({ record: 'data', ...fields })) },
  { weight: 2, arbitrary: dated.map((fields) => JSON.stringify({ record: 'data', ...fields })) },
  { weight: 2, arbitrary: history.map((fields) => JSON.stringify({ record: 'history', ...fields })) },
  { weight: 1, arbitrary: event.map((fields) => JSON.stringify({ record: 'event', ...fields })) },
  { weight: 2, arbitrary: removal },
  { weight: 1, arbitrary: oldName.map((fields) => JSON.stringify({ record: 'oldName', ...fields })) },
);

/** The first records of every import, to which later records refer. */
const base = [
  ...[1, 2, 3].map((id) => softwareLine({ id, url: `base-${id}` })),
  ...[1, 2, 3, 4].map((id) => pluginLine({ id, softwareId: 1 })),
  ...[1, 2, 3].map((id) => chartLine({ pluginId: id, chartId: 'a', uid: id * 1000 + 97 })),
  chartLine({ pluginId: 1, chartId: 'B', uid: 1066, type: 'simple_pie' }),
];

const imports = fc.array(fc.array(record, { maxLength: 6 }), { minLength: 2, maxLength: 6 });

async function outcome(store: ContractStore, text: string): Promise<string> {
  try {
    await importInto(store, text);
    return 'stored';
  } catch (error) {
    throwUnexpected(error);
    return `${error.place?.replace(/^.*:/, 'line ')}: ${error.code} ${error.message}`;
  }
}

/** Declares the tests. */
export function sameAsSqlite(server: TestServer): void {
  test('PostgreSQL and SQLite refuse the same and export the same bytes after random imports', async (t) => {
    using directory = temporaryDirectory();
    const path = directory.at('store.db');
    const copyPath = directory.at('copy.db');
    const outcomes = { stored: 0, refused: 0 };
    const holds = fc.asyncProperty(imports, async (archives) => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      const sqlite = parseStoreName(path);
      const postgres = parseStoreName(await server.emptyDatabase());
      for (const lines of [base, ...archives]) {
        const text = pastText(lines);
        const expected = await outcome(sqlite, text);
        assert.equal(await outcome(postgres, text), expected);
        outcomes[expected === 'stored' ? 'stored' : 'refused']++;
      }
      const exported = await exportFrom(sqlite);
      assert.equal(await exportFrom(postgres), exported);
      for (const suffix of ['', '-wal', '-shm']) rmSync(copyPath + suffix, { force: true });
      for (const copy of [parseStoreName(copyPath), parseStoreName(await server.emptyDatabase())]) {
        await importInto(copy, exported);
        assert.equal(await exportFrom(copy), exported);
      }
      for (const store of [sqlite, postgres])
        assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
    });
    await fc.assert(holds, { numRuns: Number(process.env['PLUGIN_METRICS_TEST_RUNS'] ?? 8) });
    t.diagnostic(`${outcomes.stored} imports stored, ${outcomes.refused} refused`);
    assert.ok(outcomes.stored > 0);
  });
}
