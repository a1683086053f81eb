/**
 * `/embed/{pluginId}/{chartId}.svg` and `.png`: one chart of any type. `view=history` and `view=lines`, with
 * `unit=percent` or `unit=count`, show shares over time; `view=ladder` shows versions as a ladder;
 * `group=minor` adds up versions by minor line.
 */

import { drawChart, drawHistory } from '../../draw/chart.ts';
import { drawMessage } from '../../draw/message.ts';
import { drawLadder, ladderCaption, notVersions, rungsOf } from '../../draw/shares/ladder.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { ChartName, PluginChart } from '../../model/catalogue.ts';
import { hasShares } from '../../model/chart-forms.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { loadVersionDays } from '../../series/load-insights.ts';
import { chartFileOf } from '../address/file-name.ts';
import { loadChart } from '../charts/load-chart.ts';
import { loadHistory } from '../charts/load-history.ts';
import { loadEvents } from '../charts/load-lines.ts';
import { storeSource } from '../charts/store-source.ts';
import { fieldsInUse } from '../state/chart-state.ts';
import type { StateOf } from '../state/fields.ts';
import { chartPictureFields } from '../state/pictures.ts';
import { type DrawnLook, pictureBody, pictureExtensions } from './picture.ts';

/** Endpoint of the picture of one chart. */
export const chartImage: Endpoint = {
  path: '/embed/{pluginId}/{file}',
  ask: (request) => {
    const { pluginId, chartId, extension } = chartFileOf(request, pictureExtensions);
    return pictureBody({
      path: `/embed/${pluginId}/${chartId}`,
      extension,
      query: request.searchParams,
      fields: chartPictureFields,
      inUse: fieldsInUse,
      draw: (reader, picture) => views[picture.view](reader, { pluginId, chartId, ...picture }),
    });
  },
};

interface ChartPicture extends ChartName, StateOf<typeof chartPictureFields>, DrawnLook {}

const views: Readonly<
  Record<ChartPicture['view'], (reader: MetricsReader, picture: ChartPicture) => Promise<string>>
> = { now: drawChartImage, history: drawHistoryImage, lines: drawHistoryImage, ladder: drawLadderImage };

async function drawChartImage(
  reader: MetricsReader,
  { options, window: range, group, ...wanted }: ChartPicture,
): Promise<string> {
  const chart = await loadChart(reader, { ...wanted, range, isPicture: true });
  return drawChart({ ...chart, group }, { ...options, range });
}

/** Draws a history, or a sentence if the chart has none. */
async function drawHistoryImage(
  reader: MetricsReader,
  { pluginId, chartId, width, options, window: range, view: shown, unit, group }: ChartPicture,
): Promise<string> {
  const { chart, history, events } = await reader.read(async (view) => {
    const source = storeSource(view);
    const found = await source.getChart(pluginId, chartId);
    const loaded = hasShares(found.type)
      ? await loadHistory(source, { ...found, charts: [found] }, { range, width, group })
      : undefined;
    const marks = loaded && (await loadEvents(view, { ...found, ...loaded, width }));
    return { chart: found, history: loaded, events: marks };
  });
  if (history === undefined) return drawMessage(sentenceWithout(chart), { title: chart.title, ...options });
  return drawHistory({ ...history, events }, { ...options, range, unit, areLines: shown === 'lines' });
}

/** Draws the ladder of a chart of versions, or a sentence for other charts. */
async function drawLadderImage(
  reader: MetricsReader,
  { pluginId, chartId, options, group }: ChartPicture,
): Promise<string> {
  const { chart, days } = await reader.read(async (view) => {
    const found = await storeSource(view).getChart(pluginId, chartId);
    return { chart: found, days: await loadVersionDays(view, found, null) };
  });
  const title = options.title ?? chart.title;
  if (days === undefined) return drawMessage(notVersions, { ...options, title });
  const rungs = rungsOf(days, group);
  return drawLadder(rungs, ladderCaption(rungs, { ...chart, heading: title, at: days.now.at }), options);
}

function sentenceWithout({ type }: PluginChart): string {
  if (hasShares(type)) return 'No history yet.';
  return formOf(type) === 'line'
    ? 'This chart is a line: leave out view to see it.'
    : 'Only pies, maps and bars have a history.';
}
