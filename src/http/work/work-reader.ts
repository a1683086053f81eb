/** Reader for one piece of work: its reads are timed, and the work goes on in a turn when one is done. */
import type { Chart } from '../../model/chart.ts';
import type { ChartSpan, ReadChartData } from '../../model/chart-data.ts';
import type { HistogramCounter } from '../../model/histogram.ts';
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

/** Turns of the work, and the histogram of reads. */
interface WorkTools {
  readonly turns: Turns;
  /** Duration of every read, and of every batch of a long one, failed ones included. */
  readonly seconds: HistogramCounter;
}

/** View whose reads are timed and end in a turn of the work. */
class WorkView implements MetricsView {
  readonly #view: MetricsView;
  protected readonly work: WorkTools;

  constructor(view: MetricsView, work: WorkTools) {
    this.#view = view;
    this.work = work;
  }

  generation(of: ChangeScope): number {
    return this.#view.generation(of);
  }

  listSoftware(): Promise<readonly Software[]> {
    return this.#timed(performance.now(), this.#view.listSoftware());
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

  getPlugin(pluginId: number): Promise<PluginSummary> {
    return this.#timed(performance.now(), this.#view.getPlugin(pluginId));
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return this.#batches(this.#view.listCharts(pluginId));
  }

  getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    return this.#timed(performance.now(), this.#view.getChart(pluginId, chartId));
  }

  readChartData(
    pluginId: number,
    chartId: string,
    latestCount: number,
    makeRoom?: MakeRoom,
  ): ReadChartData | Promise<ReadChartData> {
    const startedAt = performance.now();
    let read: ReadChartData | Promise<ReadChartData> | undefined;
    try {
      read = this.#view.readChartData(pluginId, chartId, latestCount, makeRoom);
    } finally {
      if (!(read instanceof Promise)) this.#observe(startedAt);
    }
    return read instanceof Promise ? this.#timed(startedAt, read) : read;
  }

  findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, ChartSpan>> {
    return this.#timed(performance.now(), this.#view.findSpans(uids));
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

  /** @param startedAt the time before the call: a store may read within it. */
  #timed<Result>(startedAt: number, read: Promise<Result>): Promise<Result> {
    return this.work.turns.wait(read, () => this.#observe(startedAt));
  }

  #observe(startedAt: number): void {
    this.work.seconds.observe((performance.now() - startedAt) / 1000);
  }

  async *#batches<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#timed(performance.now(), iterator.next());
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

  constructor(reader: MetricsReader, work: WorkTools) {
    super(reader, work);
    this.#reader = reader;
  }

  snapshot<Part>(read: (view: MetricsView) => AsyncIterable<Part>): AsyncIterable<Part> {
    return this.#reader.snapshot((view) => read(new WorkView(view, this.work)));
  }

  inSnapshot<Result>(load: (view: MetricsView) => Promise<Result>): Promise<Result> {
    return this.#reader.inSnapshot((view) => load(new WorkView(view, this.work)));
  }
}

/** Makes the reader for one piece of work. */
export function createWorkReader(reader: MetricsReader, work: WorkTools): WorkReader {
  return new WholeReader(reader, work);
}
