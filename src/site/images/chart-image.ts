/**
 * `/embed/{pluginId}/{chartId}.svg` and `.png`: one chart of any type; with `view=history&unit=percent` or `unit=count`, a chart of shares over
 * time.
 */
import { historyUnits } from '../../draw/history/history-unit.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { splitFileName } from '../address/file-name.ts';
import { parseChoice } from '../address/query-parameters.ts';
import { loadOnce } from '../load-once.ts';
import { chartViews } from '../state/page-state.ts';
import { type ImageRequest, imageExtensions, imageQuestion } from './image-question.ts';
import type { PngMaker } from './png-maker.ts';

const loadDrawing = loadOnce(() => import('./draw-chart-image.ts'));
const loadHistoryDrawing = loadOnce(() => import('./draw-history-image.ts'));

/** The endpoint. */
export function chartImage(pngs: PngMaker): Endpoint {
  return {
    path: '/embed/{pluginId}/{file}',
    ask: (request) => {
      const { stem, extension } = splitFileName(request, imageExtensions);
      const pluginId = parsePluginId(request.params['pluginId']);
      const chartId = parseChartId(stem);
      const query = request.searchParams;
      const view = parseChoice(query, 'view', { words: chartViews, fallback: 'now' });
      const unit = parseChoice(query, 'unit', { words: historyUnits, fallback: 'percent' });
      const about = { path: `/embed/${pluginId}/${chartId}`, extension, query };
      if (view === 'history') {
        const ownParameters = { view, unit: unit === 'percent' ? undefined : unit };
        const draw: ImageRequest['draw'] = async (reader, picture) => {
          const { drawHistoryImage } = await loadHistoryDrawing();
          return drawHistoryImage(reader, { pluginId, chartId, picture, unit });
        };
        return imageQuestion({ ...about, ownParameters, draw }, pngs);
      }
      const draw: ImageRequest['draw'] = async (reader, picture) => {
        const { drawChartImage } = await loadDrawing();
        return drawChartImage(reader, { pluginId, chartId, picture });
      };
      return imageQuestion({ ...about, draw }, pngs);
    },
  };
}
