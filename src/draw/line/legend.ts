/** The legend of several lines: names at the ends of the lines if there is room, otherwise in rows above them. */
import { type PictureOptions, sizesOf } from '../picture.ts';
import type { PlotBox } from '../plot-box.ts';
import { coordinate, cutText, escapeXml, measureText } from '../svg.ts';
import type { Ink, Paint } from '../theme.ts';

/** A line with its name. */
interface NamedLine {
  readonly name: string;
  /** Its latest value as text. */
  readonly value: string;
  readonly ink: Ink;
  readonly dash?: string | undefined;
}

/** A name with its position. */
interface LegendEntry extends NamedLine {
  /** Path data of the piece of line before the name; '' for none. */
  readonly swatch: string;
  /** Path data of the connector from the name to the end of its line; '' for none. */
  readonly connector: string;
  /** The left end and the baseline of the text, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** A legend with its place. */
export interface PlacedLegend {
  readonly entries: readonly LegendEntry[];
  readonly draw: (paint: Paint) => string;
}

/** A legend before the lines are placed. */
export interface LineLegend {
  /** The room that it takes above the lines, and right of them. */
  readonly rowsHeight: number;
  readonly rightMargin: number;
  /** Places it beside the ends of the lines, whose y coordinates are given. */
  readonly place: (endYs: readonly number[], box: PlotBox) => PlacedLegend;
}

/** Makes the legend of lines below a heading that ends at `top`. */
export function lineLegend(lines: readonly NamedLine[], options: PictureOptions, top: number): LineLegend {
  const { padding, text: textSize } = sizesOf(options);
  const plotHeight = options.height - top - padding - textSize * 2;
  const placed = (entries: readonly LegendEntry[]): PlacedLegend => ({
    entries,
    draw: (paint) => entries.map((entry) => drawEntry(entry, textSize, paint)).join(''),
  });
  if (options.width >= 560 && plotHeight >= lines.length * textSize * endLabelHeight) {
    const maxWidth = Math.min(260, options.width * 0.3);
    const widest = Math.max(...lines.map((line) => textWidth(line, textSize)));
    return {
      rowsHeight: 0,
      rightMargin: Math.min(maxWidth, endLabelsOffset + Math.ceil(widest)),
      place: (endYs, box) => placed(placeEndLabels(lines, endYs, { box, maxWidth, textSize })),
    };
  }
  const { entries, height } = placeRows(lines, {
    left: padding,
    right: options.width - padding,
    top,
    maxRowCount: Math.floor((plotHeight * 0.45) / (textSize * 1.6)),
    textSize,
  });
  return { rowsHeight: height, rightMargin: 0, place: () => placed(entries) };
}

const swatchWidth = 22;
const swatchGap = 6;

/** The most that a name may be wide, and the size of its text, in pixels. */
interface NameSize {
  readonly maxWidth: number;
  readonly textSize: number;
}

const connectorWidth = 10;
const endLabelsOffset = 4 + connectorWidth + swatchWidth + swatchGap;

/** The distance from one name to the next at the ends of lines, in heights of the text. */
const endLabelHeight = 1.35;

/** Places names to the right of the box, close to the ends of their lines (`endYs`) and without overlaps. */
function placeEndLabels(
  lines: readonly NamedLine[],
  endYs: readonly number[],
  { box, maxWidth, textSize }: NameSize & { readonly box: PlotBox },
): LegendEntry[] {
  const ys = spread(endYs, { top: box.top, bottom: box.bottom, distance: textSize * endLabelHeight });
  const start = box.right + 4;
  return lines.map((line, index) => {
    const y = ys[index] ?? box.top;
    const x = box.right + endLabelsOffset;
    const end = endYs[index] ?? y;
    const connector = `M${round(start)} ${round(end)}l${connectorWidth} ${round(y - end)}`;
    const swatch = `M${round(start + connectorWidth)} ${round(y)}h${swatchWidth}`;
    return {
      ...cutLine(line, { maxWidth: maxWidth - endLabelsOffset, textSize }),
      swatch,
      connector,
      x,
      y: y + textSize * 0.35,
    };
  });
}

/** The room for rows of names, in pixels. */
interface RowsPlace {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly maxRowCount: number;
  readonly textSize: number;
}

/** Places names in rows. If not all fit, the last entry says how many are left out. */
function placeRows(
  lines: readonly NamedLine[],
  { left, right, top, maxRowCount, textSize }: RowsPlace,
): { readonly entries: readonly LegendEntry[]; readonly height: number } {
  const rowHeight = textSize * 1.6;
  const gap = textSize * 1.4;
  const entries: LegendEntry[] = [];
  let row = 0;
  let x = left;
  for (const line of lines) {
    const maxWidth = (right - left) * 0.6 - swatchWidth - swatchGap;
    const cut = cutLine(line, { maxWidth, textSize });
    const width = swatchWidth + swatchGap + textWidth(cut, textSize);
    if (x > left && x + width > right) {
      row++;
      x = left;
    }
    if (row >= maxRowCount) break;
    const y = top + row * rowHeight + textSize;
    const swatch = `M${round(x)} ${round(y - textSize * 0.35)}h${swatchWidth}`;
    entries.push({ ...cut, swatch, connector: '', x: x + swatchWidth + swatchGap, y });
    x += width + gap;
  }
  const height = Math.min(row + 1, maxRowCount) * rowHeight;
  return { entries: sayHowManyMore(entries, lines.length, { right, gap, textSize }), height };
}

/** Drops entries until "+3 more" has room after the last one, and adds it. */
function sayHowManyMore(
  placed: readonly LegendEntry[],
  lineCount: number,
  { right, gap, textSize }: { readonly right: number; readonly gap: number; readonly textSize: number },
): LegendEntry[] {
  const entries = [...placed];
  while (entries.length < lineCount) {
    const last = entries.at(-1);
    if (last === undefined) break;
    const name = `+${lineCount - entries.length} more`;
    const x = last.x + textWidth(last, textSize) + gap;
    if (x + measureText(name, textSize) > right) {
      entries.pop();
      continue;
    }
    return [
      ...entries,
      { name, value: '', ink: 'muted', dash: undefined, swatch: '', connector: '', x, y: last.y },
    ];
  }
  return entries;
}

/** Moves numbers apart until none is closer to the next than `distance`, within `top` and `bottom` if they fit. */
export function spread(
  wanted: readonly number[],
  { top, bottom, distance }: { readonly top: number; readonly bottom: number; readonly distance: number },
): number[] {
  const order = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const placed = new Array<number>(wanted.length).fill(0);
  let least = top;
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? 0, least);
    least = (placed[index] ?? 0) + distance;
  }
  let most = bottom;
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index] ?? 0, most);
    most = (placed[index] ?? 0) - distance;
  }
  return placed;
}

