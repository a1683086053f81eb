/** Common parts of pictures: frame, text sizes, heading. */
import { coordinate, cutText, escapeXml, measureText, textElement } from './svg.ts';
import { fontFamily, type Ink, type Paint, type Palette, type Theme } from './theme.ts';

/** Options of a picture. */
export interface PictureOptions {
  /** Width in pixels, from 200 to 1600. */
  readonly width: number;
  /** Height in pixels, from 100 to 1000. */
  readonly height: number;
  readonly theme: Theme | Palette;
  /** Title to show instead of that of the chart. */
  readonly title?: string;
  /**
   * False to omit the style sheet of `theme: 'auto'`, for a page whose own style sheet defines its classes.
   */
  readonly hasStyle: boolean;
  /**
   * Current time of the reader in Unix milliseconds, for a chart in a page. Undefined for picture files,
   * which depend only on their data.
   */
  readonly nowMs?: number;
  /**
   * True in a card of a page, which has buttons beside the title, and says the window of all charts and the
   * usual mean.
   */
  readonly isInCard?: boolean;
  /** The shares that are shown, where a reader can hide some; `undefined` is "Other". */
  readonly isShown?: (name: string | undefined) => boolean;
  /**
   * Minimum distance of event marks in pixels, for pointing at them; by default as small as their flags
   * allow.
   */
  readonly leastMarkDistance?: number;
}

/** A rectangle in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Texts of a picture. */
export interface Caption {
  /** Subject: `Players on servers using X`. */
  readonly title: string;
  /** Description in one or two sentences, for `<desc>`. */
  readonly description: string;
  /** Day of the data, if the picture shows it. */
  readonly day?: string | undefined;
}

/** A drawing and its texts. */
interface Picture extends Caption {
  /** SVG elements. */
  readonly content: string;
  /** Paint used for the content. */
  readonly paint: Paint;
}

