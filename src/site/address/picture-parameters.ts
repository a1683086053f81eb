/** The query parameters of images. */
import type { Theme } from '../../draw/theme.ts';
import { digitsFrom, oneOf, type Query, type Refuse, textUpTo } from '../../http/query-parameter.ts';
import { type ParameterTable, parseParameters } from './query-parameters.ts';

/** Options of a picture: everything but what it shows. */
export interface PictureParameters {
  /** `transparent` has no ground, and colours that are readable on any. */
  readonly theme: Theme | 'transparent';
  /** In pixels, like `height`. */
  readonly width: number;
  readonly height: number;
  /** Title in place of the chart's own; empty for the chart's own. */
  readonly title: string;
  /** Pixels of a PNG for each pixel of its width and height. */
  readonly scale: number;
}

/** The picture of an empty query. */
export const pictureDefaults: PictureParameters = {
  theme: 'auto',
  width: 800,
  height: 300,
  title: '',
  scale: 2,
};

const parameters: ParameterTable<PictureParameters> = {
  theme: oneOf(['light', 'dark', 'auto', 'transparent']),
  width: digitsFrom(200, 1600),
  height: digitsFrom(100, 1000),
  title: textUpTo(200),
  scale: digitsFrom(1, 3),
};

/** Parses a query, as {@link parseParameters} does. */
export function parsePicture(query: Query, defaults: PictureParameters, refuse?: Refuse): PictureParameters {
  return parseParameters(query, parameters, { defaults, refuse });
}
