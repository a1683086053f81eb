/** Legends: entries in lines above a drawing, in columns beside it, or placed individually. */
import { type Box, type PictureOptions, sizesOf } from './picture.ts';
import { indexAttribute, sliceFill } from './shares/share-colours.ts';
import { coordinate, cutText, measureText, textElement } from './svg.ts';
import { type Paint, seriesInk } from './theme.ts';

/** A name with its colour key. */
export interface LegendEntry {
  readonly name: string;
  /** Name to use if the full name does not fit. */
  readonly shortName?: string;
  /** Bold text after the name; '' for none. */
  readonly value: string;
  /** Text after the value, in columns with enough room. */
  readonly count?: string;
  readonly key: 'square' | 'line' | 'none';
  /** Part of the whole, 0 … 1, drawn as a bar behind a row of a column. */
  readonly part?: number;
  /** Index by which scripts find a share; undefined for "Other". */
  readonly rank?: number | undefined;
  /** Index of its colour; undefined for "Other". */
  readonly colour?: number | undefined;
  /** True if the reader has hidden the share. */
  readonly isHidden?: boolean | undefined;
}

/** Position of an entry, in pixels. */
interface EntryPlace {
  /** Left end and vertical centre. */
  readonly x: number;
  readonly y: number;
  /** Text size. */
  readonly size: number;
  readonly maxNameWidth: number;
  /**
   * Right ends of value and count in a column. Without them, the value directly follows the name, and the
   * count is omitted.
   */
  readonly valueEnd?: number;
  readonly countEnd?: number | undefined;
  /** Size of the row, for the bar behind it. */
  readonly row?: { readonly width: number; readonly height: number };
}

const lineKeyWidth = 22;

// In text heights.
const squareSize = 0.75;
const keyGap = 0.5;
const textGap = 0.5;
const columnTextGap = 1;

/** Draws an entry. */
export function drawEntry(entry: LegendEntry, place: EntryPlace, paint: Paint): string {
  const { value, count = '', key, rank, isHidden = false } = entry;
  const { x, y, size, maxNameWidth, valueEnd, countEnd } = place;
  const name = shownName(entry, maxNameWidth, size);
  const nameX = x + keyWidthOf(entry, size);
  const baseline = { y: y + size * 0.35, size };
  const valuePlace =
    valueEnd === undefined
      ? ({ x: nameX + measureText(name, size) + size * textGap } as const)
      : ({ x: valueEnd, anchor: 'end' } as const);
  const strong = paint.fill(isHidden ? 'muted' : 'text');
  const attributes =
    (key === 'square' ? strong : paint.fill('muted')) + (isHidden ? ' text-decoration="line-through"' : '');
  return (
    `<g${key === 'square' ? indexAttribute(rank) : ''}>${drawBar(entry, place, paint)}${drawKey(entry, place, paint)}` +
    textElement(name, { ...baseline, x: nameX, attributes }) +
    (value === ''
      ? ''
      : textElement(value, { ...baseline, ...valuePlace, isBold: true, attributes: strong })) +
    (countEnd === undefined
      ? ''
      : textElement(count, { ...baseline, x: countEnd, anchor: 'end', attributes: paint.fill('muted') })) +
    '</g>'
  );
}

/**
 * Maximum height of a bar in text heights, and the number of pixels by which it extends its row at each end.
 */
const barHeight = 1.7;
const barStart = 4;

/**
 * Draws the part of an entry as a pale bar. The bar is a path, because rectangles in legends are clickable
 * keys.
 */
function drawBar({ part = 0 }: LegendEntry, { x, y, size, row }: EntryPlace, paint: Paint): string {
  if (row === undefined || !(part > 0)) return '';
  const height = Math.min(row.height, size * barHeight);
  const [width, top] = [(row.width + 2 * barStart) * Math.min(1, part), y - height / 2];
  const d = `M${coordinate(x - barStart)} ${coordinate(top)}h${coordinate(width)}v${coordinate(height)}h${coordinate(-width)}z`;
  return `<path d="${d}"${paint.fill('series0')} fill-opacity=".1"/>`;
}

function drawKey({ key, colour, isHidden }: LegendEntry, { x, y, size }: EntryPlace, paint: Paint) {
  if (key === 'none') return '';
  if (key === 'line') {
    const d = `M${coordinate(x)} ${coordinate(y)}h${lineKeyWidth}`;
    return `<path d="${d}"${paint.stroke(seriesInk(colour ?? 0))} stroke-width="1.75"/>`;
  }
  const side = Math.round(size * squareSize);
  return (
    `<rect x="${coordinate(x)}" y="${coordinate(y - side / 2)}" width="${side}" height="${side}" rx="2"` +
    `${isHidden ? paint.stroke('axis') : sliceFill(paint, colour)}/>`
  );
}

function keyWidthOf({ key }: LegendEntry, size: number): number {
  return key === 'none' ? 0 : size * keyGap + (key === 'line' ? lineKeyWidth : size);
}

function shownName({ name, shortName = name }: LegendEntry, maxWidth: number, size: number): string {
  return cutText(measureText(name, size) <= maxWidth ? name : shortName, maxWidth, { size });
}

/** Returns the width of an entry whose value follows its name. */
export function entryWidth(entry: LegendEntry, maxNameWidth: number, size: number): number {
  const { value } = entry;
  const name = shownName(entry, maxNameWidth, size);
  const valueWidth = value === '' ? 0 : size * textGap + measureText(value, size, true);
  return keyWidthOf(entry, size) + measureText(name, size) + valueWidth;
}

