/** The ranked list beside a pie: the colour, name, share and count of each slice. */
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import type { Paint } from '../theme.ts';
import type { Box } from './box.ts';
import { indexAttribute, sliceFill } from './slice-attributes.ts';

/** One row of a legend. */
export interface LegendRow {
  readonly name: string;
  /** Name to use if the full one has no room. */
  readonly shortName?: string;
  /** Undefined for "Other". */
  readonly rank: number | undefined;
  readonly share: string;
  readonly value: string;
  /** True for a share that the reader has hidden. */
  readonly isHidden?: boolean | undefined;
}

/** The number of columns, and of rows that fit in each. */
interface LegendGrid {
  readonly columnCount: number;
  readonly maxRowCount: number;
}

/** The room for a legend. */
interface LegendSpace {
  readonly box: Box;
  /** The size of the text. */
  readonly size: number;
}

// In widths of the text.
const keyWidth = 1.5;
const textGap = 1;
const columnGap = 2.5;
const minNameWidth = 6;
const goodNameWidth = 10;
const maxNameWidth = 24;
const usualColumnWidth = 28;
const minRowHeight = 1.5;
const maxRowHeight = 2.2;

/** Chooses the fewest columns that hold these rows, or as many as have room. */
export function legendGrid(rows: readonly LegendRow[], { box, size }: LegendSpace): LegendGrid {
  const maxRowCount = Math.max(1, Math.floor(box.height / (size * minRowHeight)));
  const { nameWidth, shareWidth, valueWidth } = widthsOf(rows, box.width, size);
  const narrowest = size * keyWidth + Math.min(nameWidth, size * minNameWidth) + shareWidth + valueWidth;
  const between = size * columnGap;
  const possibleCount = Math.max(1, Math.floor((box.width + between) / (narrowest + between)));
  return { columnCount: Math.min(possibleCount, Math.ceil(rows.length / maxRowCount)), maxRowCount };
}

interface Widths {
  readonly nameWidth: number;
  /** The widths of the texts at the right, with the space before them; 0 for one that is left out. */
  readonly shareWidth: number;
  readonly valueWidth: number;
}

function widthsOf(rows: readonly LegendRow[], columnWidth: number, size: number): Widths {
  const gap = size * textGap;
  const shareWidth = widest(rows, ({ share }) => measureText(share, size, true)) + gap;
  const valueWidth = widest(rows, ({ value }) => measureText(value, size)) + gap;
  // Rounding must not make a name wider when it is measured again.
  const longestName = widest(rows, ({ name }) => measureText(name, size)) + 0.1;
  const nameWidth = Math.min(longestName, size * maxNameWidth);
  // If names and counts do not both have room, counts are left out.
  const needed = size * keyWidth + Math.min(nameWidth, size * goodNameWidth) + shareWidth + valueWidth;
  return { nameWidth, shareWidth, valueWidth: needed <= columnWidth ? valueWidth : 0 };
}

function widest(rows: readonly LegendRow[], measure: (row: LegendRow) => number): number {
  return rows.reduce((most, row) => Math.max(most, measure(row)), 0);
}

/** The look of a legend. */
interface ShareLegendStyle extends LegendSpace {
  readonly columnCount: number;
  readonly paint: Paint;
  /** True if rows begin at the top of the box; otherwise they are centred. */
  readonly isAtTop: boolean;
  /** Attributes that fill the colour of a row; those of slices unless given. */
  readonly fillOf?: (paint: Paint, rank: number | undefined) => string;
}

/** Draws the rows, column by column, each as a group with its rank in `data-index`. */
export function drawShareLegend(
  rows: readonly LegendRow[],
  { box, size, columnCount, paint, isAtTop, fillOf = sliceFill }: ShareLegendStyle,
): string {
  const room = (box.width - (columnCount - 1) * size * columnGap) / columnCount;
  const { nameWidth: longestName, shareWidth, valueWidth } = widthsOf(rows, room, size);
  const base = size * keyWidth + shareWidth + valueWidth;
  const columnWidth = Math.min(Math.max(base + longestName, size * usualColumnWidth), room);
  const nameWidth = columnWidth - base;
  const perColumn = Math.ceil(rows.length / columnCount);
  const rowHeight = Math.min(size * maxRowHeight, box.height / perColumn);
  const top = isAtTop ? box.y : box.y + (box.height - perColumn * rowHeight) / 2;
  const key = Math.round(size * 0.75);
  return rows
    .map(({ name, shortName = name, rank, share, value, isHidden = false }, index) => {
      const ink = isHidden ? 'muted' : 'text';
      const x = box.x + Math.floor(index / perColumn) * (columnWidth + size * columnGap);
      const middle = top + ((index % perColumn) + 0.5) * rowHeight;
      const place = { y: middle + size * 0.35, size };
      const right = x + columnWidth;
      const shown = measureText(name, size) <= nameWidth ? name : shortName;
      const texts = [
        textElement(cutText(shown, nameWidth, { size }), {
          ...place,
          x: x + size * keyWidth,
          attributes: paint.fill(ink) + (isHidden ? ' text-decoration="line-through"' : ''),
        }),
        textElement(share, {
          ...place,
          x: right - valueWidth,
          anchor: 'end',
          isBold: true,
          attributes: paint.fill(ink),
        }),
        valueWidth === 0
          ? ''
          : textElement(value, { ...place, x: right, anchor: 'end', attributes: paint.fill('muted') }),
      ];
      return (
        `<g${indexAttribute(rank)}><rect x="${coordinate(x)}" y="${coordinate(middle - key / 2)}" width="${key}"` +
        ` height="${key}" rx="2"${isHidden ? paint.stroke('axis') : fillOf(paint, rank)}/>${texts.join('')}</g>`
      );
    })
    .join('');
}
