/** Ranked horizontal bars: countries, and bars of one or several parts. */
import { formatExact, formatShare, formatShort } from '../format.ts';
import {
  type Box,
  boxBelowHeading,
  type Caption,
  dayNotes,
  drawHeading,
  drawPicture,
  type Note,
  type PictureOptions,
  sizesOf,
} from '../picture.ts';
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import { Paint, seriesInk } from '../theme.ts';
import { gatherRows, type Ranking, rankShares } from './rank.ts';
import { type Bar, sumOf } from './share.ts';

/** Bars, with the names of their parts if they have several. */
interface BarPicture {
  readonly bars: readonly Bar[];
  readonly partNames: readonly string[];
}

// In heights of the text.
const minRowHeight = 1.7;
const maxRowHeight = 3.2;
const maxBarHeight = 1.5;
const gap = 0.9;
/** A narrower box has no room for values beside the shares. */
const minValueBoxWidth = 24;

/** The height of a bar, as a share of its row. */
const barShare = 0.58;
/** The most that names take of the width of the box. */
const maxNameShare = 0.35;

/** Draws as many bars as have room, at least one, and the sum of the others. */
export function drawBars(picture: BarPicture, caption: Caption, options: PictureOptions): string {
  const { bars } = picture;
  const paint = new Paint(options.theme);
  const { text: size, isSmall } = sizesOf(options);
  const { title, description } = caption;
  const notes = [...dayNotes(caption, options), ...(isSmall ? [] : notesOf(picture))];
  const box = boxBelowHeading(options, notes.length > 0);
  const maxRowCount = Math.max(3, Math.floor(box.height / (size * minRowHeight)));
  const rows = rowsOf(gatherRows(rankShares(bars), maxRowCount), {
    // Negative values have no share.
    hasShares: bars.every(({ value }) => value >= 0),
    format: isSmall ? formatShort : formatExact,
  });
  const columns = layoutColumns(rows, box, size);
  const scale = barScale(bars, columns);
  const rowHeight = Math.min(size * maxRowHeight, box.height / rows.length);
  const height = Math.min(size * maxBarHeight, rowHeight * barShare);
  const groups = rows.map((row, index) => {
    const middle = box.y + (index + 0.5) * rowHeight;
    const parts = drawBarParts(row.parts, { scale, y: middle - height / 2, height, paint });
    const texts = drawTexts(row, { ...columns, x: box.x, y: middle + size * 0.35, size, paint });
    return parts + texts;
  });
  const barCount = rows.filter(({ isRest }) => !isRest).length;
  const zero = `M${coordinate(scale(0))} ${coordinate(box.y)}v${coordinate(barCount * rowHeight)}`;
  const content =
    drawHeading(title, notes, { options, paint }) +
    groups.join('') +
    `<path d="${zero}"${paint.stroke('axis')}/>`;
  return drawPicture({ title, description, content, paint }, options);
}

/** The key of the parts: their names in their colours. */
function notesOf({ bars, partNames }: BarPicture): Note[] {
  const partCount = bars.reduce((most, { parts }) => Math.max(most, parts.length), 0);
  if (partCount < 2) return [];
  return partNames.slice(0, partCount).map((name, index) => {
    return { text: `${name}   `, ink: seriesInk(index), isBold: true };
  });
}

interface BarRow {
  readonly name: string;
  readonly value: string;
  /** '' if there are no shares. */
  readonly share: string;
  readonly parts: readonly number[];
  readonly isRest: boolean;
}

interface RowFormat {
  readonly hasShares: boolean;
  readonly format: (value: number) => string;
}

function rowsOf({ shares, other }: Ranking<Bar>, { hasShares, format }: RowFormat): BarRow[] {
  const textsOf = (value: number, part: number) => {
    return { value: format(value), share: hasShares ? formatShare(part) : '' };
  };
  const rows = shares.map(({ entry: { name, value, parts }, part }): BarRow => {
    return { name, ...textsOf(value, part), parts, isRest: false };
  });
  if (other === undefined) return rows;
  const name = `${formatExact(other.count)} more`;
  return [...rows, { name, ...textsOf(other.value, other.part), parts: [], isRest: true }];
}

