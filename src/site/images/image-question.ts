/** What all pictures of charts have in common, as questions: their form, and when others have a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Question } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { type PictureParameters, pictureDefaults, pictureQuery } from '../picture-parameters.ts';

/** The forms of a picture. */
export const imageExtensions = ['svg'] as const;

/** One of them. */
export type ImageExtension = (typeof imageExtensions)[number];

/** The media type of SVG. */
export const svgMediaType = 'image/svg+xml; charset=utf-8';

/** For an SVG that is opened as a document of its own: nothing in it runs or loads anything. */
export const svgHeaders: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
];

/** Draws in slices of less than a millisecond: gives an empty text after each but the last, and then the SVG. */
export type Drawing = AsyncGenerator<string>;

/** A picture that is asked for. */
export interface ImageRequest {
  /** Its path without the extension. */
  readonly path: string;
  readonly extension: ImageExtension;
  readonly picture: PictureParameters;
  readonly defaults?: PictureParameters;
  readonly draw: (reader: MetricsReader) => Drawing;
}

/** The question for a picture. */
export function imageQuestion(request: ImageRequest): Question {
  const { path, extension, picture, defaults = pictureDefaults, draw } = request;
  const about = {
    key: `${path}.${extension}${pictureQuery(picture, defaults)}`,
    mediaType: svgMediaType,
    source: 'data',
    headers: svgHeaders,
  } as const;
  return picture.range === '1y' || picture.range === 'all'
    ? { ...about, isLarge: true, readParts: draw }
    : { ...about, isLarge: false, read: (reader) => finish(draw(reader)) };
}

/** The SVG, with a turn for others after each slice. */
async function finish(drawing: Drawing): Promise<string> {
  for await (const part of drawing) {
    if (part !== '') return part;
    await nextTurn();
  }
  return '';
}
