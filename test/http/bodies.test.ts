// The bodies of the six endpoints, compared exactly with the archive of the store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameText } from './support/assertions.ts';
import {
  chartPath,
  chartText,
  museumChart,
  registryText,
  sampleCharts,
  samplePlugins,
  sampleSoftware,
} from './support/sample.ts';
import { openApp } from './support/test-app.ts';
import { makeSampleStore } from './support/test-server.ts';

const { textOf } = openApp(await makeSampleStore());
const lines = sampleCharts.filter((chart) => chart.type === 'single_linechart');

test('the plugin list has every plugin by ascending id, with exactly the fields of the interface', async () => {
  const softwareById = new Map(sampleSoftware.map((software) => [software.id, software]));
  const expected = samplePlugins.map(({ id, name, owner, softwareId, isGlobal }) => {
    const software = softwareById.get(softwareId);
    const reference = { id: software?.id, name: software?.name, url: software?.url };
    return { id, name, owner: { id: owner.id, name: owner.name }, software: reference, isGlobal };
  });
  assertSameText(await textOf('/api/v1/plugins'), JSON.stringify(expected), 'the plugin list');
});

test('the software list has every software by ascending id, and null if there is no global plugin', async () => {
  const names = new Map(samplePlugins.map(({ id, name }) => [id, name]));
  const expected = sampleSoftware.map((software) => {
    const { id, name, url: shortUrl, globalPluginId } = software;
    const globalPlugin =
      globalPluginId === null ? null : { id: globalPluginId, name: names.get(globalPluginId) };
    return { id, name, url: shortUrl, globalPlugin };
  });
  const text = await textOf('/api/v1/software');
  assertSameText(text, JSON.stringify(expected), 'the software list');
  assert.equal(text.split('null').length, 2);
});

test('every plugin answers its detail and its registry, with charts by position, then id, and settings unchanged', async () => {
  for (const { id, name, owner } of samplePlugins) {
    const registry = registryText(id);
    const head = JSON.stringify({ id, name, owner: { id: owner.id, name: owner.name } }).slice(0, -1);
    assertSameText(await textOf(`/api/v1/plugins/${id}`), `${head},"charts":${registry}}`, `${id}`);
    assertSameText(await textOf(`/api/v1/plugins/${id}/charts`), registry, `charts of ${id}`);
  }
});

test('every chart answers its definition', async () => {
  for (const chart of sampleCharts)
    assertSameText(await textOf(chartPath(chart)), chartText(chart), chartPath(chart));
});

test('every chart answers all of its data if everything is requested', async () => {
  for (const chart of sampleCharts) {
    const path = `${chartPath(chart)}/data?maxElements=1000000`;
    assertSameText(await textOf(path), chart.data, path);
  }
});

test('every line answers the latest 1440 points by default', async () => {
  assert.ok(lines.some(({ points }) => points.length > 1440));
  assert.ok(lines.some(({ points }) => points.length < 1440));
  for (const line of lines) {
    const expected = JSON.stringify(line.points.slice(-1440));
    assertSameText(await textOf(`${chartPath(line)}/data`), expected, chartPath(line));
  }
});

test('a line answers the requested number of points around the default and the ends of chunks', async () => {
  const line = museumChart('average_tps');
  const { length } = line.points;
  for (const count of [0, 1, 2, 5, 1023, 1024, 1025, 1439, 1440, 1441, length - 1, length]) {
    const expected = JSON.stringify(count === 0 ? [] : line.points.slice(-count));
    const path = `${chartPath(line)}/data?maxElements=${count}`;
    assertSameText(await textOf(path), expected, path);
  }
});