interface Columns {
  readonly nameWidth: number;
  /** The x coordinates between which bars are drawn. */
  readonly left: number;
  readonly right: number;
  /** The right ends of values and shares; undefined if there are none. */
  readonly valueEnd: number | undefined;
  readonly shareEnd: number | undefined;
}

function layoutColumns(rows: readonly BarRow[], { x, width }: Box, size: number): Columns {
  // Rounding must not make a text wider when it is measured again.
  const widest = (measure: (row: BarRow) => number) =>
    rows.reduce((most, row) => Math.max(most, measure(row)), 0) + 0.1;
  const space = size * gap;
  const end = x + width;
  const hasShares = rows.some(({ share }) => share !== '');
  const hasValues = !hasShares || width >= size * minValueBoxWidth;
  const shareWidth = hasShares ? widest(({ share }) => measureText(share, size, true)) + space : 0;
  const valueWidth = hasValues ? widest(({ value }) => measureText(value, size)) + space : 0;
  const nameWidth = Math.min(
    widest(({ name }) => measureText(name, size)),
    width * maxNameShare,
  );
  return {
    nameWidth,
    left: x + nameWidth + space,
    right: end - shareWidth - valueWidth,
    valueEnd: hasValues ? end - shareWidth : undefined,
    shareEnd: hasShares ? end : undefined,
  };
}

interface TextsPlace extends Columns {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly paint: Paint;
}

function drawTexts({ name, value, share, isRest }: BarRow, place: TextsPlace): string {
  const { x, y, size, nameWidth, valueEnd, shareEnd, paint } = place;
  const attributes = paint.fill(isRest ? 'muted' : 'text');
  const end = { y, size, anchor: 'end' } as const;
  return (
    textElement(cutText(name, nameWidth, { size }), { x, y, size, attributes }) +
    (valueEnd === undefined
      ? ''
      : textElement(value, { ...end, x: valueEnd, attributes: paint.fill('muted') })) +
    (shareEnd === undefined ? '' : textElement(share, { ...end, x: shareEnd, isBold: true, attributes }))
  );
}

/** Scale from a value to an x coordinate. */
type BarScale = (value: number) => number;

/** Makes the scale that fits all bars and zero between two x coordinates. */
function barScale(
  bars: readonly Bar[],
  { left, right }: { readonly left: number; readonly right: number },
): BarScale {
  let low = 0;
  let high = 0;
  for (const { parts } of bars) {
    low = Math.min(low, sumOf(parts.filter((part) => part < 0)));
    high = Math.max(high, sumOf(parts.filter((part) => part > 0)));
  }
  const span = high - low || 1;
  return (value) => left + ((value - low) / span) * Math.max(1, right - left);
}

interface PartsPlace {
  readonly scale: BarScale;
  readonly y: number;
  readonly height: number;
  readonly paint: Paint;
}

/** Draws the parts of one bar side by side; negative ones go to the left of zero. */
function drawBarParts(parts: readonly number[], { scale, y, height, paint }: PartsPlace): string {
  let below = 0;
  let above = 0;
  const rectangles = parts.map((part, index) => {
    const start = part < 0 ? below : above;
    const end = start + part;
    if (part < 0) below = end;
    else above = end;
    if (part === 0) return '';
    const x = Math.min(scale(start), scale(end));
    // At least one pixel, so that no part disappears.
    const width = Math.max(1, Math.abs(scale(end) - scale(start)));
    return (
      `<rect x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}"` +
      ` height="${coordinate(height)}"${paint.fill(seriesInk(index))}/>`
    );
  });
  return rectangles.join('');
}
