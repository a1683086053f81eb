/** Questions for pictures as SVG and PNG. */

import type { Body } from '../../http/endpoint.ts';
import type { Query } from '../../http/query-parameter.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Period, Range } from '../../model/window.ts';
import { type PictureParameters, parsePicture, pictureDefaults } from '../address/picture-parameters.ts';
import { type OwnParameters, shortestQuery } from '../address/query-parameters.ts';
import { parseWindow } from '../query/parse-window.ts';
import { windowQuery } from '../state/shown-window.ts';
import type { PngMaker } from './png-maker.ts';

/** The forms of a picture. */
export const imageExtensions = ['svg', 'png'] as const;

/** The extension of a picture. */
type ImageExtension = (typeof imageExtensions)[number];

/** The media type of SVG. */
export const svgMediaType = 'image/svg+xml; charset=utf-8';

/** Headers of an SVG that is opened as a document: nothing in it runs or loads anything. */
export const svgHeaders: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
];

/** A request for a picture. */
export interface ImageRequest {
  /** Its path without the extension. */
  readonly path: string;
  readonly extension: ImageExtension;
  readonly query: Query;
  /** Query parameters of this kind of picture, as they are in the key. */
  readonly ownParameters?: OwnParameters;
  /** The range without parameters; `30d` unless given. */
  readonly usualRange?: Range;
  /** Loads and draws the picture. */
  readonly draw: (reader: MetricsReader, picture: ImageParameters) => Promise<string>;
}

/** The options of a picture, for SVG or PNG, and the period that it shows. */
export interface ImageParameters extends PictureParameters {
  readonly range: Period;
  readonly isForPng: boolean;
}

/**
 * The question for a picture.
 * @throws AppError `invalid` for a malformed query.
 */
export function imageQuestion(request: ImageRequest, pngs: PngMaker): Body {
  const { path, extension, query, ownParameters, usualRange = '30d', draw } = request;
  const { picture, defaults } = extension === 'png' ? askedPng(query) : askedSvg(query);
  const window = parseWindow(query, usualRange);
  const own = { ...ownParameters, ...windowQuery(window, usualRange) };
  const range = window;
  const isForPng = extension === 'png';
  return {
    key: `${path}.${extension}${shortestQuery(picture, defaults, own)}`,
    source: 'data',
    size: isForPng ? 'large' : 'small',
    ...(isForPng ? { mediaType: 'image/png' } : { mediaType: svgMediaType, headers: svgHeaders }),
    async *parts(reader) {
      const svg = () => draw(reader, { ...picture, range, isForPng });
      yield isForPng ? await pngs.make(svg, picture.scale) : await svg();
    },
  };
}

/** A picture with its defaults. */
interface AskedPicture {
  readonly picture: PictureParameters;
  readonly defaults: PictureParameters;
}

/** An SVG has no scale: the parameter is ignored. */
function askedSvg(query: Query): AskedPicture {
  const asked = query['scale'] === undefined ? query : { ...query, scale: undefined };
  return { picture: parsePicture(asked, pictureDefaults), defaults: pictureDefaults };
}

/** A PNG cannot follow the reader's system, so `auto` is light. */
function askedPng(query: Query): AskedPicture {
  const defaults = { ...pictureDefaults, theme: 'light' } as const;
  const picture = parsePicture(query, defaults);
  const theme = picture.theme === 'auto' ? 'light' : picture.theme;
  return { picture: { ...picture, theme }, defaults };
}
