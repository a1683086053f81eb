/** Fetches what a server knows of a plugin: its charts with their newest data, and its events. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { getJson } from './shared-requests.ts';

/** The times of the first and the last point or history of a chart, in Unix milliseconds. */
export interface ChartSpan {
  readonly first: number;
  readonly last: number;
}

/** A chart as its plugin knows it. */
export interface KnownChart {
  /** The chart with its newest data, or without (`data` undefined). */
  readonly chart: ChartToDraw;
  readonly span?: ChartSpan;
  /** The newest value of a line. */
  readonly latestValue?: number;
}

/** A plugin. */
export interface KnownPlugin {
  readonly plugin: {
    readonly id: number;
    readonly name: string;
    readonly software: { readonly name: string };
  };
  readonly chartOf: (chartId: string) => KnownChart | undefined;
  /** In the order of time. */
  readonly events: readonly PluginEvent[];
}

/**
 * Fetches a plugin.
 * @throws RequestFailure, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchKnownPlugin(server: string, pluginId: number): Promise<KnownPlugin> {
  const plugin = await getJson(`${server}api/v2/plugins/${pluginId}`);
  const charts = listOf(memberOf(plugin, 'charts'));
  return {
    plugin: {
      id: pluginId,
      name: String(memberOf(plugin, 'name')),
      software: { name: String(memberOf(memberOf(plugin, 'software'), 'name')) },
    },
    chartOf: (chartId) => {
      const found = charts.find((chart) => memberOf(chart, 'chartId') === chartId);
      const chart = chartOf(plugin, found);
      return chart && knownChart(chart, found);
    },
    events: listOf(memberOf(plugin, 'events')).filter(isEvent),
  };
}

function knownChart(chart: ChartToDraw, found: unknown): KnownChart {
  const [first, last, latest] = ['first', 'last', 'latest'].map((name) => memberOf(found, name));
  const span = typeof first === 'number' && typeof last === 'number' ? { span: { first, last } } : {};
  if (chart.form !== 'line')
    return { chart: { ...chart, data: latest, timestamp: span.span?.last }, ...span };
  const latestValue = listOf(latest)[1];
  return { chart, ...span, ...(typeof latestValue === 'number' ? { latestValue } : {}) };
}

function isEvent(event: unknown): event is PluginEvent {
  const url = memberOf(event, 'url');
  const isLink = url === null || (typeof url === 'string' && /^https?:/i.test(url));
  return isLink && Number.isFinite(memberOf(event, 'time')) && typeof memberOf(event, 'title') === 'string';
}

function chartOf(plugin: unknown, chart: unknown): ChartToDraw | undefined {
  const type = memberOf(chart, 'type');
  const title = memberOf(chart, 'title');
  const pluginName = memberOf(plugin, 'name');
  if (typeof type !== 'string' || typeof title !== 'string') return undefined;
  return {
    form: formOf(type),
    title,
    isDefault: memberOf(chart, 'isDefault') === true,
    settings: memberOf(chart, 'settings'),
    data: undefined,
    ...(typeof pluginName === 'string' ? { pluginName } : {}),
  };
}

/** The own member of an object: ids such as `constructor` are ordinary ids. */
export function memberOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null;
  return isObject && Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** A list as it is; anything else as an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
