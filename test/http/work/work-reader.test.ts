// The measured time of store reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricsView } from '../../../src/model/metrics-reader.ts';
import { museumChart } from '../support/sample.ts';
import { makeSampleStore, replaceMethods, serveStore } from '../support/test-server.ts';
import { get } from '../support/validated-client.ts';

const busyMs = 20;

test('the time of a read counts from its call, even for a store that reads synchronously', async () => {
  const busy = <Result>(read: () => Result) => {
    const end = performance.now() + busyMs;
    while (performance.now() < end);
    return read();
  };
  const busyIn = (view: MetricsView) => ({
    async getChart(...about: Parameters<MetricsView['getChart']>) {
      return busy(() => view.getChart(...about));
    },
    readChartData: (...about: Parameters<MetricsView['readChartData']>) =>
      busy(() => view.readChartData(...about)),
    async *listPlugins() {
      for await (const plugins of view.listPlugins()) yield busy(() => plugins);
    },
  });
  await using server = await serveStore(await makeSampleStore(), {
    wrap: (reader) => replaceMethods(reader, busyIn),
  });
  const { pluginId, chartId } = museumChart('players');
  const chart = `/api/v1/plugins/${pluginId}/charts/${chartId}`;
  for (const target of [chart, `${chart}/data`, '/api/v1/plugins']) {
    const before = server.counts().storeReads.sum;
    assert.equal((await get(server.url, target)).status, 200);
    const seconds = server.counts().storeReads.sum - before;
    assert.ok(seconds >= busyMs / 1000, `${target}: ${seconds} s`);
  }
});
