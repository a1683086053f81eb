/** `/embed/lines.svg?charts=1337:players,42:players&mode=sum` and `.png`: several lines, or their sum. */
import type { Endpoint } from '../../http/endpoint.ts';
import { chartNamesText } from '../../model/chart.ts';
import { parseAxis, parseMode, parseSomeCharts } from '../address/compared-charts.ts';
import { loadOnce } from '../load-once.ts';
import { imageExtensions, imageQuestion } from './image-question.ts';
import type { PngMaker } from './png-maker.ts';

const loadDrawing = loadOnce(() => import('./draw-lines-image.ts'));

/** The endpoints, one for each extension. */
export function linesImages(pngs: PngMaker): readonly Endpoint[] {
  return imageExtensions.map((extension) => ({
    path: `/embed/lines.${extension}`,
    ask: ({ searchParams: query }) => {
      const charts = parseSomeCharts(query);
      const mode = parseMode(query);
      const axis = parseAxis(query);
      return imageQuestion(
        {
          path: '/embed/lines',
          extension,
          query,
          ownParameters: {
            charts: chartNamesText(charts),
            ...(mode === 'absolute' ? {} : { mode }),
            ...(axis === 'linear' ? {} : { axis }),
          },
          draw: async (reader, picture) => {
            const { drawLinesImage } = await loadDrawing();
            return drawLinesImage(reader, { charts, mode, axis, picture });
          },
        },
        pngs,
      );
    },
  }));
}
