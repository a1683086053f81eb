/** One plugin with everything that is known of it now: its charts with their newest data, and its events. */

import type { Chart } from '../../model/chart.ts';
import type { ChartSpan } from '../../model/chart-data.ts';
import { storageOf } from '../../model/data-shapes.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { chartsPerBatch, type MetricsView } from '../../model/metrics-reader.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import { parseQuery } from '../query.ts';

/** The endpoint. */
export const pluginNow: ApiEndpoint = {
  path: '/api/v2/plugins/{pluginId}',
  operationId: 'getPluginNow',
  summary: 'One plugin with the newest data of all its charts, and its events',
  description:
    'The charts are in the order of their position, then of their id. `latest` is the newest point of a line as [timestamp, value], or ' +
    'null; of any other chart its data. `first` and `last` are the times of its points or of its history.',
  schema: 'PluginNow',
  problems: ['malformed-plugin-id', 'malformed-query', 'unknown-plugin'],
  ask: (request) => {
    parseQuery(request.searchParams, {});
    const pluginId = parsePluginId(request.params['pluginId']);
    return {
      key: `/api/v2/plugins/${pluginId}`,
      mediaType: jsonMediaType,
      source: 'data',
      size: 'small',
      parts: (reader) => reader.snapshot((view) => renderPluginNow(view, pluginId)),
    };
  },
};

async function* renderPluginNow(view: MetricsView, pluginId: number): AsyncGenerator<string> {
  const { id, name, owner, software, isGlobal } = await view.getPlugin(pluginId);
  yield `${JSON.stringify({ id, name, owner, software, isGlobal }).slice(0, -1)},"charts":[`;
  let separator = '';
  for await (const charts of view.listCharts(pluginId)) {
    const spans = await view.findSpans(charts.map(({ uid }) => uid));
    let part = '';
    for (const chart of charts) {
      const span = spans.get(chart.uid);
      const latest = await renderLatest(view, { pluginId, chart, span });
      part += `${separator}${renderChart(chart, span)},"latest":${latest}}`;
      separator = ',';
      if (part.length < chartsPerBatch.maxBytes / 4) continue;
      yield part;
      part = '';
    }
    // Ends the turn, also after a batch without charts.
    yield part;
  }
  yield '],"events":[';
  separator = '';
  for await (const events of view.listEvents(pluginId)) {
    const texts = events.map(({ time, title, url }) => JSON.stringify({ time, title, url }));
    yield `${separator}${texts.join()}`;
    separator = ',';
  }
  yield ']}';
}

/** Renders a chart without its latest data and without the closing brace. */
function renderChart(
  { chartId, uid, type, position, title, isDefault, data }: Chart,
  span: ChartSpan | undefined,
): string {
  const fields = JSON.stringify({ chartId, uid, type, position, title, isDefault }).slice(0, -1);
  return `${fields},"settings":${data},"first":${span?.first ?? null},"last":${span?.last ?? null}`;
}

async function renderLatest(
  view: MetricsView,
  { pluginId, chart, span }: { pluginId: number; chart: Chart; span: ChartSpan | undefined },
): Promise<string> {
  if (storageOf(chart.type) === 'series')
    return span === undefined ? 'null' : JSON.stringify([span.last, span.lastValue]);
  const data = await view.readChartData(pluginId, chart.chartId, 0);
  return data.storage === 'snapshot' ? data.json : 'null';
}
