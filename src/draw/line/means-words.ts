/** Words behind the notes of a picture: how means and bands are drawn, which version leads. */
import { headingHeight, type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { cutText, measureText, textElement } from '../svg.ts';
import type { Paint } from '../theme.ts';
import type { LineShape } from './line-shape.ts';

/** Words behind the notes of a picture, or in a row of their own. */
export interface MeansWords {
  readonly notes: readonly Note[];
  /** The height of the row; 0 for none. */
  readonly rowHeight: number;
  readonly drawRow: (paint: Paint) => string;
}

/** The words in a picture. */
interface MeansPlace {
  /** The first that fits is shown; empty for none. */
  readonly words: readonly string[];
  /** The notes of the picture. */
  readonly notes: readonly Note[];
  readonly options: PictureOptions;
  /** The y coordinate of the row; below the heading unless given. */
  readonly top?: number;
}

/** Says how a line of means is drawn, in one way or, if that has no room, in a shorter one. */
export function meansPhrases({ means, low, high }: LineShape, hasBand: boolean): readonly string[] {
  if (means === undefined) return [];
  const { mean } = means.step;
  return hasBand && low !== high
    ? [`${mean}, band from lowest to highest`, `${mean}, lowest to highest`]
    : [mean];
}

/** Places the words: behind the notes if the first of them has room, otherwise in a row. */
export function placeMeansWords({ words, notes, options, top }: MeansPlace): MeansWords {
  const [longest] = words;
  if (longest === undefined) return { notes, rowHeight: 0, drawRow: () => '' };
  const { padding, text: size, isSmall } = sizesOf(options);
  const room = options.width - 2 * padding;
  const note: Note = { text: `, ${longest}`, ink: 'muted' };
  if (!isSmall && widthOf([...notes, note], size) <= room)
    return { notes: [...notes, note], rowHeight: 0, drawRow: () => '' };
  const fitting = words.find((text) => measureText(text, size) <= room) ?? words.at(-1) ?? '';
  const y = (top ?? headingHeight(options, true)) + size * (isSmall ? 0.75 : 0.6);
  const drawRow = (paint: Paint) =>
    textElement(cutText(fitting, room, { size }), { x: padding, y, size, attributes: paint.fill('muted') });
  return { notes, rowHeight: size * 1.4, drawRow };
}

/** The first of several notes that has room in a picture, or the last one. */
export function fittingNotes(
  choices: ReadonlyArray<readonly Note[]>,
  options: PictureOptions,
): readonly Note[] {
  const { padding, text: size } = sizesOf(options);
  const room = options.width - 2 * padding;
  return choices.find((notes) => widthOf(notes, size) <= room) ?? choices.at(-1) ?? [];
}

function widthOf(notes: readonly Note[], size: number): number {
  return notes.reduce((sum, { text, isBold }) => sum + measureText(text, size, isBold), 0);
}
