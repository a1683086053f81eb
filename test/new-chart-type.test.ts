// Adding a chart type: one line in the table, and the type is stored, listed, drawn, embedded and exported.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

const entry = "rated_pie: 'pie',";

// The source of the table with one more line, as an editor would add it. Everything else is imported after it.
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/src/model/chart-types.ts')) return loaded;
    const source = String(loaded.source);
    assert.ok(source.includes('export const chartTypes = {'));
    return { ...loaded, source: source.replace('export const chartTypes = {', `$&\n  ${entry}`) };
  },
});
const { bundleForBrowsers } = await import('../build/browser.ts');
const { PluginMetricsClient } = await import('../src/client/client.ts');
const { parseContent } = await import('../src/draw/chart-content.ts');
const { fetchKnownPlugin } = await import('../src/site/browser/element/known-plugin.ts');
const { makeDirectory } = await import('./http/support/test-server.ts');
const { serveSite } = await import('./site/pages/support/site-client.ts');
const { archiveText, chartLine, dataLine, pluginLine, softwareLine } = await import(
  './support/archive-text.ts'
);
const { runProgram } = await import('./support/run-program.ts');

const store = join(makeDirectory(), 'rated.db');
const data = '[{"name":"Good","y":3},{"name":"Bad","y":1}]';
const about = { chartId: 'rating', uid: 9, type: 'rated_pie', title: 'Rating' };
const archive = [softwareLine(), pluginLine(), chartLine({ ...about, data: {} }), dataLine('rating', data)];
const imported = await runProgram(['import', '--store', store, '-'], { input: archiveText(archive) });
const site = await serveSite(store);

test('the data of the new type is stored, and validated by the import', async () => {
  assert.equal(imported.stderr, '');
  const wrong = archiveText([dataLine('rating', '[{"name":"Good"}]')]);
  const { code, stderr } = await runProgram(['import', '--store', store, '-'], { input: wrong });
  assert.equal(code, 1);
  assert.match(stderr, /<stdin>:2: data\[0\]/);
});

test('the new type is listed with its shape', async () => {
  assert.match((await site.get('/api/v1/plugins/7/charts')).body, /"type":"rated_pie"/);
  const { body } = await site.get('/openapi.json');
  assert.match(body, /"title":"rated_pie","type":"array"/);
});

test('a chart of the new type is drawn, and has a badge and a CSV file', async () => {
  const picture = await site.get('/embed/7/rating.svg');
  assert.match(picture.body, /Good.*75%.*Bad.*25%/s);
  assert.match((await site.get('/badge/7/rating.svg')).body, /Good 75%/);
  const { body } = await site.get('/plugin/bukkit/ExamplePlugin/7/rating.csv');
  assert.equal(body, 'name,value\r\nGood,3\r\nBad,1\r\n');
});

test('a chart of the new type is embedded in pages', async () => {
  assert.match((await site.get('/plugin/bukkit/ExamplePlugin/7')).body, /data-form="pie"/);
  const plugin = await fetchKnownPlugin(`${site.url}/`, 7);
  const { chart } = plugin.chartOf('rating') ?? assert.fail();
  assert.equal(parseContent(chart).kind, 'pie');
});

test('the script for pages contains the new table', async () => {
  const script = (await bundleForBrowsers()).find(({ path }) => path.endsWith('embed.js'));
  assert.match(script?.text ?? '', /simple_pie:"pie"/);
});

test('the client validates the data of the new type', async () => {
  const client = new PluginMetricsClient('http://x', {
    fetch: async () => new Response('[{"name":"Good"}]'),
  });
  await assert.rejects(
    client.readChartData(7, 'rating', { type: 'rated_pie' }),
    /\$\[0\]\.y must be a number/,
  );
});

test('a chart of the new type is exported as it was imported', async () => {
  const { stdout } = await runProgram(['export', '--store', store]);
  assert.equal(stdout, archiveText(archive));
});
