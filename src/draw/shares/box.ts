/** The box of a drawing. */
import { headingHeight, type PictureOptions, sizesOf } from '../picture.ts';

/** A rectangle in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box below the heading of a picture. */
export function boxBelowHeading(options: PictureOptions, hasNotes: boolean): Box {
  const { padding, text } = sizesOf(options);
  const y = headingHeight(options, hasNotes) + text * 0.3;
  return { x: padding, y, width: options.width - 2 * padding, height: options.height - padding - y };
}
