/** Reader for one piece of work: the work goes on in a turn when a read is done. */
import type { Chart } from '../../model/chart.ts';
import type { ChartSpan, ReadChartData } from '../../model/chart-data.ts';
import type { LinePart, SumStep } from '../../model/line-sums.ts';
import type {
  ChangeScope,
  LatestPoint,
  MetricsReader,
  MetricsView,
  TimeWindow,
} from '../../model/metrics-reader.ts';
import type { OldName, PluginChart, PluginSummary } from '../../model/plugin.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { Points } from '../../model/points.ts';
import type { MakeRoom } from '../../model/room.ts';
import type { ShareHistory } from '../../model/share-history.ts';
import type { Software } from '../../model/software.ts';
import type { Turns } from '../turns.ts';

/** A store, as endpoints read it. */
export interface WorkReader extends MetricsView, Pick<MetricsReader, 'snapshot' | 'inSnapshot'> {}

/** View whose reads end in a turn of the work. */
class WorkView implements MetricsView {
  readonly #view: MetricsView;
  protected readonly turns: Turns;

  constructor(view: MetricsView, turns: Turns) {
    this.#view = view;
    this.turns = turns;
  }

  generation(of: ChangeScope): number {
    return this.#view.generation(of);
  }

  listSoftware(): Promise<readonly Software[]> {
    return this.turns.wait(this.#view.listSoftware());
  }

  listPlugins(): AsyncIterable<readonly PluginSummary[]> {
    return this.#batches(this.#view.listPlugins());
  }

  listOldNames(pluginId?: number): AsyncIterable<readonly OldName[]> {
    return this.#batches(this.#view.listOldNames(pluginId));
  }

  listLatestPoints(chartIds: readonly string[]): AsyncIterable<readonly LatestPoint[]> {
    return this.#batches(this.#view.listLatestPoints(chartIds));
  }

  listNewestTimes(until: number): AsyncIterable<number> {
    return this.#batches(this.#view.listNewestTimes(until));
  }

  getPlugin(pluginId: number): Promise<PluginSummary> {
    return this.turns.wait(this.#view.getPlugin(pluginId));
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return this.#batches(this.#view.listCharts(pluginId));
  }

  getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    return this.turns.wait(this.#view.getChart(pluginId, chartId));
  }

  readChartData(
    pluginId: number,
    chartId: string,
    latestCount: number,
    makeRoom?: MakeRoom,
  ): ReadChartData | Promise<ReadChartData> {
    const read = this.#view.readChartData(pluginId, chartId, latestCount, makeRoom);
    return read instanceof Promise ? this.turns.wait(read) : read;
  }

  findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, ChartSpan>> {
    return this.turns.wait(this.#view.findSpans(uids));
  }

  listEvents(pluginId: number): AsyncIterable<readonly PluginEvent[]> {
    return this.#batches(this.#view.listEvents(pluginId));
  }

  readPoints(uid: number, window: TimeWindow, makeRoom?: MakeRoom): AsyncIterable<Points> {
    return this.#batches(this.#view.readPoints(uid, window, makeRoom));
  }

  readHistory(uid: number, window: TimeWindow, makeRoom?: MakeRoom): AsyncIterable<ShareHistory> {
    return this.#batches(this.#view.readHistory(uid, window, makeRoom));
  }

  readSums(uid: number, window: TimeWindow, step: SumStep, makeRoom?: MakeRoom): AsyncIterable<LinePart> {
    return this.#batches(this.#view.readSums(uid, window, step, makeRoom));
  }

  async *#batches<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.turns.wait(iterator.next());
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

  constructor(reader: MetricsReader, turns: Turns) {
    super(reader, turns);
    this.#reader = reader;
  }

  snapshot<Part>(read: (view: MetricsView) => AsyncIterable<Part>): AsyncIterable<Part> {
    return this.#reader.snapshot((view) => read(new WorkView(view, this.turns)));
  }

  inSnapshot<Result>(load: (view: MetricsView) => Promise<Result>): Promise<Result> {
    return this.#reader.inSnapshot((view) => load(new WorkView(view, this.turns)));
  }
}

/** Makes the reader for one piece of work. */
export function createWorkReader(reader: MetricsReader, turns: Turns): WorkReader {
  return new WholeReader(reader, turns);
}
