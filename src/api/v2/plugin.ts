/** One plugin: its current state with the newest data of its charts, its events, and its insights. */
import type { Chart } from '../../model/catalogue.ts';
import type { StoredSpan } from '../../model/chart-data.ts';
import { hasShares, storageOf } from '../../model/chart-forms.ts';
import { trustedJson } from '../../model/json-text.ts';
import { chartsPerBatch, type MetricsView } from '../../model/metrics-reader.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { DataWindow } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { loadInsights } from '../../series/load-insights.ts';
import { factsOfData } from '../../series/share-facts.ts';
import { apiEndpoint, malformed, parseOfPlugin, renderBatches, timeParameter } from '../api-endpoint.ts';

/** Endpoint of the current state of a plugin. */
export const pluginNow = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}',
  operationId: 'getPluginNow',
  summary: 'One plugin with the newest data of its charts',
  description:
    '`latest` is the newest point of a line or null, and the data of any other chart. `first` and `last` are the times of its points or of its history. A chart of shares (a pie, a map, bars) has `colours` and `mostUsed`; for a drilldown pie, both are those of its outer shares.',
  schema: 'PluginNow',
  source: 'data',
  size: 'small',
  parse: (request) => parseOfPlugin(request, {}),
  async *render(view, { pluginId }) {
    const plugin = await view.getPlugin(pluginId);
    let part = `${JSON.stringify(plugin).slice(0, -1)},"charts":[`;
    let separator = '';
    for await (const charts of view.listCharts(pluginId)) {
      const spans = await view.findSpans(charts.map(({ uid }) => uid));
      for (const chart of charts) {
        part += separator + (await renderChart(view, { pluginId, chart, span: spans.get(chart.uid) }));
        separator = ',';
        if (part.length < chartsPerBatch.maxBytes / 4) continue;
        yield part;
        part = '';
      }
      // An empty part ends the turn of the event loop, even after a batch without charts.
      yield part;
      part = '';
    }
    yield* renderBatches(view.listEvents(pluginId), {
      before: `${part}],"events":[`,
      render: ({ time, title, url }) => JSON.stringify({ time, title, url }),
      after: ']}',
    });
  },
});

async function renderChart(
  view: MetricsView,
  { pluginId, chart, span }: { pluginId: number; chart: Chart; span: StoredSpan | undefined },
): Promise<string> {
  const { chartId, uid, type, position, title, isDefault, data } = chart;
  const fields = JSON.stringify({ chartId, uid, type, position, title, isDefault }).slice(0, -1);
  const { first = null, last = null } = span ?? {};
  let latest = span === undefined ? 'null' : JSON.stringify([span.last, span.lastValue]);
  if (storageOf(type) === 'latest') {
    const shown = await view.readChartData(pluginId, chartId, 0);
    latest = shown.storage === 'latest' ? shown.json : 'null';
  }
  let facts = '';
  if (hasShares(type)) {
    // With many shares, a chart takes milliseconds of work.
    await nextTurn();
    const ofHistory = span && (await view.loadShareFacts(uid));
    facts = `,${JSON.stringify(ofHistory ?? factsOfData(type, trustedJson(latest))).slice(1, -1)}`;
  }
  return `${fields},"settings":${data},"first":${first},"last":${last},"latest":${latest}${facts}}`;
}

const parameters = {
  from: timeParameter(undefined, 'The beginning of the window, inclusive.'),
  to: timeParameter(undefined, 'The end of the window, exclusive.'),
};

/** Endpoint of the events of a plugin. */
export const pluginEvents = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/events',
  operationId: 'listEvents',
  summary: 'The events of a plugin',
  description: 'By time, then title bytewise.',
  parameters,
  schema: 'EventList',
  source: 'data',
  size: 'small',
  parse(request) {
    const { pluginId, from, to } = parseOfPlugin(request, parameters);
    if (from !== undefined && to !== undefined && from >= to) throw malformed('from must be before to');
    return { pluginId, from, to };
  },
  async *render(view, { pluginId, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) {
    await view.getPlugin(pluginId);
    yield* renderBatches(eventsWithin(view.listEvents(pluginId), { from, to }), {
      before: '[',
      render: ({ time: at, title, url }) => JSON.stringify({ time: at, title, url }),
      after: ']',
    });
  },
});

async function* eventsWithin(
  batches: AsyncIterable<readonly PluginEvent[]>,
  { from, to }: DataWindow,
): AsyncGenerator<readonly PluginEvent[]> {
  for await (const batch of batches) yield batch.filter((event) => event.time >= from && event.time < to);
}

/** Endpoint of the insights of a plugin. */
export const insights = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/insights',
  operationId: 'readInsights',
  summary: 'What the numbers of a plugin say',
  description:
    'How its servers and players have changed, its place among the plugins of its software, the shares of versions, and what its releases did. Means are ' +
    'those of whole UTC days, and null where fewer than four of seven days have points. Ratios have four decimals.',
  schema: 'Insights',
  source: 'data',
  size: 'large',
  parse: (request) => parseOfPlugin(request, {}),
  load: async (view, { pluginId }) => [JSON.stringify((await loadInsights(view, pluginId)).insights)],
});
