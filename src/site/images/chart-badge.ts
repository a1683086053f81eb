/** `/badge/{pluginId}/{chartId}.svg`: the latest value of a chart as a badge, and `.json` for shields.io to draw it. */
import type { Endpoint } from '../../http/endpoint.ts';
import { parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { badgeExtensions, badgeQuestion, loadBadges } from './badge-question.ts';
import { splitFileName } from './file-name.ts';

/** The endpoint. */
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
      readWords: async (reader, turns) =>
        (await loadBadges()).wordsOfChart(reader, { pluginId, chartId }, turns),
    });
  },
};
