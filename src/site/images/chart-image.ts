/** `/embed/{pluginId}/{chartId}.svg`: one chart. */
import type { Endpoint } from '../../http/endpoint.ts';
import { parseChartId, parsePluginId } from '../../http/path-parameters.ts';
import { parsePicture, pictureDefaults } from '../picture-parameters.ts';
import { splitFileName } from './image-name.ts';
import { imageExtensions, imageQuestion } from './image-question.ts';

export const chartImage: Endpoint = {
  path: '/embed/{pluginId}/{file}',
  ask: (request) => {
    const { stem, extension } = splitFileName(request, imageExtensions);
    const pluginId = parsePluginId(request);
    const chartId = parseChartId({ params: { chartId: stem } });
    const picture = parsePicture(request.searchParams, pictureDefaults);
    return imageQuestion({
      path: `/embed/${pluginId}/${chartId}`,
      extension,
      picture,
      draw: async function* (reader) {
        const { drawChartImage } = await import('./draw-chart-image.ts');
        yield* drawChartImage(reader, { pluginId, chartId, picture });
      },
    });
  },
};
