// Round trips: importing archives and exporting them again.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import {
  archiveText,
  chartLine,
  dataLine,
  endLine,
  headerLine,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { anyEntries, anyRun, entriesIn, expectedEntries } from '../support/points.ts';
import { fc } from '../support/seed.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let storeCount = 0;
const newPath = () => directory.at(`store-${storeCount++}.db`);

const base = [softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1],[2000,2.5]]')];

const dresses: ReadonlyArray<readonly [what: string, content: string | Uint8Array]> = [
  ['gzip', gzipSync(archiveText(base))],
  ['zstd', zstdCompressSync(archiveText(base))],
  ['plain with CRLF', archiveText(base).replaceAll('\n', '\r\n')],
  ['plain with a byte order mark', `\ufeff${archiveText(base)}`],
  ['gzip with a byte order mark', gzipSync(`\ufeff${archiveText(base)}`)],
  ['gzip without a line feed at its end', gzipSync(archiveText(base).trimEnd())],
  ['plain with white space between the tokens', archiveText(base.map(spaced))],
  ['plain with escapes in names', archiveText(base).replaceAll('players', '\\u0070layers')],
];

for (const [what, content] of dresses) {
  test(`an archive that is ${what} is stored like any other`, async () => {
    const path = newPath();
    await importText(path, content);
    assert.equal(await exportText(path), archiveText(base));
  });
}

test("an owner has the name given last, on all of the owner's plugins", async () => {
  const path = newPath();
  const owner = { id: 42, name: 'Later' };
  await importText(path, archiveText([softwareLine(), pluginLine(), pluginLine({ id: 8, owner })]));
  assert.equal(
    await exportText(path),
    archiveText([softwareLine(), pluginLine({ owner }), pluginLine({ id: 8, owner })]),
  );
});

test('data of every type is exported exactly as it was imported', async () => {
  const path = newPath();
  const data: ReadonlyArray<readonly [type: string, json: string]> = [
    ['simple_pie', '[{"name":"\\u00e9 \\" a","y":1.0},{"y":1e2,"name":""}]'],
    ['advanced_pie', '[{"name":"","y":0}]'],
    [
      'drilldown_pie',
      '{"seriesData":[{"name":"a","y":-0,"drilldown":"a"}],"drilldownData":[{"name":"a","id":"a","data":[["b",12345678901234567890]]}]}',
    ],
    ['simple_map', '[{"code":"DE","value":0.10}]'],
    ['advanced_map', '[{"value":5E-1,"code":"US"}]'],
    ['simple_bar', '[{"name":"a","data":[]}]'],
    ['advanced_bar', '[{"name":"a","data":[1,2.50]}]'],
    ['word_cloud', '{"2":1,"1":{"__proto__":null,"a":[[],{}]},"":"\\ud800 x  y"}'],
    ['list_of_things', '[1,"a",null,[true]]'],
  ];
  const lines = data.flatMap(([type, json], index) => [
    chartLine({ chartId: `c${index}`, uid: 100 + index, type }),
    dataLine(`c${index}`, json),
  ]);
  await importText(path, archiveText([softwareLine(), pluginLine(), ...lines]));
  assert.equal(await exportText(path), archiveText([softwareLine(), pluginLine(), ...lines]));
});

test('empty data is exported like missing data, as both give the same response', async () => {
  const path = newPath();
  const empty = [
    ['simple_pie', '[]'],
    ['drilldown_pie', '{"drilldownData":[],"seriesData":[]}'],
    ['some_type', '[ ]'],
  ] as const;
  const charts = empty.map(([type], index) => chartLine({ chartId: `c${index}`, uid: 100 + index, type }));
  const base = [softwareLine(), pluginLine(), ...charts];
  const full = dataLine('c0', '[{"name":"a","y":1}]');
  await importText(path, archiveText([...base, full]));
  await importText(path, archiveText(empty.map(([, json], index) => dataLine(`c${index}`, json))));
  assert.equal(await exportText(path), archiveText(base));
});

test('settings keep the order of their members, their digits and their escapes', async () => {
  const path = newPath();
  const settings =
    '{"b":1.0,"a":1e2,"10":12345678901234567890,"2":-0,"__proto__":{"constructor":0.10},"a b":" \\u0041\\/ ","a":2}';
  const line = chartLine().replace(/"data":.*$/, `"data":${settings}}`);
  await importText(path, archiveText([softwareLine(), pluginLine(), line]));
  assert.equal(await exportText(path), archiveText([softwareLine(), pluginLine(), line]));
});

test('the data of a chart may have 1 MiB, not counting white space', async () => {
  const path = newPath();
  const json = `[{"name":"${'x'.repeat(1024 * 1024 - 19)}","y":1}]`;
  const pie = chartLine({ chartId: 'pie', uid: 71, type: 'simple_pie' });
  assert.equal(json.length, 1024 * 1024);
  await importText(
    path,
    archiveText([...base.slice(0, 2), pie, dataLine('pie', ` ${json.replace(',', ' , ')} `)]),
  );
  assert.ok((await exportText(path)).includes(dataLine('pie', json)));
});

test('the settings of a chart may have 1 MiB, not counting white space', async () => {
  const path = newPath();
  const line = chartLine({ data: { text: `é${'x y'.repeat(349_518)}zzz`, a: 1 } });
  const settings = JSON.stringify(JSON.parse(line).data);
  assert.equal(Buffer.byteLength(settings), 1024 * 1024);
  await importText(
    path,
    archiveText([...base.slice(0, 2), line.replace(settings, ` ${settings.replace('{', '{ \t')} `)]),
  );
  assert.ok((await exportText(path)) === archiveText([...base.slice(0, 2), line]));
});

