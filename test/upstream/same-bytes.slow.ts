// A mirror of a server exports the same bytes as the server's own store.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { serveStore } from '../http/support/test-server.ts';
import { anyEntries } from '../support/points.ts';
import { fc } from '../support/seed.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { emptyMirror, mirrorOnce } from './mirror-into.ts';

const name = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));
const chartId = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.~-]{0,8}$/),
  fc.constantFrom('__proto__', 'constructor', '7', '12', 'data', 'charts', 'a.', 'a..', '_'),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const text = fc.string({ maxLength: 6 });
const slices = fc.array(fc.record({ name: text, y: number }), { maxLength: 4 });

/** Data as JSON text by type; undefined if the chart has none. */
const data: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  single_linechart: anyEntries,
  simple_pie: slices,
  advanced_pie: slices,
  drilldown_pie: fc.record({
    drilldownData: fc.array(fc.record({ name: text, id: text, data: fc.array(fc.tuple(text, number)) }), {
      maxLength: 3,
    }),
    seriesData: fc.array(fc.record({ name: text, y: number, drilldown: text }), { maxLength: 3 }),
  }),
  simple_map: fc.array(fc.record({ code: fc.constantFrom('DE', 'US', 'FR'), value: number }), {
    maxLength: 3,
  }),
  advanced_bar: fc.array(fc.record({ name: text, data: fc.array(number, { maxLength: 3 }) }), {
    maxLength: 3,
  }),
  of_some_plugin: fc.oneof(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.dictionary(text, fc.jsonValue())),
};

const chart = fc.constantFrom(...Object.keys(data)).chain((type) =>
  fc.record({
    chartId,
    type: fc.constant(type),
    position: fc.integer({ min: -3, max: 3 }),
    title: name,
    isDefault: fc.boolean(),
    settings: fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }),
    data: fc.option(data[type] ?? fc.constant([]), { nil: undefined }),
  }),
);

const catalogue = fc.record({
  software: fc.array(fc.record({ name, globalOf: fc.option(fc.nat(9), { nil: undefined }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  plugins: fc.array(
    fc.record({
      name,
      owner: fc.integer({ min: 1, max: 3 }),
      software: fc.nat(9),
      isGlobal: fc.boolean(),
      charts: fc.uniqueArray(chart, { maxLength: 4, selector: (one) => one.chartId }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

type Catalogue = typeof catalogue extends fc.Arbitrary<infer T> ? T : never;

/** The catalogue as an archive. */
function archiveOf({ software, plugins }: Catalogue): string {
  const lines: string[] = [];
  const pluginId = (index: number) => (index % plugins.length) * 5 + 3;
  for (const [index, { name: softwareName, globalOf }] of software.entries()) {
    const globalPluginId = globalOf === undefined ? null : pluginId(globalOf);
    const url = `software-${index}`;
    lines.push(
      JSON.stringify({ record: 'software', id: index + 2, name: softwareName, url, globalPluginId }),
    );
  }
  let uid = 9_000_000;
  for (const [index, plugin] of plugins.entries()) {
    const id = pluginId(index);
    const owner = { id: plugin.owner, name: `owner ${plugin.owner}` };
    const softwareId = (plugin.software % software.length) + 2;
    const { isGlobal } = plugin;
    lines.push(JSON.stringify({ record: 'plugin', id, name: plugin.name, owner, softwareId, isGlobal }));
    for (const { settings, data: chartData, ...fields } of plugin.charts) {
      uid -= 7;
      lines.push(JSON.stringify({ record: 'chart', pluginId: id, uid, ...fields, data: settings }));
      if (chartData !== undefined)
        lines.push(
          JSON.stringify({ record: 'data', pluginId: id, chartId: fields.chartId, data: chartData }),
        );
    }
  }
  return [
    `{"record":"archive","version":1}`,
    ...lines,
    `{"record":"end","records":${lines.length}}`,
    '',
  ].join('\n');
}

test('any catalogue is mirrored exactly, in one run and in several', async () => {
  using directory = temporaryDirectory();
  const source = directory.at('source.db');
  const all = { pluginIds: undefined };
  await fc.assert(
    fc.asyncProperty(catalogue, fc.nat(9), async (made, first) => {
      for (const name of ['source.db', 'mirror.db', 'mirror-2.db'])
        for (const end of ['', '-wal', '-shm']) rmSync(directory.at(name + end), { force: true });
      await importText(source, archiveOf(made));
      const expected = await exportText(source);
      await using server = await serveStore(source);
      const mirror = emptyMirror(directory.path);
      // First one plugin, then all: global plugins come after their software, and in another order.
      const { failures: none } = await mirrorOnce(mirror, server.url, {
        pluginIds: [(first % made.plugins.length) * 5 + 3],
      });
      assert.deepEqual(none, []);
      assert.deepEqual((await mirrorOnce(mirror, server.url, all)).failures, []);
      assert.equal(await exportText(mirror.path), expected);
      await using serverOfMirror = await serveStore(mirror.path);
      const second = emptyMirror(directory.path, 'mirror-2.db');
      assert.deepEqual((await mirrorOnce(second, serverOfMirror.url, all)).failures, []);
      assert.equal(await exportText(second.path), expected);
    }),
    { numRuns: 60 },
  );
});
