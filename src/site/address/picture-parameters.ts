/** The query parameters of images. */
import { isRange, type Range, rangeNames } from '../../draw/range.ts';
import type { Theme } from '../../draw/theme.ts';
import {
  digitsFrom,
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
  refuseByThrowing,
  textUpTo,
} from './query-parameter.ts';

/** Options of a picture: everything but its data. */
export interface PictureParameters {
  /** `transparent` has no ground, and colours that are readable on any. */
  readonly theme: Theme | 'transparent';
  /** In pixels, like `height`. */
  readonly width: number;
  readonly height: number;
  /** The range of lines, counted back from the newest point of the chart. */
  readonly range: Range;
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
  range: '30d',
  title: '',
  scale: 2,
};

/** The overview of an empty query: servers and players of 7 days. */
export const overviewDefaults: PictureParameters = { ...pictureDefaults, range: '7d' };

const parameters: { readonly [Name in keyof PictureParameters]: Parameter<PictureParameters[Name]> } = {
  theme: oneOf(['light', 'dark', 'auto', 'transparent']),
  width: digitsFrom(200, 1600),
  height: digitsFrom(100, 1000),
  range: oneOf(rangeNames.filter(isRange)),
  title: textUpTo(200),
  scale: digitsFrom(1, 3),
};

/**
 * Parses a query. A parameter that is left out or blank has its default; unknown ones are ignored.
 * @throws AppError `invalid` for a parameter that is not allowed or is given more than once, unless `refuse` returns.
 */
export function parsePicture(
  query: Query,
  defaults: PictureParameters,
  refuse = refuseByThrowing,
): PictureParameters {
  if (names.every((name) => query[name] === undefined)) return defaults;
  const read = <Name extends keyof PictureParameters>(name: Name): PictureParameters[Name] =>
    parseParameter(query, name, { parameter: parameters[name], fallback: defaults[name], refuse });
  return {
    theme: read('theme'),
    width: read('width'),
    height: read('height'),
    range: read('range'),
    title: read('title'),
    scale: read('scale'),
  };
}

/** The shortest query for a picture, with its question mark; '' for the defaults. `ownParameters` come first. */
export function pictureQuery(
  picture: PictureParameters,
  defaults: PictureParameters,
  ownParameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(ownParameters);
  if (picture !== defaults)
    for (const name of names) if (picture[name] !== defaults[name]) query.set(name, String(picture[name]));
  return query.size === 0 ? '' : `?${query}`;
}

const names = ['theme', 'width', 'height', 'range', 'title', 'scale'] as const;
