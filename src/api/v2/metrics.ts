/** Newest values of some plugins in the text format of Prometheus. */

import { maxId } from '../../model/catalogue.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { Query } from '../../model/parameter.ts';
import type { LatestPoint, ListedPlugin, PluginListRequest } from '../../model/plugin-list.ts';
import { spanOver } from '../../model/window.ts';
import { apiEndpoint, malformed, parseQuery } from '../api-endpoint.ts';
import { maxIds, ownerParameter, parseIds, softwareParameter } from './lists.ts';

const parameters = {
  plugin: {
    allowed: `up to ${maxIds} ids, repeated or with commas between, each decimal digits, at most ${maxId}`,
    parse: parseIds,
    description: `Ids of plugins, up to ${maxIds}: repeated, or with commas between. Unknown ones are left out.`,
    schema: { type: 'array', items: { type: 'integer', minimum: 0, maximum: maxId }, maxItems: maxIds },
    fallback: undefined,
  },
  owner: ownerParameter('The id of an owner.'),
  software: softwareParameter('The `url` of a software.'),
};

/** Help of each metric, without the `plugin_metrics_` that their names begin with. */
export const metricHelp = {
  servers: 'Newest number of servers that use the plugin.',
  players: 'Newest number of players on these servers.',
  line: 'Newest value of another line chart.',
  newest_point_timestamp_seconds: 'Time of the newest value of any chart.',
};

type MetricName = keyof typeof metricHelp;

/** Endpoint of the newest values for Prometheus. */
export const metrics = apiEndpoint({
  path: '/api/v2/metrics',
  operationId: 'readMetrics',
  summary: 'Newest values of plugins, for Prometheus',
  description:
    `Of the plugins that match all of \`plugin\`, \`owner\` and \`software\`, one of which is needed: the ${maxIds} with the most servers. The label ` +
    '`software` is its `url`.',
  parameters,
  schema: 'MetricsText',
  mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  source: 'data',
  size: 'large',
  parse: ({ searchParams }) => parseMetricsQuery(searchParams),
  async *render(view, request) {
    const { plugins } = await view.findPlugins(request);
    const sorted = plugins.toSorted((a, b) => a.id - b.id);
    yield family('servers');
    yield sorted.map((plugin) => sampleOf('servers', plugin, plugin.servers)).join('');
    yield family('players');
    yield sorted.map((plugin) => sampleOf('players', plugin, plugin.players)).join('');
    yield family('line');
    const newest: string[] = [];
    for (const plugin of sorted) {
      let last = Number.NEGATIVE_INFINITY;
      for await (const { text, lastTime } of readLines(view, plugin)) {
        last = Math.max(last, lastTime);
        yield text;
      }
      if (last > Number.NEGATIVE_INFINITY)
        newest.push(sample('newest_point_timestamp_seconds', labelsOf(plugin), last / 1000));
    }
    yield family('newest_point_timestamp_seconds');
    yield newest.join('');
  },
});

/** @throws AppError `invalid` for a malformed or unknown parameter, and if no plugins are selected. */
function parseMetricsQuery({ plugin, ...query }: Query): PluginListRequest {
  const given = plugin === undefined ? query : { ...query, plugin: [plugin].flat().join() };
  const { plugin: ids, owner, software } = parseQuery(given, parameters);
  if (ids === undefined && owner === undefined && software === undefined)
    throw malformed('plugin, owner or software must say which plugins are meant');
  return {
    ...{ sort: 'servers', descending: true, limit: maxIds },
    ...{ ids, ownerId: owner, softwareUrl: software },
  };
}

/**
 * Reads the lines of a plugin other than servers and players, by batch of charts, with the newest time of the
 * batch.
 */
async function* readLines(view: MetricsView, plugin: ListedPlugin) {
  for await (const charts of view.listCharts(plugin.id)) {
    const spans = await view.findSpans(charts.map(({ uid }) => uid));
    const lines = charts.map(({ uid, chartId, type }) => {
      const span = spans.get(uid);
      const isOther = formOf(type) === 'line' && chartId !== 'servers' && chartId !== 'players';
      return span === undefined || !isOther ? '' : sample('line', labelsOf(plugin, chartId), span.lastValue);
    });
    yield { text: lines.join(''), lastTime: spanOver([...spans.values()])?.last ?? Number.NEGATIVE_INFINITY };
  }
}

function sampleOf(name: MetricName, plugin: ListedPlugin, point: LatestPoint | null): string {
  return point === null ? '' : sample(name, labelsOf(plugin), point[1]);
}

/** Renders the lines that describe a metric. */
function family(name: MetricName): string {
  return `# HELP plugin_metrics_${name} ${metricHelp[name]}\n# TYPE plugin_metrics_${name} gauge\n`;
}

function sample(name: MetricName, labels: string, value: number): string {
  return `plugin_metrics_${name}{${labels}} ${value}\n`;
}

function labelsOf({ id, name, owner, software }: ListedPlugin, chartId?: string): string {
  const labels = { plugin_id: `${id}`, plugin: name, owner: owner.name, software: software.url };
  return Object.entries(chartId === undefined ? labels : { ...labels, chart: chartId })
    .map(([label, value]) => `${label}="${value.replaceAll(/[\\"]/g, '\\$&')}"`)
    .join();
}
