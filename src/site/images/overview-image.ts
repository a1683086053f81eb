/** `/embed/{pluginId}.svg` and `.png`: servers and players of a plugin. */
import type { Body, Endpoint } from '../../http/endpoint.ts';
import { parsePluginId } from '../../model/identifier.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { splitFileName } from '../address/file-name.ts';
import { loadOnce } from '../load-once.ts';
import { type ImageRequest, imageExtensions, imageQuestion } from './image-question.ts';
import type { PngMaker } from './png-maker.ts';

const loadDrawing = loadOnce(() => import('./draw-overview-image.ts'));

/** The endpoint. */
export function overviewImage(pngs: PngMaker): Endpoint {
  return {
    path: '/embed/{file}',
    ask: (request) => {
      const { stem, extension } = splitFileName(request, imageExtensions);
      const pluginId = parsePluginId(stem);
      const path = `/embed/${pluginId}`;
      return overviewQuestion(
        { path, extension, query: request.searchParams, findPlugin: async () => pluginId },
        pngs,
      );
    },
  };
}

/** A request for an overview. */
interface OverviewRequest extends Pick<ImageRequest, 'path' | 'extension' | 'query'> {
  readonly findPlugin: (view: MetricsView) => Promise<number>;
}

/** The question for an overview. */
export function overviewQuestion({ findPlugin, ...request }: OverviewRequest, pngs: PngMaker): Body {
  return imageQuestion(
    {
      ...request,
      usualRange: '7d',
      draw: async (reader, picture) => {
        const { drawOverviewImage } = await loadDrawing();
        return drawOverviewImage(reader, { findPlugin, picture });
      },
    },
    pngs,
  );
}
