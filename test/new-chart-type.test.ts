// Adding a chart type: one line in the table, and the type is stored, listed, drawn, embedded and exported.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

// The source of the table with one more line, as an editor would add it. Everything else is imported after it.
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/src/model/chart-types.ts')) return loaded;
    const line = "export const chartTypes = {\n  rated_pie: 'pie',";
    return { ...loaded, source: String(loaded.source).replace('export const chartTypes = {', line) };
  },
});
const { bundleForBrowsers } = await import('../build/browser.ts');
const { makeDirectory } = await import('./http/support/test-server.ts');
const { serveSite } = await import('./site/pages/support/site-client.ts');
const { archiveText, chartLine, dataLine, pluginLine, softwareLine } = await import(
  './support/archive-text.ts'
);
const { runProgram } = await import('./support/run-program.ts');

test('one line in the table of chart types makes a type that everything knows', async () => {
  const store = join(makeDirectory(), 'rated.db');
  const about = { chartId: 'rating', uid: 9, type: 'rated_pie', title: 'Rating' };
  const data = dataLine('rating', '[{"name":"Good","y":3},{"name":"Bad","y":1}]');
  const archive = archiveText([softwareLine(), pluginLine(), chartLine({ ...about, data: {} }), data]);
  const imported = await runProgram(['import', '--store', store, '-'], { input: archive });
  assert.equal(imported.stderr, '');
  const wrong = archiveText([dataLine('rating', '[{"name":"Good"}]')]);
  const { stderr } = await runProgram(['import', '--store', store, '-'], { input: wrong });
  assert.match(stderr, /<stdin>:2: data\[0\]/);
  assert.equal((await runProgram(['export', '--store', store])).stdout, archive);
  const site = await serveSite(store);
  for (const [target, expected] of [
    ['/api/v1/plugins/7/charts', /"type":"rated_pie"/],
    ['/openapi.json', /"title":"rated_pie","type":"array"/],
    ['/embed/7/rating.svg', /Good.*75%.*Bad.*25%/s],
    ['/badge/7/rating.svg', /Good 75%/],
    ['/plugin/bukkit/ExamplePlugin/7/rating.csv', /^name,value\r\nGood,3\r\nBad,1\r\n$/],
    ['/plugin/bukkit/ExamplePlugin/7', /data-form="pie"/],
  ] as const)
    assert.match((await site.get(target)).body, expected, target);
  // Bundles take the table from there, without the line of this test.
  const scripts = (await bundleForBrowsers()).map(({ text }) => text);
  assert.ok(scripts.some((text) => text.includes('simple_pie:"pie"')));
});
