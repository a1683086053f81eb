/** An error as an image, as large as the picture would have been. */
import { drawBadge } from '../../draw/badge.ts';
import { drawMessage } from '../../draw/message.ts';
import { type Problem, problems } from '../../http/problem.ts';
import type { Query } from '../../http/query-parameter.ts';
import { splitTarget } from '../../http/router.ts';
import { parsePicture, pictureDefaults } from '../address/picture-parameters.ts';
import { parseBadge } from './badge-parameters.ts';
import { pictureOptions } from './draw-chart-image.ts';
import { svgHeaders, svgMediaType } from './image-question.ts';
import type { PngMaker } from './png-maker.ts';

/** The target of the request, and the maker of PNGs. */
interface ProblemImageRequest {
  readonly target: string;
  readonly pngs: PngMaker;
}

/** An image with its headers. */
interface ProblemImage {
  readonly mediaType: string;
  readonly body: string | Uint8Array;
  readonly headers: readonly string[];
}

/** Renders the image of an error. If no PNG can be made, it is an SVG. */
export async function renderProblemImage(
  problem: Problem,
  { target, pngs }: ProblemImageRequest,
): Promise<ProblemImage> {
  const { path, query: queryText } = splitTarget(target);
  const query = parseQuery(queryText);
  if (path.startsWith('/badge/')) return svgImage(problemBadge(problem, query));
  const picture = parsePicture(query, pictureDefaults, ignore);
  const isPng = /\.png\/?$/.test(path);
  const theme = isPng && picture.theme === 'auto' ? 'light' : picture.theme;
  const { title } = problems[problem.kind];
  const svg = drawMessage(problem.detail, { ...pictureOptions({ ...picture, theme }), title });
  // An error does not wait for a PNG. Browsers recognize an SVG by its media type.
  if (!isPng || !pngs.isIdle) return svgImage(svg);
  try {
    return { mediaType: 'image/png', body: await pngs.make(async () => svg, picture.scale), headers: [] };
  } catch {
    // This server makes no PNGs.
    return svgImage(svg);
  }
}

function problemBadge({ kind }: Problem, query: Query): string {
  const { style } = parseBadge(query, ignore);
  const message = problems[kind].title.toLowerCase();
  return drawBadge({ label: 'plugin metrics', message, color: 'lightgrey', style });
}

function svgImage(body: string): ProblemImage {
  return { mediaType: svgMediaType, body, headers: svgHeaders };
}

/** A malformed parameter is the problem itself, or not worth another one. */
function ignore(): void {}

/** A query as the router gives it. */
function parseQuery(text: string): Query {
  const search = new URLSearchParams(text);
  const names = new Set(search.keys());
  return Object.fromEntries(
    Array.from(names, (name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
