// A server with `--live-fields`: exactly what it sends beyond the interface, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapiDocument } from '../../src/api/routes.ts';
import { assertSameText } from './support/assertions.ts';
import { AnswerChecker } from './support/openapi-check.ts';
import {
  chartPath,
  chartsOf,
  chartText,
  museumId,
  sampleCharts,
  samplePlugins,
  sampleSoftware,
} from './support/sample.ts';
import { serveSample } from './support/test-server.ts';
import { getText, send } from './support/validated-client.ts';

const { url } = await serveSample({ hasLiveFields: true });
const plain = await serveSample();
const checker = new AnswerChecker({ hasLiveFields: true });

test('a plugin has software and isGlobal after its charts', async () => {
  for (const { id, name, owner, softwareId, isGlobal } of samplePlugins) {
    const found = sampleSoftware.find((one) => one.id === softwareId);
    const software = { id: found?.id, name: found?.name, url: found?.url };
    const head = JSON.stringify({ id, name, owner: { id: owner.id, name: owner.name } }).slice(0, -1);
    const expected = `${head},"charts":${liveRegistryText(id)},${JSON.stringify({ software, isGlobal }).slice(1)}`;
    for (const target of [`/api/v1/plugins/${id}`, `/api/v1/plugins/${id}/`])
      assertSameText(await getLive(target), expected, target);
  }
});

test('a chart has idCustom after its settings, in the registry and on its own', async () => {
  for (const { id } of samplePlugins) {
    const target = `/api/v1/plugins/${id}/charts`;
    assertSameText(await getLive(target), liveRegistryText(id), target);
  }
  for (const chart of sampleCharts)
    assertSameText(await getLive(chartPath(chart)), liveChartText(chart), chartPath(chart));
});

test('lists, data and errors are the same as without the option', async () => {
  const targets = [
    '/api/v1/plugins',
    '/api/v1/software',
    ...sampleCharts.map((chart) => `${chartPath(chart)}/data`),
  ];
  for (const target of targets)
    assertSameText(await getLive(target), await getText(plain.url, target), target);
  for (const target of ['/api/v1/plugins/999999999', '/api/v1/plugins/x', '/nothing']) {
    const [live, expected] = [await send(url, { target }, checker), await send(plain.url, { target })];
    assert.deepEqual([live.status, live.bytes], [expected.status, expected.bytes]);
  }
});

test('its OpenAPI document describes the fields, and that of a server without the option does not', async () => {
  assert.equal(await getLive('/openapi.json'), JSON.stringify(openapiDocument({ hasLiveFields: true })));
  for (const target of [`/api/v1/plugins/${museumId}`, `/api/v1/plugins/${museumId}/charts`]) {
    await assert.rejects(send(url, { target }), /must NOT have additional properties/);
    await assert.rejects(send(plain.url, { target }, checker), /must have required property/);
  }
});

async function getLive(target: string): Promise<string> {
  const answer = await send(url, { target }, checker);
  assert.equal(answer.status, 200, target);
  return answer.bytes.toString('utf8');
}

function liveChartText(chart: (typeof sampleCharts)[number]): string {
  return `${chartText(chart).slice(0, -1)},"idCustom":${JSON.stringify(chart.chartId)}}`;
}

function liveRegistryText(pluginId: number): string {
  const members = chartsOf(pluginId).map(
    (chart) => `${JSON.stringify(chart.chartId)}:${liveChartText(chart)}`,
  );
  return `{${members.join()}}`;
}
