/** `/embed/{pluginId}/{chartId}.svg` and `.png`: one chart of any type. */
import type { Endpoint } from '../../http/endpoint.ts';
import { parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { splitFileName } from '../address/file-name.ts';
import { pictureDefaults } from '../address/picture-parameters.ts';
import { loadOnce } from '../load-once.ts';
import { imageExtensions, imageQuestion } from './image-question.ts';
import type { PngMaker } from './png-maker.ts';

const loadDrawing = loadOnce(() => import('./draw-chart-image.ts'));

/** The endpoint. */
export function chartImage(pngs: PngMaker): Endpoint {
  return {
    path: '/embed/{pluginId}/{file}',
    ask: (request) => {
      const { stem, extension } = splitFileName(request, imageExtensions);
      const pluginId = parsePluginId(request.params['pluginId']);
      const chartId = parseChartId(stem);
      return imageQuestion(
        {
          path: `/embed/${pluginId}/${chartId}`,
          extension,
          query: request.searchParams,
          defaults: pictureDefaults,
          draw: async (reader, picture, turns) => {
            const { drawChartImage } = await loadDrawing();
            return drawChartImage(reader, { pluginId, chartId, picture }, turns);
          },
        },
        pngs,
      );
    },
  };
}
