/**
 * `/badge/{pluginId}/{chartId}.svg`: the latest value of a chart as a badge; `/badge/sum.svg?charts=1337:players,42:players`: that of a
 * sum. Both have `.json` for shields.io to draw.
 */
import type { Endpoint } from '../../http/endpoint.ts';
import { chartNamesText, parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { parseSomeCharts } from '../address/compared-charts.ts';
import { splitFileName } from '../address/file-name.ts';
import { badgeExtensions, badgeQuestion, loadBadges } from './badge-question.ts';

/** The badge of one chart. */
export const chartBadge: Endpoint = {
  path: '/badge/{pluginId}/{file}',
  ask: (request) => {
    const { stem, extension } = splitFileName(request, badgeExtensions);
    const pluginId = parsePluginId(request.params['pluginId']);
    const chartId = parseChartId(stem);
    return badgeQuestion({
      path: `/badge/${pluginId}/${chartId}`,
      extension,
      query: request.searchParams,
      loadWords: async (reader) => (await loadBadges()).wordsOfChart(reader, { pluginId, chartId }),
    });
  },
};

/** The badges of a sum, one for each extension. */
export const sumBadges: readonly Endpoint[] = badgeExtensions.map((extension) => ({
  path: `/badge/sum.${extension}`,
  ask: ({ searchParams: query }) => {
    const charts = parseSomeCharts(query);
    return badgeQuestion({
      path: '/badge/sum',
      extension,
      query,
      ownParameters: { charts: chartNamesText(charts) },
      loadWords: async (reader) => (await loadBadges()).wordsOfSum(reader, charts),
    });
  },
}));