function cutLine<Line extends NamedLine>(line: Line, { maxWidth, textSize }: NameSize): Line {
  const valueWidth = measureText(`  ${line.value}`, textSize, true);
  return { ...line, name: cutText(line.name, maxWidth - valueWidth, { size: textSize }) };
}

/** The width of a name with its value. */
function textWidth({ name, value }: NamedLine, textSize: number): number {
  return measureText(name, textSize) + measureText(value === '' ? '' : `  ${value}`, textSize, true);
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10 + 0;
}

function drawEntry(
  { name, value, ink, dash, swatch, connector, x, y }: LegendEntry,
  textSize: number,
  paint: Paint,
): string {
  const dashes = dash === undefined ? '' : ` stroke-dasharray="${dash}"`;
  const line = swatch === '' ? '' : `<path d="${swatch}"${paint.stroke(ink)} stroke-width="1.75"${dashes}/>`;
  const joint = connector === '' ? '' : `<path d="${connector}"${paint.stroke(ink)} stroke-opacity=".5"/>`;
  const bold =
    value === '' ? '' : `  <tspan font-weight="600"${paint.fill('text')}>${escapeXml(value)}</tspan>`;
  const place = ` x="${coordinate(x)}" y="${coordinate(y)}" font-size="${textSize}" xml:space="preserve"`;
  return `${joint}${line}<text${place}${paint.fill('muted')}>${escapeXml(name)}${bold}</text>`;
}
