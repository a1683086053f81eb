/** Legends: entries in lines above a drawing, in columns beside it, or each where a drawing places it. */
import { type Box, type PictureOptions, sizesOf } from './picture.ts';
import { indexAttribute, sliceFill } from './shares/share-colours.ts';
import { coordinate, cutText, measureText, textElement } from './svg.ts';
import { type Paint, seriesInk } from './theme.ts';

/** A name with its key. */
export interface LegendEntry {
  readonly name: string;
  /** Name to use if the full one has no room. */
  readonly shortName?: string;
  /** Beside the name, in bold; '' for none. */
  readonly value: string;
  /** Beside the value, in columns that have room for it. */
  readonly count?: string;
  readonly key: 'square' | 'line' | 'none';
  /** The share of the whole, 0 … 1, as a bar behind a row of a column. */
  readonly part?: number;
  /** The index by which a script finds a share; undefined for "Other". */
  readonly rank?: number | undefined;
  /** The number of its colour; undefined for "Other". */
  readonly colour?: number | undefined;
  /** True for a share that the reader has hidden. */
  readonly isHidden?: boolean | undefined;
}

/** The place of an entry in pixels. */
interface EntryPlace {
  /** The left end, and the middle of the height. */
  readonly x: number;
  readonly y: number;
  /** The size of the text. */
  readonly size: number;
  readonly maxNameWidth: number;
  /** The right ends of value and count in a column. Otherwise the value is behind the name, and there is no count. */
  readonly valueEnd?: number;
  readonly countEnd?: number | undefined;
  /** The width and the height of a row, for the bar behind it. */
  readonly row?: { readonly width: number; readonly height: number };
}

const lineKeyWidth = 22;

// In heights of the text.
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

/** The most that a bar is high, in heights of the text, and the pixels that it begins before its row. */
const barHeight = 1.7;
const barStart = 4;

/** Draws the share of an entry as a pale bar. It is a path: a rectangle is a key that can be pressed. */
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

/** The width of an entry whose value is behind its name. */
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

// In heights of the text.
const lineHeight = 1.5;
const entryGap = 0.7;

/** Places as many entries as fit, at least one, in lines below `top`. `entriesOf` gathers those beyond a number, if there is room for that. */
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

// In widths of the text.
const columnGap = 2.5;
const minNameWidth = 6;
const maxNameWidth = 24;
const usualColumnWidth = 28;
const minRowHeight = 1.5;
const maxRowHeight = 2.2;

/** The room for columns. */
interface ColumnsRoom {
  readonly box: Box;
  /** The size of the text. */
  readonly size: number;
}

/** The fewest columns that hold these entries, or all columns that fit, and the number of entries in them. */
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
  // Rounding must not make a name wider when it is measured again.
  const longest = widest(({ name }) => measureText(name, size)) + 0.1;
  const name = Math.min(longest, size * maxNameWidth);
  const value = widest((entry) => keyWidthOf(entry, size) + measureText(entry.value, size, true)) + gap;
  const count = widest((entry) => measureText(entry.count ?? '', size)) + gap;
  return { name, fixed: value + count, countWidth: count };
}

/** Draws entries column by column, from the top of the box or in its middle, with a rule above the one at `ruleAt`. */
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
  const width = Math.min(Math.max(fixed + name, size * usualColumnWidth), room);
  const perColumn = Math.ceil(entries.length / columnCount);
  const rowHeight = Math.min(size * maxRowHeight, box.height / perColumn);
  const top = isAtTop ? box.y : box.y + (box.height - perColumn * rowHeight) / 2;
  return entries
    .map((entry, index) => {
      const x = box.x + Math.floor(index / perColumn) * (width + size * columnGap);
      const y = top + ((index % perColumn) + 0.5) * rowHeight;
      const end = x + width;
      const ends = { valueEnd: end - countWidth, countEnd: end, row: { width, height: rowHeight } };
      const drawn = drawEntry(entry, { x, y, size, maxNameWidth: width - fixed, ...ends }, paint);
      if (index === 0 || index !== ruleAt) return drawn;
      const rule = `M${coordinate(x)} ${coordinate(y - rowHeight / 2)}h${coordinate(width)}`;
      return `<path d="${rule}"${paint.stroke('axis')}/>${drawn}`;
    })
    .join('');
}
