/** Ranked horizontal bars: countries, and bars of one or several parts. */
import { formatExact, formatShare, formatShort } from '../format.ts';
import { drawHeading, drawPicture, type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import { Paint, seriesInk } from '../theme.ts';
import { boxBelowHeading } from './box.ts';
import type { Caption } from './caption.ts';
import { gatherRows, rankShares } from './rank.ts';
import { type Bar, sumOf } from './share.ts';

/** Bars, and the names of their parts where there are several. */
export interface BarPicture {
  readonly bars: readonly Bar[];
  readonly partNames: readonly string[];
}

// In heights of the text.
const minRowHeight = 1.7;
const maxRowHeight = 2.6;
const barHeight = 0.95;
const gap = 0.9;

/** Draws at least one bar: as many as have room, and what the others add up to. */
export function drawBars(
  { bars, partNames }: BarPicture,
  { title, description }: Caption,
  options: PictureOptions,
): string {
  const paint = new Paint(options.theme);
  const { text: size, isSmall } = sizesOf(options);
  const notes = isSmall ? [] : notesOf({ bars, partNames });
  const box = boxBelowHeading(options, notes.length > 0);
  const maxRowCount = Math.max(3, Math.floor(box.height / (size * minRowHeight)));
  const { shares, other } = gatherRows(rankShares(bars), maxRowCount);
  const hasShares = bars.every(({ value }) => value >= 0);
  const format = isSmall ? formatShort : formatExact;
  const rows = shares.map(({ entry, part }) => ({ ...entry, part }));
  const all =
    other === undefined ? rows : [...rows, { name: `${formatExact(other.count)} more`, ...other, parts: [] }];
  const widest = (text: (row: (typeof all)[number]) => string, isBold = false) =>
    all.reduce((most, row) => Math.max(most, measureText(text(row), size, isBold)), 0) + 0.1;
  const share = ({ part }: { readonly part: number }) => (hasShares ? formatShare(part) : '');
  const value = (row: { readonly value: number }) => format(row.value);
  const space = size * gap;
  const shareWidth = hasShares ? widest(share, true) + space : 0;
  const valueWidth = widest(value) + space;
  const nameWidth = Math.min(
    widest(({ name }) => name),
    box.width * 0.35,
  );
  const left = box.x + nameWidth + space;
  const right = box.x + box.width;
  const scale = barScale(bars, { left, right: right - shareWidth - valueWidth });
  const rowHeight = Math.min(size * maxRowHeight, box.height / all.length);
  const content = all.map((row, index) => {
    const middle = box.y + (index + 0.5) * rowHeight;
    const place = { y: middle + size * 0.35, size };
    const isRest = index === rows.length;
    const name = { ...place, x: box.x, attributes: paint.fill(isRest ? 'muted' : 'text') };
    const valueX = right - shareWidth;
    const end = { ...place, anchor: 'end' } as const;
    return (
      `<g data-index="${index}">` +
      textElement(cutText(row.name, nameWidth, { size }), name) +
      drawParts(row.parts, { scale, y: middle - (size * barHeight) / 2, height: size * barHeight, paint }) +
      textElement(value(row), { ...end, x: valueX, attributes: paint.fill('muted') }) +
      (hasShares
        ? textElement(share(row), { ...end, x: right, isBold: true, attributes: paint.fill('text') })
        : '') +
      '</g>'
    );
  });
  const zero = coordinate(scale(0));
  const axis = `<path d="M${zero} ${coordinate(box.y)}V${coordinate(box.y + rows.length * rowHeight)}"${paint.stroke('axis')}/>`;
  const heading = drawHeading(title, notes, { options, paint });
  return drawPicture({ title, description, content: heading + content.join('') + axis, paint }, options);
}

/** The key of the parts: their names in their colours. */
function notesOf({ bars, partNames }: BarPicture): Note[] {
  const partCount = bars.reduce((most, { parts }) => Math.max(most, parts.length), 0);
  if (partCount < 2) return [];
  return partNames
    .slice(0, partCount)
    .flatMap((name, index): Note[] => [{ text: `${name}   `, ink: seriesInk(index), isBold: true }]);
}

/** From values to x coordinates. Parts lie one behind the other, those below zero on the other side of it. */
function barScale(
  bars: readonly Bar[],
  { left, right }: { readonly left: number; readonly right: number },
): (value: number) => number {
  let low = 0;
  let high = 0;
  for (const { parts } of bars) {
    low = Math.min(low, sumOf(parts.filter((part) => part < 0)));
    high = Math.max(high, sumOf(parts.filter((part) => part > 0)));
  }
  // Halves, because the distance of the largest numbers is none.
  const span = high / 2 - low / 2 || 1;
  return (value) => left + ((value / 2 - low / 2) / span) * Math.max(1, right - left);
}

interface PartsPlace {
  readonly scale: (value: number) => number;
  readonly y: number;
  readonly height: number;
  readonly paint: Paint;
}

function drawParts(parts: readonly number[], { scale, y, height, paint }: PartsPlace): string {
  const ends = [0, 0];
  return parts
    .map((part, index) => {
      const side = part < 0 ? 1 : 0;
      const start = ends[side] ?? 0;
      const end = sumOf([start, part]);
      ends[side] = end;
      const x = Math.min(scale(start), scale(end));
      const width = Math.abs(scale(end) - scale(start));
      if (part === 0) return '';
      return (
        `<rect x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(Math.max(width, 1))}"` +
        ` height="${coordinate(height)}"${paint.fill(seriesInk(index))}/>`
      );
    })
    .join('');
}
