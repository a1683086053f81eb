/** Finds what one report adds to the charts of a plugin, and says what it does not: the author of a plugin cannot see it in the answer. */
import { quote } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import { findDefaultChart, type ReportingServer } from './default-values.ts';
import { valuesDropped } from './metrics.ts';
import type { ReportedCharts } from './report.ts';
import type { ReportedValue } from './reported-value.ts';
import { parseReportedValue } from './reported-value.ts';

/** The part of a chart that decides what is counted for it. */
export interface CountedChart extends Pick<Chart, 'chartId' | 'type' | 'isDefault'> {
  /** Moves a value of a line into the bounds of its filter. */
  readonly clamp: (value: number) => number;
}

/** A chart of a report that is not counted: the plugin has no such chart of its own, or the value does not fit its type. */
export interface DroppedValue {
  readonly chartId: string;
  readonly reason: 'unknown-chart' | 'wrong-value';
}

/**
 * Lists what a server adds to each chart: to default charts by the members of its report, to others by what the plugin reports for them.
 * A chart for which the report has nothing, or nothing that counts, is left out.
 * @param reported the charts in the report; none for a global plugin.
 */
export function valuesForCharts<Counted extends CountedChart>(
  charts: readonly Counted[],
  server: ReportingServer,
  reported: ReportedCharts,
): (readonly [chart: Counted, value: ReportedValue])[] {
  const values: (readonly [Counted, ReportedValue])[] = [];
  for (const chart of charts) {
    const value = chart.isDefault ? defaultValue(chart, server) : ownValue(chart, server, reported);
    if (value !== undefined) values.push([chart, typeof value === 'number' ? chart.clamp(value) : value]);
  }
  return values;
}

/** Lists the charts of a report that are not among those that count. */
export function droppedValues(
  charts: readonly CountedChart[],
  counted: readonly (readonly [chart: CountedChart, value: ReportedValue])[],
  reported: ReportedCharts,
): readonly DroppedValue[] {
  const own = counted.filter(([{ isDefault }]) => !isDefault);
  if (own.length === reported.size) return [];
  const countedIds = new Set(own.map(([{ chartId }]) => chartId));
  const ownIds = new Set(charts.filter(({ isDefault }) => !isDefault).map(({ chartId }) => chartId));
  return [...reported.keys()]
    .filter((chartId) => !countedIds.has(chartId))
    .map((chartId) => ({ chartId, reason: ownIds.has(chartId) ? 'wrong-value' : 'unknown-chart' }));
}

function defaultValue({ chartId, type }: CountedChart, server: ReportingServer): ReportedValue | undefined {
  const chart = findDefaultChart(chartId);
  return chart?.type === type ? chart.compute(server) : undefined;
}

function ownValue(
  { chartId, type }: CountedChart,
  { country }: ReportingServer,
  reported: ReportedCharts,
): ReportedValue | undefined {
  const data = reported.get(chartId);
  return data && parseReportedValue(type, data, country?.code);
}

/** The most charts that are named for one slot. */
const maxNamed = 100;

/** Counts dropped values, and names their charts once a slot in the log. */
export class DroppedValues {
  readonly #log: (message: string) => void;
  #slot = 0;
  #named = new Set<string>();

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /** Notes the dropped values of a report for a plugin. */
  note(slot: number, pluginId: number, dropped: readonly DroppedValue[]): void {
    if (slot !== this.#slot) this.#named.clear();
    this.#slot = slot;
    for (const { chartId, reason } of dropped) {
      valuesDropped.inc({ reason });
      const name = `${pluginId}/${chartId}`;
      if (this.#named.size >= maxNamed || this.#named.has(name)) continue;
      this.#named.add(name);
      this.#log(`plugin ${pluginId} reported ${quote(chartId)}, which is not counted: ${reason}`);
    }
  }
}
