/** `/badge/{pluginId}/{chartId}.svg`: the latest value of a chart as a badge, and `.json` for shields.io to draw it. */
import type { Endpoint } from '../../http/endpoint.ts';
import { parseChartId, parsePluginId } from '../../http/path-parameters.ts';
import { loadOnce } from '../load-once.ts';
import { badgeQuery, parseBadge } from './badge-parameters.ts';
import { splitFileName } from './file-name.ts';
import { svgHeaders, svgMediaType } from './image-question.ts';

const loadBadges = loadOnce(() => import('./make-chart-badge.ts'));

/** The endpoint. */
export const chartBadge: Endpoint = {
  path: '/badge/{pluginId}/{file}',
  ask: (request) => {
    const { stem, extension } = splitFileName(request, ['svg', 'json']);
    const pluginId = parsePluginId(request);
    const chartId = parseChartId({ params: { chartId: stem } });
    const asked = parseBadge(request.searchParams);
    // Who draws the badge of the JSON decides about its style.
    const badge = extension === 'json' ? { ...asked, style: 'flat' as const } : asked;
    return {
      key: `/badge/${pluginId}/${chartId}.${extension}${badgeQuery(badge)}`,
      source: 'data',
      ...(extension === 'svg'
        ? { mediaType: svgMediaType, headers: svgHeaders }
        : { mediaType: 'application/json; charset=utf-8' }),
      workClass: 'picture',
      async *parts(reader, turns) {
        const { makeChartBadge } = await loadBadges();
        yield await makeChartBadge(reader, { pluginId, chartId, badge, extension }, turns);
      },
    };
  },
};
