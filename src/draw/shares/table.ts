/** The data of an unknown chart type, drawn as a small table. */
import { formatExact } from '../format.ts';
import { type Caption, drawHeading, drawPicture, type PictureOptions, sizesOf } from '../picture.ts';
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import { Paint } from '../theme.ts';
import { boxBelowHeading } from './box.ts';
import { tableRows } from './table-rows.ts';

// In heights of the text.
const rowHeight = 1.8;
const columnGap = 1.5;
const minColumnWidth = 5;
const maxColumnCount = 8;

/** Data of an unknown chart type. */
interface TableData {
  /** Any array or object. */
  readonly data: object;
  /** True if `data` is only the beginning of it. */
  readonly isCut: boolean;
}

/** Draws the first rows of any array or object, and says how many more there are. */
export function drawTable(
  { data, isCut }: TableData,
  { title, description }: Caption,
  options: PictureOptions,
): string {
  const paint = new Paint(options.theme);
  const { text: size } = sizesOf(options);
  const box = boxBelowHeading(options, false);
  const height = size * rowHeight;
  const lineCount = Math.max(1, Math.floor(box.height / height));
  const gap = size * columnGap;
  const maxColumns = Math.floor((box.width + gap) / (size * minColumnWidth + gap));
  const bounds = { rows: lineCount, columns: Math.max(1, Math.min(maxColumnCount, maxColumns)) };
  const { columns, rows, rowCount } = tableRows(data, bounds);
  const headLines = columns.length > 0 ? [columns] : [];
  const room = lineCount - headLines.length;
  const shownRows = rowCount <= room && !isCut ? rows : rows.slice(0, Math.max(0, room - 1));
  const lines = [...headLines, ...shownRows];
  const columnCount = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const widths = fitWidths(
    Array.from({ length: columnCount }, (_, column) =>
      lines.reduce((most, line) => Math.max(most, measureText(line[column] ?? '', size)), 0),
    ),
    box.width - gap * (columnCount - 1),
  );
  const baselineOf = (line: number) => box.y + (line + 0.5) * height + size * 0.35;
  const texts = lines.map((line, index) => {
    let x = box.x;
    return line
      .map((cell, column) => {
        const ink = index < headLines.length || (!Array.isArray(data) && column === 0) ? 'muted' : 'text';
        const width = widths[column] ?? 0;
        const place = { x, y: baselineOf(index), size, attributes: paint.fill(ink) };
        x += width + gap;
        const text = cutText(cell, width, { size });
        return text === '' ? '' : textElement(text, place);
      })
      .join('');
  });
  const rules = lines
    .slice(1)
    .map(
      (_, index) =>
        `M${coordinate(box.x)} ${coordinate(box.y + (index + 1) * height)}h${coordinate(box.width)}`,
    );
  const rest = rowCount - shownRows.length;
  const more =
    rest === 0 && !isCut
      ? ''
      : textElement(cutText(`… ${isCut ? 'more' : `${formatExact(rest)} more`}`, box.width, { size }), {
          x: box.x,
          y: baselineOf(lines.length),
          size,
          attributes: paint.fill('muted'),
        });
  const content =
    drawHeading(title, [], { options, paint }) +
    (rules.length > 0 ? `<path d="${rules.join('')}"${paint.stroke('grid')}/>` : '') +
    texts.join('') +
    more;
  return drawPicture({ title, description, content, paint }, options);
}

/** Fits the widths of columns into the room: the widest ones shrink to the same width. */
function fitWidths(wanted: readonly number[], room: number): number[] {
  let limit = Number.POSITIVE_INFINITY;
  let rest = room;
  const ascending = wanted.toSorted((a, b) => a - b);
  for (const [index, width] of ascending.entries()) {
    const fair = rest / (ascending.length - index);
    if (width > fair) {
      limit = fair;
      break;
    }
    rest -= width;
  }
  // Rounding must not make a text wider when it is measured again.
  return wanted.map((width) => Math.min(width + 0.1, limit));
}
