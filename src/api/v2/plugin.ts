/** One plugin in its current state: its charts with their newest data, and its events. */
import type { Chart } from '../../model/chart.ts';
import type { StoredSpan } from '../../model/chart-data.ts';
import { hasShares, storageOf } from '../../model/chart-forms.ts';
import { trustedJson } from '../../model/json-text.ts';
import { chartsPerBatch, type MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { factsOfData } from '../../series/share-facts.ts';
import { apiEndpoint, parseQuery, pluginIn, renderBatches } from '../api-endpoint.ts';

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
  parse: (request) => ({ ...parseQuery(request.searchParams, {}), ...pluginIn(request) }),
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