/** Assembles the SVG document. */
export function drawPicture(
  { title, description, content, paint }: Picture,
  options: PictureOptions,
): string {
  const { width, height, hasStyle } = options;
  // Most descriptions begin with the title, so labelling by both would repeat it.
  const labels = description.startsWith(title) ? 'picture-desc' : 'picture-title picture-desc';
  const ground = `<rect width="${width}" height="${height}" rx="6"${paint.fill('ground')}/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
    ` role="img" aria-labelledby="${labels}" font-family="${fontFamily}">` +
    `<title id="picture-title">${escapeXml(title)}</title><desc id="picture-desc">${escapeXml(description)}</desc>` +
    `${hasStyle ? paint.style() : ''}${ground}${content}</svg>`
  );
}

/** Sizes inside a picture, in pixels; they depend on the size of the picture. */
export interface Sizes {
  /** Size of normal text. */
  readonly text: number;
  /** Size of the title. */
  readonly title: number;
  /** Distance between edge and content. */
  readonly padding: number;
  /** True if the heading only has room for one line. */
  readonly isSmall: boolean;
}

/** Returns the sizes for a picture of the given width and height. */
export function sizesOf({ width, height }: { readonly width: number; readonly height: number }): Sizes {
  if (width < 300 || height < 160) return { text: 10, title: 11, padding: 10, isSmall: true };
  if (width < 1200 || height < 450) return { text: 12, title: 15, padding: 20, isSmall: false };
  return { text: 14, title: 20, padding: 28, isSmall: false };
}

/** A piece of text below the title. */
export interface Note {
  readonly text: string;
  readonly ink: Ink;
  readonly isBold?: boolean;
}

/** Returns the y coordinate below the heading, in pixels. */
function headingHeight(options: PictureOptions, hasNotes: boolean): number {
  const { padding, title, text, isSmall } = sizesOf(options);
  const titleY = padding + title * 0.8;
  if (isSmall) return titleY + 6;
  return titleY + text * (hasNotes ? 2.5 : 0.9);
}

/** Returns the box below the heading of a picture. */
export function boxBelowHeading(options: PictureOptions, hasNotes: boolean): Box {
  const { padding, text } = sizesOf(options);
  const y = headingHeight(options, hasNotes) + text * 0.3;
  return { x: padding, y, width: options.width - 2 * padding, height: options.height - padding - y };
}

/**
 * Returns the day of the data as a note, with space after it. In a small picture, which shows it beside the
 * title, the day is omitted if the title would have to be cut.
 */
export function dayNotes({ title, day }: Caption, options: PictureOptions): Note[] {
  if (day === undefined) return [];
  const { isSmall, title: size, padding } = sizesOf(options);
  if (!isSmall) return [{ text: `${day}   `, ink: 'muted' }];
  const hasRoom = measureText(`${title}  ${day}`, size, true) <= options.width - 2 * padding;
  return hasRoom ? [{ text: day, ink: 'muted', isBold: true }] : [];
}

/** Pixels that the buttons of a card take beside its title. */
const buttonsWidth = 96;

/**
 * Draws the title with its notes below. In a small picture the bold notes are to the right of the title, and
 * the others are left out. Text that does not fit is cut.
 */
export function drawHeading(
  title: string,
  notes: readonly Note[],
  { options, paint }: { readonly options: PictureOptions; readonly paint: Paint },
): string {
  const { padding, title: size, text, isSmall } = sizesOf(options);
  const width = options.width - (options.isInCard === true ? buttonsWidth : 0);
  const y = padding + size * 0.8;
  const drawTitle = (maxWidth: number) => {
    const shown = cutText(title, maxWidth, { size, isBold: true });
    return textElement(shown, { x: padding, y, size, isBold: true, attributes: paint.fill('text') });
  };
  if (!isSmall) {
    const noteLine = drawNotes(notes, {
      x: padding,
      y: y + text * 1.6,
      size: text,
      maxWidth: options.width - 2 * padding,
      paint,
    });
    return drawTitle(width - 2 * padding) + noteLine;
  }
  const strong = notes.filter(({ isBold }) => isBold).map((note) => ({ ...note, text: `  ${note.text}` }));
  const noteWidth = strong.reduce((sum, note) => sum + measureText(note.text, size, true), 0);
  if (noteWidth > (width - 2 * padding) * 0.7) return drawTitle(width - 2 * padding);
  const x = width - padding;
  return (
    drawTitle(x - padding - noteWidth) +
    drawNotes(strong, { x, y, size, maxWidth: noteWidth, paint, anchor: 'end' })
  );
}

/** Position of notes. */
interface NotesPlace {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly maxWidth: number;
  readonly anchor?: 'end';
  readonly paint: Paint;
}

/** Draws notes side by side; notes that do not fit are cut. */
export function drawNotes(
  notes: readonly Note[],
  { x, y, size, maxWidth, anchor, paint }: NotesPlace,
): string {
  let rest = maxWidth;
  let spans = '';
  for (const { text, ink, isBold = false } of notes) {
    const shown = cutText(text, rest + 0.01, { size, isBold });
    if (shown === '') break;
    spans += `<tspan${isBold ? ' font-weight="600"' : ''}${paint.fill(ink)}>${escapeXml(shown)}</tspan>`;
    rest -= measureText(shown, size, isBold);
  }
  const anchored = anchor === undefined ? '' : ` text-anchor="${anchor}"`;
  return spans === ''
    ? ''
    : `<text x="${coordinate(x)}" y="${coordinate(y)}" font-size="${size}"${anchored} xml:space="preserve">${spans}</text>`;
}

/** Texts of a heading. Each list has alternatives, of which the first that fits is shown. */
interface HeadingWords {
  readonly title: string;
  readonly notes: ReadonlyArray<readonly Note[]>;
  /** A separate row; none by default. */
  readonly row?: ReadonlyArray<readonly Note[]> | undefined;
  /**
   * Phrases about the drawing: after the notes if the first one fits there, otherwise in a separate row. May
   * be empty.
   */
  readonly phrases: readonly string[];
}

/** A heading with its place. */
export interface Heading {
  /** y coordinate of its bottom edge, in pixels. */
  readonly end: number;
  readonly draw: (paint: Paint) => string;
}

/** Height of a row, in text heights. */
const rowHeight = 1.4;

/** Lays out a heading. */
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
