/** The ranked list beside a pie: a key of its colour, name, share and count of each slice. */
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import type { Paint } from '../theme.ts';
import type { Box } from './box.ts';

/** One row of a legend. */
export interface LegendRow {
  readonly name: string;
  /** Where the name has no room, instead of cutting it. */
  readonly shortName?: string;
  readonly share: string;
  readonly value: string;
}

/** Where the rows stand, in one or several columns. */
export interface LegendLayout {
  readonly columnWidth: number;
  readonly columnCount: number;
  /** How many rows have room in a column. */
  readonly maxRowCount: number;
  /** The width of each text at the right, with the space before it; 0 where it is left out. */
  readonly shareWidth: number;
  readonly valueWidth: number;
}

interface LegendSpace {
  readonly width: number;
  readonly height: number;
  /** Of the text. */
  readonly size: number;
}

// In widths of the text.
const keyWidth = 1.5;
const textGap = 1;
const columnGap = 2.5;
const minNameWidth = 6;
const maxNameWidth = 24;
const usualColumnWidth = 24;
const minRowHeight = 1.5;
const maxRowHeight = 1.9;

/** Finds the columns for these rows: as few as hold all, each wide enough for the longest name where there is room. */
export function layoutLegend(rows: readonly LegendRow[], { width, height, size }: LegendSpace): LegendLayout {
  const maxRowCount = Math.max(1, Math.floor(height / (size * minRowHeight)));
  const gap = size * textGap;
  const shareWidth = widest(rows, ({ share }) => measureText(share, size, true)) + gap;
  const wantedValueWidth = widest(rows, ({ value }) => measureText(value, size)) + gap;
  // A name that is measured again must not come out wider.
  const longestName = widest(rows, ({ name }) => measureText(name, size)) + 0.1;
  const nameWidth = Math.min(longestName, size * maxNameWidth);
  const base = size * keyWidth + shareWidth;
  // Names come before counts where not both have room.
  const hasValues = base + wantedValueWidth + Math.min(nameWidth, size * minNameWidth * 1.5) <= width;
  const valueWidth = hasValues ? wantedValueWidth : 0;
  const between = size * columnGap;
  const narrowest = base + valueWidth + Math.min(nameWidth, size * minNameWidth);
  const possibleCount = Math.max(1, Math.floor((width + between) / (narrowest + between)));
  const columnCount = Math.min(possibleCount, Math.ceil(rows.length / maxRowCount));
  const columnWidth = Math.min(
    Math.max(base + valueWidth + nameWidth, size * usualColumnWidth),
    (width - (columnCount - 1) * between) / columnCount,
  );
  return { columnWidth, columnCount, maxRowCount, shareWidth, valueWidth };
}

function widest(rows: readonly LegendRow[], measure: (row: LegendRow) => number): number {
  return rows.reduce((most, row) => Math.max(most, measure(row)), 0);
}

/** What a legend is drawn with. */
export interface LegendStyle {
  readonly box: Box;
  readonly size: number;
  readonly paint: Paint;
  /** Rows begin at the top of the box instead of around its middle. */
  readonly isAtTop: boolean;
  /** The attributes of the key of a row. */
  readonly keyOf: (row: number) => string;
}

/** Draws the rows, column by column, each as a group with its index in `data-index`. */
export function drawLegend(
  rows: readonly LegendRow[],
  layout: LegendLayout,
  { box, size, paint, isAtTop, keyOf }: LegendStyle,
): string {
  const { columnWidth, shareWidth, valueWidth } = layout;
  const perColumn = Math.ceil(rows.length / layout.columnCount);
  const rowHeight = Math.min(size * maxRowHeight, box.height / perColumn);
  const top = isAtTop ? box.y : box.y + (box.height - perColumn * rowHeight) / 2;
  const key = Math.round(size * 0.75);
  const nameWidth = columnWidth - size * keyWidth - shareWidth - valueWidth;
  return rows
    .map(({ name, shortName = name, share, value }, index) => {
      const x = box.x + Math.floor(index / perColumn) * (columnWidth + size * columnGap);
      const middle = top + ((index % perColumn) + 0.5) * rowHeight;
      const place = { y: middle + size * 0.35, size };
      const right = x + columnWidth;
      const shown = measureText(name, size) <= nameWidth ? name : shortName;
      const texts = [
        textElement(cutText(shown, nameWidth, { size }), {
          ...place,
          x: x + size * keyWidth,
          attributes: paint.fill('text'),
        }),
        textElement(share, {
          ...place,
          x: right - valueWidth,
          anchor: 'end',
          isBold: true,
          attributes: paint.fill('text'),
        }),
        valueWidth === 0
          ? ''
          : textElement(value, { ...place, x: right, anchor: 'end', attributes: paint.fill('muted') }),
      ];
      return (
        `<g data-index="${index}"><rect x="${coordinate(x)}" y="${coordinate(middle - key / 2)}" width="${key}"` +
        ` height="${key}" rx="2"${keyOf(index)}/>${texts.join('')}</g>`
      );
    })
    .join('');
}
