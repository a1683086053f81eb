/** The legend of a history: rows beside the areas, or lines of names above them in a narrow picture. */
import { formatExact, formatShare, formatShort } from '../format.ts';
import { type PictureOptions, sizesOf } from '../picture.ts';
import type { Box } from '../shares/box.ts';
import { drawShareLegend, type LegendRow } from '../shares/legend.ts';
import { indexAttribute } from '../shares/slice-attributes.ts';
import { coordinate, cutText, escapeXml, measureText } from '../svg.ts';
import type { Paint } from '../theme.ts';
import { areaFill } from './areas.ts';
import { gatherHistory, type HistoryToDraw } from './history-to-draw.ts';
import { sharesAt } from './history-words.ts';

/** A legend with its place, and the history gathered to the names that have room. */
interface PlacedLegend {
  readonly history: HistoryToDraw;
  readonly rows: readonly LegendRow[];
  /** The room that it takes from the areas: beside, or above them. */
  readonly rightMargin: number;
  readonly rowsHeight: number;
  readonly draw: (paint: Paint) => string;
}

/** In narrower pictures the legend is above the areas. */
const leastWidthBesideAreas = 480;

/** The most of the width that the legend takes beside the areas, and of the height above them. */
const maxShareOfWidth = 0.34;
const maxShareOfHeight = 0.42;

/** The least height of a row beside the areas, in heights of its text: 12 shares and the others have room in a picture of the usual size. */
const leastRowHeight = 1.35;

interface LegendRoom {
  readonly options: PictureOptions;
  /** The end of the heading. */
  readonly top: number;
}

/** Places the legend. */
export function placeLegend(history: HistoryToDraw, room: LegendRoom): PlacedLegend {
  return room.options.width < leastWidthBesideAreas ? linesAbove(history, room) : rowsBeside(history, room);
}

function rowsBeside(whole: HistoryToDraw, { options, top }: LegendRoom): PlacedLegend {
  const { padding, text: size, isSmall } = sizesOf(options);
  const y = top + size * 0.5;
  const width = Math.round(options.width * maxShareOfWidth);
  const box: Box = { x: options.width - padding - width, y, width, height: options.height - padding - y };
  const history = gatherHistory(whole, Math.max(1, Math.floor(box.height / (size * leastRowHeight))));
  const rows = rowsOf(history, isSmall ? formatShort : formatExact);
  return {
    history,
    rows,
    rightMargin: width + size * 2,
    rowsHeight: 0,
    draw: (paint) =>
      drawShareLegend(rows, { box, size, columnCount: 1, paint, isAtTop: true, fillOf: areaFill }),
  };
}

function rowsOf(history: HistoryToDraw, format: (value: number) => string): LegendRow[] {
  const { shares, other } = history;
  return sharesAt(history, 'last').map(({ value, part }, rank) => {
    const isHidden = (rank < shares.length ? shares[rank] : other)?.isHidden === true;
    const texts = {
      share: isHidden ? '–' : formatShare(part),
      value: isHidden ? '' : format(value),
      isHidden,
    };
    const name = shares[rank]?.name;
    if (name !== undefined) return { name, rank, ...texts };
    if (other?.name !== undefined) return { name: other.name, rank: undefined, ...texts };
    const count = other?.shareCount;
    const others = count === undefined ? 'Other' : `Other (${formatExact(count)})`;
    return { name: others, shortName: 'Other', rank: undefined, ...texts };
  });
}

// In heights of the text.
const lineHeight = 1.5;
const keyWidth = 1.2;
const entryGap = 0.9;
const nameGap = 0.5;

/** The most of the width for a name. */
const maxNameShare = 0.33;

/** A name in a line of names, at its left end and its baseline. */
interface LineEntry {
  readonly row: LegendRow;
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

function linesAbove(whole: HistoryToDraw, { options, top: end }: LegendRoom): PlacedLegend {
  const { padding, text: size } = sizesOf(options);
  const top = end + size * 0.3;
  const room = { left: padding, right: options.width - padding, top, size };
  const maxLineCount = Math.max(
    1,
    Math.floor(((options.height - padding - top) * maxShareOfHeight) / (size * lineHeight)),
  );
  for (let count = whole.shares.length + 1; ; count--) {
    const history = gatherHistory(whole, count);
    const rows = rowsOf(history, formatShort);
    const { entries, lineCount } = placeInLines(rows, room);
    if (lineCount > maxLineCount && count > 1) continue;
    const rowsHeight = (lineCount * lineHeight + 0.6) * size;
    const draw = (paint: Paint) => entries.map((entry) => drawEntry(entry, size, paint)).join('');
    return { history, rows, rightMargin: 0, rowsHeight, draw };
  }
}

interface LinesRoom {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly size: number;
}

function placeInLines(rows: readonly LegendRow[], { left, right, top, size }: LinesRoom) {
  const entries: LineEntry[] = [];
  let x = left;
  let line = 0;
  for (const row of rows) {
    const name = cutText(row.shortName ?? row.name, (right - left) * maxNameShare, { size });
    const width = size * (keyWidth + nameGap) + measureText(name, size) + measureText(row.share, size, true);
    if (x > left && x + width > right) {
      x = left;
      line++;
    }
    entries.push({ row, name, x, y: top + (line + 0.75) * size * lineHeight });
    x += width + size * entryGap;
  }
  return { entries, lineCount: line + 1 };
}

function drawEntry(
  { row: { rank, share, isHidden = false }, name, x, y }: LineEntry,
  size: number,
  paint: Paint,
): string {
  const key = Math.round(size * 0.75);
  const shareX = x + size * (keyWidth + nameGap) + measureText(name, size);
  const text = (at: number, words: string, weight: string) =>
    `<text x="${coordinate(at)}" y="${coordinate(y)}" font-size="${size}"${weight}${paint.fill('text')}>${escapeXml(words)}</text>`;
  return (
    `<g${indexAttribute(rank)}><rect x="${coordinate(x)}" y="${coordinate(y - key)}" width="${key}" height="${key}" rx="2"` +
    `${isHidden ? paint.stroke('axis') : areaFill(paint, rank)}/>${text(x + size * keyWidth, name, isHidden ? ' text-decoration="line-through"' : '')}${text(shareX, share, ' font-weight="600"')}</g>`
  );
}
