/** Pictures as SVG and PNG: the parameters, cache key and look that all of them share. */

import type { PictureOptions } from '../../draw/picture.ts';
import { transparentPalette } from '../../draw/theme.ts';
import type { ResponseBody } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Query } from '../../model/parameter.ts';
import { withQuery } from '../address/paths.ts';
import { type Fields, parse, write } from '../state/fields.ts';
import { lookFields, type PictureExtension, type PictureLook } from '../state/pictures.ts';
import { makePng } from './make-png.ts';

/** Extensions of a picture. */
export const pictureExtensions = ['svg', 'png'] as const;

/** Headers of an SVG: if it is opened as a document, it cannot run scripts or load anything. */
export const svgForm = {
  mediaType: 'image/svg+xml; charset=utf-8',
  headers: ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
};

/** A request for a picture. */
export interface PictureRequest<State> {
  /** Path without the extension. */
  readonly path: string;
  readonly extension: PictureExtension;
  readonly query: Query;
  /** Parameters that only this kind of picture has, in addition to its look. */
  readonly fields: Fields<State>;
  /** Returns only the members that have an effect. */
  readonly inUse?: (state: State) => Partial<State>;
  /** Loads and draws the picture. */
  readonly draw: (reader: MetricsReader, picture: State & DrawnLook) => Promise<string>;
}

/** Look of a picture, ready to draw. */
export interface DrawnLook {
  readonly width: number;
  /** Options for `draw/`. */
  readonly options: PictureOptions;
}

/**
 * Makes the response body of a picture.
 * @throws AppError `invalid` for a malformed query.
 */
export function pictureBody<State extends object>({
  path,
  extension,
  query,
  fields,
  inUse = (state) => state,
  draw,
}: PictureRequest<State>): ResponseBody {
  const state = parse(fields, query);
  const look = parse(lookFields[extension], query);
  const isForPng = extension === 'png';
  return {
    key: withQuery(`${path}.${extension}`, {
      ...write(fields, inUse(state)),
      ...write(lookFields[extension], look),
    }),
    source: 'data',
    size: isForPng ? 'large' : 'small',
    ...(isForPng ? { mediaType: 'image/png' } : svgForm),
    async *parts(reader) {
      const { width } = look;
      const svg = () => draw(reader, { ...state, width, options: pictureOptions(look) });
      yield isForPng ? await makePng(svg, look.scale) : await svg();
    },
  };
}

/** Converts the look of a picture to options for `draw/`. */
export function pictureOptions({ theme, width, height, title }: PictureLook): PictureOptions {
  return {
    theme: theme === 'transparent' ? transparentPalette : theme,
    width,
    height,
    hasStyle: true,
    ...(title === '' ? {} : { title }),
  };
}
