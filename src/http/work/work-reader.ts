/** The reader of one piece of work: its reads are timed, and what they give is used in the turns of the work. */
import type { Chart } from '../../model/chart.ts';
import type { ReadChartData } from '../../model/chart-data.ts';
import type { HistogramCounter } from '../../model/histogram.ts';
import type { LatestPoint } from '../../model/latest-point.ts';
import type { ChangeScope, MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart, PluginSummary } from '../../model/plugin.ts';
import type { Software } from '../../model/software.ts';
import type { Turns } from '../turns.ts';

/** The store as what is made of it sees it. */
export interface WorkReader extends MetricsView, Pick<MetricsReader, 'snapshot' | 'unreachableMs'> {}

/**
 * A view in the turns of some work.
 * @param seconds every read, and every batch of a long one, is observed in it, failed ones included.
 */
class WorkView implements MetricsView {
  readonly #view: MetricsView;
  readonly #turns: Turns;
  readonly #seconds: HistogramCounter;

  constructor(view: MetricsView, turns: Turns, seconds: HistogramCounter) {
    this.#view = view;
    this.#turns = turns;
    this.#seconds = seconds;
  }

  generation(of: ChangeScope): number {
    return this.#view.generation(of);
  }

  listSoftware(): Promise<readonly Software[]> {
    return this.timed(() => this.#view.listSoftware());
  }

  listPlugins(): AsyncIterable<readonly PluginSummary[]> {
    return this.#batches(this.#view.listPlugins());
  }

  listLatestPoints(chartIds: readonly string[]): AsyncIterable<readonly LatestPoint[]> {
    return this.#batches(this.#view.listLatestPoints(chartIds));
  }

  getPlugin(pluginId: number): Promise<PluginSummary> {
    return this.timed(() => this.#view.getPlugin(pluginId));
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return this.#batches(this.#view.listCharts(pluginId));
  }

  getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    return this.timed(() => this.#view.getChart(pluginId, chartId));
  }

  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    return this.timed(() => this.#view.readChartData(pluginId, chartId, latestCount));
  }

  protected timed<Result>(read: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = read();
    const observe = () => this.#seconds.observe((performance.now() - startedAt) / 1000);
    result.then(observe, observe);
    return this.#turns.wait(result);
  }

  async *#batches<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.timed(() => iterator.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}

class WholeReader extends WorkView implements WorkReader {
  readonly #reader: MetricsReader;
  readonly #turns: Turns;
  readonly #seconds: HistogramCounter;

  constructor(reader: MetricsReader, turns: Turns, seconds: HistogramCounter) {
    super(reader, turns, seconds);
    this.#reader = reader;
    this.#turns = turns;
    this.#seconds = seconds;
  }

  unreachableMs(): number {
    return this.#reader.unreachableMs();
  }

  snapshot<Part>(read: (view: MetricsView) => AsyncIterable<Part>): AsyncIterable<Part> {
    return this.#reader.snapshot((view) => read(new WorkView(view, this.#turns, this.#seconds)));
  }
}

/** The reader for work with these turns; `seconds` observes how long each read took. */
export function readerFor(
  reader: MetricsReader,
  { turns, seconds }: { readonly turns: Turns; readonly seconds: HistogramCounter },
): WorkReader {
  return new WholeReader(reader, turns, seconds);
}
