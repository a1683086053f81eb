/**
 * Finds the contributions of a report to the charts of a plugin, and logs what does not count, because the
 * author of a plugin cannot see it in the answer.
 */
import { quote } from '../model/app-error.ts';
import type { Chart } from '../model/catalogue.ts';
import { findDefaultChart, type ReportingServer } from './default-values.ts';
import { valuesDropped } from './metrics.ts';
import type { ReportedCharts } from './report.ts';
import { chartName } from './report-line.ts';
import { parseCount, parseReportedValue, type ReportedValue } from './reported-value.ts';

/** The part of a chart that decides what counts for it. */
export interface CountedChart extends Pick<Chart, 'chartId' | 'type' | 'isDefault'> {
  /** Clamps a value of a line to the bounds of its filter. */
  readonly clamp: (value: number) => number;
}

/**
 * The charts of a report that do not count, because the plugin has no such chart, or the value does not fit
 * its type.
 */
export type DroppedCharts = ReadonlyMap<string, 'unknown-chart' | 'wrong-value'>;

/** The outcome of a report for a plugin. */
interface CountedValues {
  /** By {@link chartName}. */
  readonly values: readonly (readonly [chart: string, value: ReportedValue])[];
  readonly dropped: DroppedCharts;
}

/**
 * Lists the contributions of a server: to default charts from the members of its report, to others from the
 * charts in the report. Charts without a contribution are left out.
 * @param reporting the server.
 * @param reported the charts in the report; none for a global plugin.
 */
export function valuesForCharts(
  charts: readonly CountedChart[],
  reporting: Omit<ReportingServer, 'players'>,
  reported: ReportedCharts,
): CountedValues {
  const server = { ...reporting, players: playersOf(charts, reporting) };
  const values: (readonly [string, ReportedValue])[] = [];
  const dropped = new Map<string, 'unknown-chart' | 'wrong-value'>();
  for (const chartId of reported.keys()) dropped.set(chartId, 'unknown-chart');
  for (const chart of charts) {
    const { chartId, isDefault } = chart;
    const value = valueFor(chart, server, reported);
    if (value !== undefined)
      values.push([chartName(chart), typeof value === 'number' ? chart.clamp(value) : value]);
    const member = isDefault ? findDefaultChart(chartId)?.countMember : undefined;
    const isReported = isDefault ? (server.fields[member ?? ''] ?? null) !== null : dropped.delete(chartId);
    if (isReported && value === undefined) dropped.set(chartId, 'wrong-value');
  }
  return { values, dropped };
}

/** Finds the players of a server, as the line of players counts them. */
function playersOf(
  charts: readonly CountedChart[],
  { fields }: Pick<ReportingServer, 'fields'>,
): number | undefined {
  const players = parseCount(fields['playerAmount']);
  const line = charts.find(({ chartId, isDefault }) => isDefault && chartId === 'players');
  return players === undefined || line === undefined ? players : line.clamp(players);
}

function valueFor(
  { chartId, type, isDefault }: CountedChart,
  server: ReportingServer,
  reported: ReportedCharts,
): ReportedValue | undefined {
  if (isDefault) {
    const chart = findDefaultChart(chartId);
    return chart?.type === type ? chart.compute(server) : undefined;
  }
  const data = reported.get(chartId);
  return data && parseReportedValue(type, data, server.country?.code);
}

/** The most charts that are named for one slot. */
const maxNamed = 100;

/**
 * Makes a function that counts the dropped charts of a report for a plugin, and names them once per slot in
 * the log.
 */
export function droppedCounter(
  log: (message: string) => void,
): (slot: number, pluginId: number, dropped: DroppedCharts) => void {
  const named = new Set<string>();
  let namedSlot = 0;
  return (slot, pluginId, dropped) => {
    if (slot !== namedSlot) named.clear();
    namedSlot = slot;
    for (const [chartId, reason] of dropped) {
      valuesDropped.inc({ reason });
      const name = `${pluginId}/${chartId}`;
      if (named.size >= maxNamed || named.has(name)) continue;
      named.add(name);
      log(`plugin ${pluginId} reported ${quote(chartId)}, which is not counted: ${reason}`);
    }
  };
}
