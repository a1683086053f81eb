/** An error as an image, as large as the picture would have been. */
import { drawBadge } from '../../draw/badge.ts';
import { drawMessage } from '../../draw/message.ts';
import { type Problem, problems } from '../../http/problem.ts';
import { splitTarget } from '../../http/router.ts';
import { accept } from '../state/fields.ts';
import { badgeFields, lookFields } from '../state/pictures.ts';
import { pictureOptions, svgHeaders, svgMediaType } from './picture.ts';
import type { PngMaker } from './png-maker.ts';

/** An image with its headers. */
interface ProblemImage {
  readonly mediaType: string;
  readonly body: string | Uint8Array;
  readonly headers: readonly string[];
}

/** Renders the image of an error of a request. If no PNG can be made, it is an SVG. Malformed parameters have their defaults. */
export async function renderProblemImage(
  { kind, detail }: Problem,
  { target, pngs }: { readonly target: string; readonly pngs: PngMaker },
): Promise<ProblemImage> {
  const { path, query: queryText } = splitTarget(target);
  const query = new URLSearchParams(queryText);
  const { title } = problems[kind];
  if (path.startsWith('/badge/')) {
    const { style } = accept(badgeFields, query);
    return svgImage(
      drawBadge({ label: 'plugin metrics', message: title.toLowerCase(), color: 'lightgrey', style }),
    );
  }
  const isPng = /\.png\/?$/.test(path);
  const look = accept(lookFields[isPng ? 'png' : 'svg'], query);
  const svg = drawMessage(detail, { ...pictureOptions(look), title });
  // An error does not wait for a PNG. Browsers recognize an SVG by its media type.
  if (!isPng || !pngs.isIdle) return svgImage(svg);
  try {
    return { mediaType: 'image/png', body: await pngs.make(async () => svg, look.scale), headers: [] };
  } catch {
    // This server makes no PNGs.
    return svgImage(svg);
  }
}

function svgImage(body: string): ProblemImage {
  return { mediaType: svgMediaType, body, headers: svgHeaders };
}
