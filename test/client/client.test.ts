// The client with this project's own server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginMetricsClient, PluginMetricsError } from '../../src/client/client.ts';
import { PluginMetricsHttp } from '../../src/client/http.ts';
import {
  chartPath,
  chartsOf,
  chartText,
  museumChart,
  museumId,
  sampleCharts,
  samplePlugins,
  sampleSoftware,
} from '../http/support/sample.ts';
import { serveSample } from '../http/support/test-server.ts';

const { url } = await serveSample();
const client = new PluginMetricsClient(url);

test('lists all plugins', async () => {
  const plugins = await client.listPlugins();
  assert.deepEqual(
    plugins.map(({ id, name, owner, software, isGlobal }) => [id, name, owner, software.id, isGlobal]),
    samplePlugins.map(({ id, name, owner, softwareId, isGlobal }) => [id, name, owner, softwareId, isGlobal]),
  );
});

test('gets every chart of the sample', async () => {
  for (const chart of chartsOf(museumId))
    assert.deepEqual(await client.getChart(museumId, chart.chartId), JSON.parse(chartText(chart)));
});

test('reads the data of every type of chart, with and without that type', async () => {
  for (const { pluginId, chartId, type, data } of chartsOf(museumId)) {
    const expected: unknown = JSON.parse(data);
    const options = { maxElements: 1_000_000 };
    assert.deepEqual(await client.readChartData(pluginId, chartId, options), expected);
    assert.deepEqual(await client.readChartData(pluginId, chartId, { ...options, type }), expected);
  }
});

test('reads as many points as requested', async () => {
  const line = sampleCharts.find(({ points }) => points.length > 2);
  assert.ok(line !== undefined);
  const { pluginId, chartId, points } = line;
  const data = await client.readChartData(pluginId, chartId, { type: 'single_linechart', maxElements: 2 });
  assert.deepEqual(data, points.slice(-2));
});

test('lists all software', async () => {
  const software = await client.listSoftware();
  assert.deepEqual(
    software.map(({ id, name, url, globalPlugin }) => [id, name, url, globalPlugin?.id ?? null]),
    sampleSoftware.map(({ id, name, url, globalPluginId }) => [id, name, url, globalPluginId]),
  );
});

test('an unknown plugin is an error with the URL, the status and the problem document', async () => {
  await assert.rejects(client.getPlugin(999), (error) => {
    assert.ok(error instanceof PluginMetricsError && error instanceof Error);
    assert.equal(error.url, `${url}/api/v1/plugins/999`);
    assert.equal(error.status, 404);
    assert.equal(error.isNotFound, true);
    assert.equal(error.problem?.status, 404);
    assert.ok(error.problem.detail);
    assert.equal(error.message, `${error.url}: answered 404: ${error.problem.detail}`);
    return true;
  });
});

test('the text of an answer is exactly the JSON sent', async () => {
  const chart = museumChart('players');
  assert.equal((await new PluginMetricsHttp(url).get(chartPath(chart))).text, chartText(chart));
});
