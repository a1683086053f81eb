/** The reads that the readers of both stores share. */
import type { Chart } from '../model/chart.ts';
import type { ChartSpan, ReadChartData } from '../model/chart-data.ts';
import type {
  ChangeScope,
  LatestPoint,
  MetricsReader,
  MetricsView,
  TimeWindow,
} from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { OldName, PluginChart, PluginSummary } from '../model/plugin.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import type { Points } from '../model/points.ts';
import type { ShareHistory } from '../model/share-history.ts';
import type { Software } from '../model/software.ts';

/** A view of one state, which stays as it is until it is released. */
export interface HeldView {
  readonly view: MetricsView;
  readonly release: () => void;
}

/** A reader whose single answers come from the newest state, and whose lists come from a snapshot of their own. */
export abstract class StoreReader implements MetricsReader {
  /** A view that sees the newest state at each read. */
  protected abstract readonly newest: MetricsView;

  /** Holds the newest state. Rejects with AppError `unavailable` if the store cannot be read. */
  protected abstract hold(): Promise<HeldView>;

  abstract generation(of: ChangeScope): number;
  abstract unreachableMs(): number;
  abstract records(): AsyncIterable<readonly MetricsRecord[]>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  async *snapshot<Part>(read: (view: MetricsView) => AsyncIterable<Part>): AsyncGenerator<Part> {
    const { view, release } = await this.hold();
    try {
      yield* read(view);
    } finally {
      release();
    }
  }

  async inSnapshot<Result>(load: (view: MetricsView) => Promise<Result>): Promise<Result> {
    const { view, release } = await this.hold();
    try {
      return await load(view);
    } finally {
      release();
    }
  }

  listSoftware(): Promise<readonly Software[]> {
    return this.newest.listSoftware();
  }

  getPlugin(pluginId: number): Promise<PluginSummary> {
    return this.newest.getPlugin(pluginId);
  }

  getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    return this.newest.getChart(pluginId, chartId);
  }

  readChartData(
    pluginId: number,
    chartId: string,
    latestCount: number,
  ): ReadChartData | Promise<ReadChartData> {
    return this.newest.readChartData(pluginId, chartId, latestCount);
  }

  findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, ChartSpan>> {
    return this.inSnapshot((view) => view.findSpans(uids));
  }

  listPlugins(): AsyncIterable<readonly PluginSummary[]> {
    return this.snapshot((view) => view.listPlugins());
  }

  listOldNames(pluginId?: number): AsyncIterable<readonly OldName[]> {
    return this.snapshot((view) => view.listOldNames(pluginId));
  }

  listLatestPoints(chartIds: readonly string[]): AsyncIterable<readonly LatestPoint[]> {
    return this.snapshot((view) => view.listLatestPoints(chartIds));
  }

  listNewestTimes(until: number): AsyncIterable<number> {
    return this.snapshot((view) => view.listNewestTimes(until));
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return this.snapshot((view) => view.listCharts(pluginId));
  }

  listEvents(pluginId: number): AsyncIterable<readonly PluginEvent[]> {
    return this.snapshot((view) => view.listEvents(pluginId));
  }

  readPoints(uid: number, window: TimeWindow): AsyncIterable<Points> {
    return this.snapshot((view) => view.readPoints(uid, window));
  }

  readHistory(uid: number, window: TimeWindow): AsyncIterable<ShareHistory> {
    return this.snapshot((view) => view.readHistory(uid, window));
  }
}
