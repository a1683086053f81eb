/** The heading of a picture over time: notes below its title, and rows of words below these. */
import { drawHeading, drawNotes, headingHeight, type Note, type PictureOptions, sizesOf } from './picture.ts';
import { measureText } from './svg.ts';
import type { Paint } from './theme.ts';

/** The words of a heading. Of each, the first choice that has room is shown. */
interface HeadingWords {
  readonly title: string;
  readonly notes: ReadonlyArray<readonly Note[]>;
  /** A row of its own; none if left out. */
  readonly row?: ReadonlyArray<readonly Note[]> | undefined;
  /** Words about the drawing: behind the notes if the first choice has room there, otherwise in a row. Empty for nothing. */
  readonly phrases: readonly string[];
}

/** A heading with its place. */
export interface Heading {
  /** The y coordinate of its end, in pixels. */
  readonly end: number;
  readonly draw: (paint: Paint) => string;
}

/** The height of a row, in heights of its text. */
const rowHeight = 1.4;

/** Places a heading. */
export function placeHeading({ title, notes, row, phrases }: HeadingWords, options: PictureOptions): Heading {
  const { padding, text: size, isSmall } = sizesOf(options);
  const room = options.width - 2 * padding;
  const fitting = (choices: ReadonlyArray<readonly Note[]>) =>
    choices.find((each) => widthOf(each, size) <= room) ?? choices.at(-1) ?? [];
  let shown = fitting(notes);
  const rows = row === undefined ? [] : [fitting(row)];
  const [longest] = phrases;
  if (longest !== undefined) {
    const joined: readonly Note[] = [...shown, { text: `, ${longest}`, ink: 'muted' }];
    if (!isSmall && widthOf(joined, size) <= room) shown = joined;
    else rows.push(fitting(phrases.map((text) => [{ text, ink: 'muted' }])));
  }
  const top = headingHeight(options, true);
  return {
    end: top + rows.length * size * rowHeight,
    draw: (paint) =>
      drawHeading(title, shown, { options, paint }) +
      rows
        .map((each, index) => {
          const y = top + size * (index * rowHeight + (isSmall ? 0.75 : 0.6));
          return drawNotes(each, { x: padding, y, size, maxWidth: room, paint });
        })
        .join(''),
  };
}

function widthOf(notes: readonly Note[], size: number): number {
  return notes.reduce((sum, { text, isBold }) => sum + measureText(text, size, isBold), 0);
}
