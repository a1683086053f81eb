/** A reader that says how long each read took. */
import type { HistogramCounter } from '../model/histogram.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';

/** The same reader; every read, and every batch of a long one, is observed in seconds, failed ones included. */
export function timedReader(reader: MetricsReader, seconds: HistogramCounter): MetricsReader {
  const timed = <Value>(read: () => Promise<Value>): Promise<Value> => {
    const startedAt = performance.now();
    const value = read();
    const observe = () => seconds.observe((performance.now() - startedAt) / 1000);
    value.then(observe, observe);
    return value;
  };
  async function* timedBatches<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await timed(() => iterator.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return {
    generation: (of) => reader.generation(of),
    unreachableMs: () => reader.unreachableMs(),
    readState: () => reader.readState(),
    listSoftware: () => timed(() => reader.listSoftware()),
    listPlugins: () => timedBatches(reader.listPlugins()),
    listLatestPoints: (chartIds) => timedBatches(reader.listLatestPoints(chartIds)),
    getPlugin: (pluginId) => timed(() => reader.getPlugin(pluginId)),
    getChart: (pluginId, chartId) => timed(() => reader.getChart(pluginId, chartId)),
    readChartData: (pluginId, chartId, latestCount) =>
      timed(() => reader.readChartData(pluginId, chartId, latestCount)),
    records: () => timedBatches(reader.records()),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}
