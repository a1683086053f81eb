/** Ranked horizontal bars: countries, and bars with one or several parts. */
import { formatExact, formatShare, formatShort } from '../format.ts';
import {
  type Box,
  boxBelowHeading,
  type Caption,
  dayNotes,
  drawHeading,
  drawNotes,
  drawPicture,
  type Note,
  type PictureOptions,
  sizesOf,
} from '../picture.ts';
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import { Paint, seriesInk } from '../theme.ts';
import { gatherRows, type Ranking, rankShares, type Slice, sumOf } from './slices.ts';

/** Bars, with the names of their parts if some have several. */
interface BarPicture {
  readonly shares: readonly Slice[];
  readonly partNames: readonly string[];
}

// In text heights.
const minRowHeight = 1.7;
const maxRowHeight = 3.2;
const maxBarHeight = 1.5;
const gap = 0.9;
/** Minimum width, in text heights, of a box with values beside the percentages. */
const minValueBoxWidth = 24;

/** Height of a bar, as a fraction of its row. */
const barShare = 0.58;
/** Maximum fraction of the box width for names. */
const maxNameShare = 0.35;

/** Draws as many bars as fit, at least one, and the sum of the others. */
export function drawBars(picture: BarPicture, caption: Caption, options: PictureOptions): string {
  const { shares: bars } = picture;
  const paint = new Paint(options.theme);
  const { text: size, isSmall } = sizesOf(options);
  const { title, description } = caption;
  const legend = legendOf(picture);
  const notes = [...dayNotes(caption, options), ...(isSmall ? [] : legend)];
  const below = boxBelowHeading(options, notes.length > 0);
  // In a small picture the legend has a separate row.
  const legendHeight = isSmall && legend.length > 0 ? size * 1.6 : 0;
  const box = { ...below, y: below.y + legendHeight, height: below.height - legendHeight };
  const maxRowCount = Math.max(3, Math.floor(box.height / (size * minRowHeight)));
  const rows = rowsOf(gatherRows(rankShares(bars), maxRowCount), isSmall ? formatShort : formatExact);
  const columns = layoutColumns(rows, box, size);
  const { left, right } = columns;
  // Negative parts have no length.
  const lengths = bars.map(({ parts }) => sumOf(parts.map(({ value }) => Math.max(0, value))));
  const longest = Math.max(...lengths) || 1;
  const scale = (value: number) => left + (value / longest) * Math.max(1, right - left);
  const rowHeight = Math.min(size * maxRowHeight, box.height / rows.length);
  const height = Math.min(size * maxBarHeight, rowHeight * barShare);
  const groups = rows.map((row, index) => {
    const middle = box.y + (index + 0.5) * rowHeight;
    const parts = drawBarParts(row.parts, { scale, y: middle - height / 2, height, paint });
    const texts = drawTexts(row, { ...columns, x: box.x, y: middle + size * 0.35, size, paint });
    return parts + texts;
  });
  const barCount = rows.filter(({ isRest }) => !isRest).length;
  const zero = `M${coordinate(left)} ${coordinate(box.y)}v${coordinate(barCount * rowHeight)}`;
  const content =
    drawHeading(title, notes, { options, paint }) +
    (legendHeight > 0
      ? drawNotes(legend, { x: below.x, y: below.y + size, size, maxWidth: below.width, paint })
      : '') +
    groups.join('') +
    `<path d="${zero}"${paint.stroke('axis')}/>`;
  return drawPicture({ title, description, content, paint }, options);
}

/** Returns the names of the parts, in their colours. */
function legendOf({ partNames }: BarPicture): Note[] {
  return partNames.map((name, index) => ({ text: `${name}   `, ink: seriesInk(index), isBold: true }));
}

interface BarRow {
  readonly name: string;
  readonly value: string;
  readonly share: string;
  readonly parts: readonly number[];
  readonly isRest: boolean;
}

function rowsOf({ shares, other }: Ranking<Slice>, format: (value: number) => string): BarRow[] {
  const rows = shares.map(({ entry: { name, value, parts }, part }) => {
    return { name, value, part, parts: parts.map((each) => each.value), isRest: false };
  });
  const name = `${formatExact(other?.count ?? 0)} more`;
  const rest = other === undefined ? [] : [{ ...other, name, parts: [], isRest: true }];
  return [...rows, ...rest].map(({ part, value, ...row }) => {
    return { ...row, value: format(value), share: formatShare(part) };
  });
}

interface Columns {
  readonly nameWidth: number;
  /** x coordinates between which bars are drawn. */
  readonly left: number;
  readonly right: number;
  /** Right ends of values and percentages; values are omitted if there is no room. */
  readonly valueEnd: number | undefined;
  readonly shareEnd: number;
}

function layoutColumns(rows: readonly BarRow[], { x, width }: Box, size: number): Columns {
  // The margin keeps rounding from making a text too wide when it is measured again.
  const widest = (measure: (row: BarRow) => number) =>
    rows.reduce((most, row) => Math.max(most, measure(row)), 0) + 0.1;
  const space = size * gap;
  const end = x + width;
  const hasValues = width >= size * minValueBoxWidth;
  const shareWidth = widest(({ share }) => measureText(share, size, true)) + space;
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
    shareEnd: end,
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
    textElement(share, { ...end, x: shareEnd, isBold: true, attributes })
  );
}

interface PartsPlace {
  readonly scale: (value: number) => number;
  readonly y: number;
  readonly height: number;
  readonly paint: Paint;
}

/** Draws the parts of one bar side by side, each at least one pixel wide to stay visible. */
function drawBarParts(parts: readonly number[], { scale, y, height, paint }: PartsPlace): string {
  let sum = 0;
  const rectangles = parts.map((part, index) => {
    if (part <= 0) return '';
    const x = scale(sum);
    sum += part;
    return (
      `<rect x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(Math.max(1, scale(sum) - x))}"` +
      ` height="${coordinate(height)}"${paint.fill(seriesInk(index))}/>`
    );
  });
  return rectangles.join('');
}