test('the records with the longest exports can be imported again', async () => {
  // Each is longer when exported: escapes that a name need not have, and numbers written short.
  const widest = '\u{1f600}'.repeat(200);
  const points = Array.from({ length: 5000 }, (_, index) => `[${8.64e15 - index},-1e-300]`).join();
  const lines = [
    softwareLine({ name: '"\\'.repeat(100) }),
    pluginLine({ name: widest, owner: { id: 42, name: '\\'.repeat(200) } }),
    chartLine({ title: '"'.repeat(200), data: { text: '\u20ac'.repeat(349_000) } }),
    dataLine('players', `[${points}]`),
  ];
  const [first, second] = [newPath(), newPath()];
  await importText(first, archiveText(lines));
  const text = await exportText(first);
  assert.ok(text.split('\n').every((line) => Buffer.byteLength(line) < 1.1 * 1024 * 1024));
  await importText(second, text);
  assert.ok((await exportText(second)) === text);
});

test('a long line is exported in records of bounded size, however it was imported', async () => {
  const points = Array.from({ length: 12_001 }, (_, index) => [index * 1000, index % 50]);
  const once = newPath();
  await importText(once, archiveText([...base.slice(0, 3), dataLine('players', JSON.stringify(points))]));
  const text = await exportText(once);
  const counts = text
    .split('\n')
    .filter((line) => line.startsWith('{"record":"data"'))
    .map((line) => JSON.parse(line).data.length);
  assert.deepEqual(counts, [5000, 5000, 2001]);
  const inPieces = newPath();
  const pieces = Array.from({ length: 13 }, (_, piece) =>
    points.filter((_point, index) => index % 13 === piece),
  );
  await importText(
    inPieces,
    archiveText([...base.slice(0, 3), ...pieces.map((piece) => dataLine('players', JSON.stringify(piece)))]),
  );
  assert.ok((await exportText(inPieces)) === text);
});

const anyName = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  )
  .map((name) => name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '') || 'x')
  .filter((name) => [...name].length <= 200);
const anyChart = fc.record({
  pluginIndex: fc.nat(3),
  chartId: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.~-]{0,9}$/),
  position: fc.integer({ min: -3, max: 3 }),
  title: anyName,
  isDefault: fc.boolean(),
  settings: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
  type: fc.constantFrom('single_linechart', 'simple_pie', 'other_type'),
  slices: fc.array(fc.record({ name: fc.string(), y: fc.double({ noNaN: true, noDefaultInfinity: true }) })),
  points: fc.oneof(anyEntries, anyRun),
});
const anyStore = fc.record({
  names: fc.array(anyName, { minLength: 4, maxLength: 4 }),
  charts: fc.uniqueArray(anyChart, {
    maxLength: 6,
    selector: ({ pluginIndex, chartId }) => `${pluginIndex}/${chartId}`,
  }),
});

test('any store gives the same bytes after export, import and export', async () => {
  await fc.assert(
    fc.asyncProperty(anyStore, async ({ names, charts }) => {
      const lines = [softwareLine({ globalPluginId: names.length })];
      for (const [index, name] of names.entries()) lines.push(pluginLine({ id: index + 1, name }));
      for (const [index, { pluginIndex, chartId, settings, slices, points, ...fields }] of charts.entries()) {
        const pluginId = pluginIndex + 1;
        lines.push(chartLine({ chartId, uid: 10 + index, ...fields, pluginId, data: settings }));
        const data = fields.type === 'single_linechart' ? entriesIn(points) : slices;
        lines.push(dataLine(chartId, JSON.stringify(data)).replace('"pluginId":7', `"pluginId":${pluginId}`));
      }
      const [first, second] = [newPath(), newPath()];
      await importText(first, archiveText(lines));
      const text = await exportText(first);
      await importText(second, text);
      assert.ok((await exportText(second)) === text);
      await importText(first, archiveText(lines));
      assert.ok((await exportText(first)) === text);
      for (const [index, { pluginIndex, chartId, type, points }] of charts.entries()) {
        if (type !== 'single_linechart') continue;
        const head = `{"record":"data","pluginId":${pluginIndex + 1},"chartId":"${chartId}",`;
        const stored = text
          .split('\n')
          .filter((line) => line.startsWith(head))
          .flatMap((line) => JSON.parse(line).data);
        assert.ok(
          JSON.stringify(stored) === JSON.stringify(expectedEntries(entriesIn(points))),
          `chart ${index}`,
        );
      }
    }),
    { numRuns: 25 },
  );
});

test('an import leaves no other file beside the store', () => {
  const odd = readdirSync(directory.path).filter(
    (entry) => !/^(one|two|store-\d+\.db(-wal|-shm)?)$/.test(entry),
  );
  assert.deepEqual(odd, []);
});

test('an archive without records makes an empty store', async () => {
  const path = newPath();
  await importText(path, `${headerLine}\n${endLine(0)}\n`);
  assert.equal(await exportText(path), archiveText([]));
});

/** The same record with white space wherever JSON allows it. */
function spaced(line: string): string {
  return ` ${JSON.stringify(JSON.parse(line), undefined, '\t').replaceAll('\n', ' \t')}\t`;
}
