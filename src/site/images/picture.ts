/** Pictures as SVG and PNG: the parameters, the key and the look that all of them share. */

import type { PictureOptions } from '../../draw/picture.ts';
import { transparentPalette } from '../../draw/theme.ts';
import type { ResponseBody } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Query } from '../../model/parameter.ts';
import { withQuery } from '../address/paths.ts';
import { type Fields, parse, write } from '../state/fields.ts';
import { lookFields, type PictureExtension, type PictureLook } from '../state/pictures.ts';
import { makePng } from './make-png.ts';

/** The forms of a picture. */
export const pictureExtensions = ['svg', 'png'] as const;

/** An SVG, and its headers: in one that is opened as a document, nothing runs or loads anything. */
export const svgForm = {
  mediaType: 'image/svg+xml; charset=utf-8',
  headers: ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
};

/** A request for a picture of some kind. */
interface PictureRequest<State> {
  /** Its path without the extension. */
  readonly path: string;
  readonly extension: PictureExtension;
  readonly query: Query;
  /** The parameters of this kind of picture beside those of its look. */
  readonly fields: Fields<State>;
  /** Leaves out what has no effect. */
  readonly inUse?: (state: State) => Partial<State>;
  /** Loads and draws the picture. */
  readonly draw: (reader: MetricsReader, picture: State & DrawnLook) => Promise<string>;
}

/** The look of a picture that is drawn. */
export interface DrawnLook {
  readonly width: number;
  /** For `draw/`. */
  readonly options: PictureOptions;
}

/**
 * The body of a picture.
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

/** The options for `draw/` from the look of a picture. */
export function pictureOptions({ theme, width, height, title }: PictureLook): PictureOptions {
  return {
    theme: theme === 'transparent' ? transparentPalette : theme,
    width,
    height,
    hasStyle: true,
    ...(title === '' ? {} : { title }),
  };
}
