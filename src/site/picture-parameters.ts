/** How a picture is wanted: the query parameters of images (CONTRACT 5). */
import { isRange, type Range, rangeNames } from '../draw/range.ts';
import type { Theme } from '../draw/theme.ts';
import type { EndpointRequest } from '../http/endpoint.ts';
import { AppError, quote } from '../model/app-error.ts';

/** The query parameters of a request by name. */
export type Query = EndpointRequest['searchParams'];

/** A picture in every respect but its data. */
export interface PictureParameters {
  readonly theme: Theme;
  /** In pixels, as `height`. */
  readonly width: number;
  readonly height: number;
  /** Of the lines in it: counted back from the newest point of the chart. */
  readonly range: Range;
  /** Instead of the chart's own; empty for that. */
  readonly title: string;
  /** How many pixels a PNG has for each pixel of its width and height. */
  readonly scale: number;
}

/** What a query must say to ask for anything else. */
export const pictureDefaults: PictureParameters = {
  theme: 'auto',
  width: 800,
  height: 300,
  range: '30d',
  title: '',
  scale: 2,
};

/** One parameter: how its text is read, and what it may be in words. */
interface Parameter<Value> {
  readonly allowed: string;
  /** Undefined for what is not allowed. */
  readonly parse: (text: string) => Value | undefined;
}

const maxTitleLength = 200;

const parameters: { readonly [Name in keyof PictureParameters]: Parameter<PictureParameters[Name]> } = {
  theme: oneOf(['light', 'dark', 'auto']),
  width: wholeNumber(200, 1600),
  height: wholeNumber(100, 1000),
  range: oneOf(rangeNames.filter(isRange)),
  title: {
    allowed: `a text of at most ${maxTitleLength} characters without control characters`,
    parse: (text) => (text.length <= maxTitleLength && !/\p{Cc}/u.test(text) ? text : undefined),
  },
  scale: wholeNumber(1, 3),
};

/**
 * Reads a query; a parameter that is left out, or empty, has its default, and others are ignored.
 * @param refuse is given the AppError `invalid` for a parameter that is not allowed, or is given more than once; it throws
 * unless it is told otherwise, and where it does not throw, the parameter has its default.
 */
export function parsePicture(
  query: Query,
  defaults: PictureParameters,
  refuse: (error: AppError) => void = throwError,
): PictureParameters {
  const read = <Name extends keyof PictureParameters>(name: Name): PictureParameters[Name] => {
    const given = query[name];
    if (given === undefined || (typeof given === 'string' && given.trim() === '')) return defaults[name];
    const { parse, allowed } = parameters[name];
    const value = typeof given === 'string' ? parse(given) : undefined;
    if (value === undefined) refuse(malformedQuery(name, allowed, given));
    return value ?? defaults[name];
  };
  return {
    theme: read('theme'),
    width: read('width'),
    height: read('height'),
    range: read('range'),
    title: read('title'),
    scale: read('scale'),
  };
}

/** The shortest query that asks for a picture, with its question mark; empty where all is as the defaults have it. */
export function pictureQuery(picture: PictureParameters, defaults: PictureParameters): string {
  const query = new URLSearchParams();
  for (const name of names) if (picture[name] !== defaults[name]) query.set(name, String(picture[name]));
  return query.size === 0 ? '' : `?${query}`;
}

const names = ['theme', 'width', 'height', 'range', 'title', 'scale'] as const;

/** The error for a query parameter that is not allowed; `given` is an array where it is there more than once. */
export function malformedQuery(name: string, allowed: string, given: string | readonly string[]): AppError {
  const found = typeof given === 'string' ? `got ${quote(given)}` : 'was given more than once';
  const message = `${name} must be ${allowed}, and be given once; ${found}`;
  return new AppError('invalid', message, { kind: 'malformed-query' });
}

function throwError(error: AppError): never {
  throw error;
}

function oneOf<Name extends string>(allowed: readonly Name[]): Parameter<Name> {
  return {
    allowed: `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`,
    parse: (text) => allowed.find((name) => name === text),
  };
}

function wholeNumber(min: number, max: number): Parameter<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}