/** The most of the height that lines take, less in a card, which is higher, and of the width for a name. */
const maxShareOfHeight = 0.42;
const maxShareInCard = 0.33;
const maxNameShare = 0.4;

// In text heights.
const lineHeight = 1.5;
const entryGap = 0.7;

/**
 * Places as many entries as fit, at least one, in lines below `top`. `entriesOf(count)` returns that many
 * entries, and may replace the rest by an entry for their number.
 */
export function legendLines(
  count: number,
  entriesOf: (count: number) => readonly LegendEntry[],
  { options, top }: { readonly options: PictureOptions; readonly top: number },
) {
  const { padding, text: size } = sizesOf(options);
  const right = options.width - padding;
  const rowHeight = size * lineHeight;
  const maxShare = options.isInCard === true ? maxShareInCard : maxShareOfHeight;
  const room = (options.height - padding - top) * maxShare;
  const maxLine = Math.max(0, Math.floor(room / rowHeight) - 1);
  for (let shown = count; ; shown--) {
    const entries = entriesOf(shown);
    let [x, line] = [padding, 0];
    const places = entries.map(({ shortName, ...entry }) => {
      const short = { ...entry, name: shortName ?? entry.name };
      const maxNameWidth = Math.min(
        (right - padding) * maxNameShare,
        right - padding - entryWidth(short, 0, size),
      );
      const width = entryWidth(short, maxNameWidth, size);
      if (x > padding && x + width > right) [x, line] = [padding, line + 1];
      const place = { short, line, x, y: top + (line + 0.5) * rowHeight, size, maxNameWidth };
      x += width + size * entryGap;
      return place;
    });
    if (line > maxLine && shown > 1) continue;
    const fitting = places.filter((place) => place.line <= maxLine);
    const height = (Math.min(line, maxLine) + 1.2) * rowHeight;
    const draw = (paint: Paint) => fitting.map((place) => drawEntry(place.short, place, paint)).join('');
    return { entries, count: shown, height, draw };
  }
}

// In text heights.
const columnGap = 2.5;
const minNameWidth = 6;
const maxNameWidth = 24;
const usualColumnWidth = 28;
const minRowHeight = 1.5;
const maxRowHeight = 2.2;

/** Room for columns. */
interface ColumnsRoom {
  readonly box: Box;
  /** Text size. */
  readonly size: number;
}

/**
 * Returns the smallest number of columns that holds the entries, or the maximum number that fits, with the
 * number of entries they hold.
 */
export function legendColumns(
  entries: readonly LegendEntry[],
  { box, size }: ColumnsRoom,
): { readonly columnCount: number; readonly maxCount: number } {
  const maxRowCount = Math.max(1, Math.floor(box.height / (size * minRowHeight)));
  const { name, fixed } = columnWidths(entries, size);
  const between = size * columnGap;
  const narrowest = Math.min(name, size * minNameWidth) + fixed + between;
  const possible = Math.max(1, Math.floor((box.width + between) / narrowest));
  const columnCount = Math.min(possible, Math.ceil(entries.length / maxRowCount));
  return { columnCount, maxCount: columnCount * maxRowCount };
}

function columnWidths(entries: readonly LegendEntry[], size: number) {
  const widest = (measure: (entry: LegendEntry) => number) => Math.max(0, ...entries.map(measure));
  const gap = size * columnTextGap;
  // The margin keeps rounding from making a name too wide when it is measured again.
  const longest = widest(({ name }) => measureText(name, size)) + 0.1;
  const name = Math.min(longest, size * maxNameWidth);
  const value = widest((entry) => keyWidthOf(entry, size) + measureText(entry.value, size, true)) + gap;
  const count = widest((entry) => measureText(entry.count ?? '', size)) + gap;
  return { name, fixed: value + count, countWidth: count };
}

/**
 * Draws entries column by column, from the top of the box or vertically centred, with a rule above the entry
 * at `ruleAt`.
 */
export function drawLegendColumns(
  entries: readonly LegendEntry[],
  {
    box,
    size,
    columnCount,
    isAtTop,
    ruleAt,
  }: ColumnsRoom & { readonly columnCount: number; readonly isAtTop: boolean; readonly ruleAt?: number },
  paint: Paint,
): string {
  const room = (box.width - (columnCount - 1) * size * columnGap) / columnCount;
  const { name, fixed, countWidth } = columnWidths(entries, size);
  // On a phone, names have the room of counts.
  const leftOut = room - fixed < Math.min(name, size * minNameWidth) ? countWidth : 0;
  const width = Math.min(Math.max(fixed + name, size * usualColumnWidth), room);
  const perColumn = Math.ceil(entries.length / columnCount);
  const rowHeight = Math.min(size * maxRowHeight, box.height / perColumn);
  const top = isAtTop ? box.y : box.y + (box.height - perColumn * rowHeight) / 2;
  return entries
    .map((entry, index) => {
      const x = box.x + Math.floor(index / perColumn) * (width + size * columnGap);
      const y = top + ((index % perColumn) + 0.5) * rowHeight;
      const end = x + width;
      const ends = {
        valueEnd: end - countWidth + leftOut,
        countEnd: leftOut > 0 ? undefined : end,
        row: { width, height: rowHeight },
        maxNameWidth: width - fixed + leftOut,
      };
      const drawn = drawEntry(entry, { x, y, size, ...ends }, paint);
      if (index === 0 || index !== ruleAt) return drawn;
      const rule = `M${coordinate(x)} ${coordinate(y - rowHeight / 2)}h${coordinate(width)}`;
      return `<path d="${rule}"${paint.stroke('axis')}/>${drawn}`;
    })
    .join('');
}
