// The bodies of the six endpoints, compared exactly with the archive of the store; and what a server with
// `--live-fields` adds to them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapiDocument } from '../../src/api/routes.ts';
import { assertSameText } from './support/assertions.ts';
import { checkAnswer } from './support/openapi-check.ts';
import {
  chartPath,
  chartsOf,
  chartText,
  museumChart,
  museumId,
  sampleCharts,
  samplePlugins,
  sampleSoftware,
} from './support/sample.ts';
import { openApp } from './support/test-app.ts';
import { makeSampleStore } from './support/test-server.ts';

const store = await makeSampleStore();
const plain = openApp(store);
const live = openApp(store, { hasLiveFields: true });
const { textOf } = plain;
const lines = sampleCharts.filter((chart) => chart.type === 'single_linechart');

/** The text of an object with further members. */
const extended = (text: string, members: object) =>
  `${text.slice(0, -1)},${JSON.stringify(members).slice(1)}`;

const servers = [
  { ...plain, textOfChart: chartText },
  {
    ...live,
    textOfChart: (chart: (typeof sampleCharts)[number]) =>
      extended(chartText(chart), { idCustom: chart.chartId }),
  },
];

function softwareOf({ softwareId }: (typeof samplePlugins)[number]): object {
  const software = sampleSoftware.find(({ id }) => id === softwareId);
  return { id: software?.id, name: software?.name, url: software?.url };
}

test('the plugin list has every plugin by ascending id, with exactly the fields of the interface', async () => {
  const expected = samplePlugins.map((plugin) => {
    const { id, name, owner, isGlobal } = plugin;
    return { id, name, owner: { id: owner.id, name: owner.name }, software: softwareOf(plugin), isGlobal };
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
  for (const { textOf, textOfChart } of servers)
    for (const plugin of samplePlugins) {
      const { id, name, owner, isGlobal } = plugin;
      const members = chartsOf(id).map((chart) => `${JSON.stringify(chart.chartId)}:${textOfChart(chart)}`);
      const registry = `{${members.join()}}`;
      const head = JSON.stringify({ id, name, owner: { id: owner.id, name: owner.name } }).slice(0, -1);
      const detail = `${head},"charts":${registry}}`;
      const expected =
        textOfChart === chartText ? detail : extended(detail, { software: softwareOf(plugin), isGlobal });
      for (const slash of ['', '/'])
        assertSameText(await textOf(`/api/v1/plugins/${id}${slash}`), expected, `${id}`);
      assertSameText(await textOf(`/api/v1/plugins/${id}/charts`), registry, `charts of ${id}`);
    }
});

test('every chart answers its definition', async () => {
  for (const { textOf, textOfChart } of servers)
    for (const chart of sampleCharts)
      assertSameText(await textOf(chartPath(chart)), textOfChart(chart), chartPath(chart));
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

test('with live fields lists, data and errors are the same', async () => {
  for (const target of [
    ...['/api/v1/plugins', '/api/v1/software', `${chartPath(museumChart('servers'))}/data`],
    ...['/api/v1/plugins/999999999', '/api/v1/plugins/x', '/nothing'],
  ]) {
    const [other, expected] = [await live.ask(target), await plain.ask(target)];
    assert.deepEqual([other.status, other.bytes], [expected.status, expected.bytes]);
  }
});

test('the OpenAPI document describes the live fields of a server that has them, and only there', async () => {
  const document = JSON.stringify(openapiDocument({ hasLiveFields: true }));
  assertSameText(await live.textOf('/openapi.json'), document, 'the document');
  for (const target of [`/api/v1/plugins/${museumId}`, `/api/v1/plugins/${museumId}/charts`]) {
    const request = { method: 'GET', target };
    const [answer, expected] = [await live.ask(target), await plain.ask(target)];
    assert.throws(() => checkAnswer(request, answer), /must NOT have additional properties/);
    assert.throws(
      () => checkAnswer(request, expected, { hasLiveFields: true }),
      /must have required property/,
    );
  }
});
