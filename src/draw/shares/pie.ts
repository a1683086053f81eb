/** Pies: a ring, the largest slice first, and a ranked list beside it. The parts of a drilldown pie are a second ring. */
import { formatExact, formatShare, formatShort } from '../format.ts';
import { drawLegendColumns, type LegendEntry, legendColumns } from '../legend.ts';
import {
  type Box,
  boxBelowHeading,
  type Caption,
  dayNotes,
  drawHeading,
  drawPicture,
  type PictureOptions,
  sizesOf,
} from '../picture.ts';
import { measureText, textElement } from '../svg.ts';
import { Paint } from '../theme.ts';
import { gatherSlices, type Ranking, rankShares, shareFilter } from './rank.ts';
import { type Circle, drawRings, holeRadius } from './rings.ts';
import { type Slice, sumOf } from './share.ts';

/** Draws a pie of at least one slice. */
export function drawPie(slices: readonly Slice[], caption: Caption, options: PictureOptions): string {
  const paint = new Paint(options.theme);
  const { text: size, isSmall } = sizesOf(options);
  const notes = dayNotes(caption, options);
  const { circle, legend, isAtTop } = divideBox(boxBelowHeading(options, notes.length > 0), size);
  const format = isSmall ? formatShort : formatExact;
  const filter = shareFilter(slices, options.isShown);
  const ranked = rankShares(slices, filter.isShown);
  const place = { box: legend, size };
  const { columnCount, maxCount } = legendColumns(entriesOf(gatherSlices(ranked), format), place);
  const ranking = gatherSlices(ranked, maxCount);
  const entries = entriesOf(ranking, format);
  const total = sumOf(ranked.map(({ entry, isHidden }) => (isHidden ? 0 : entry.value)));
  const { description } = caption;
  const title = caption.title + filter.note;
  const content =
    drawHeading(title, notes, { options, paint }) +
    drawRings(ranking, circle, paint) +
    drawTotal(total, { circle, hole: holeRadius(ranking, circle), maxSize: size * 2.6, paint }) +
    drawLegendColumns(entries, { ...place, columnCount, isAtTop }, paint);
  return drawPicture({ title, description, content, paint }, options);
}

interface Division {
  readonly circle: Circle;
  readonly legend: Box;
  readonly isAtTop: boolean;
}

/** Divides the box: the circle is beside the legend, or above it if the box is higher than wide. */
function divideBox({ x, y, width, height }: Box, size: number): Division {
  const gap = Math.min(size * 2, width * 0.07);
  if (width < height) {
    const radius = Math.min(width * 0.8, height * 0.45) / 2;
    const used = 2 * radius + gap;
    const circle = { x: x + width / 2, y: y + radius, radius };
    return { circle, legend: { x, y: y + used, width, height: height - used }, isAtTop: true };
  }
  const radius = Math.min(height, width * 0.4, size * 32) / 2;
  const used = 2 * radius + gap;
  const circle = { x: x + radius, y: y + height / 2, radius };
  return { circle, legend: { x: x + used, y, width: width - used, height }, isAtTop: false };
}

function entriesOf({ shares, other }: Ranking, format: (value: number) => string): LegendEntry[] {
  const rows = shares.map(({ entry, ...share }, rank) => ({ ...entry, ...share, rank }));
  const others = other && { ...other, rank: undefined, ...(other.count > 1 && { shortName: 'Other' }) };
  return [...rows, ...(others === undefined ? [] : [others])].map(({ part, value, ...row }) => {
    return { ...row, key: 'square', value: row.isHidden ? '–' : formatShare(part), count: format(value) };
  });
}

interface Hole {
  readonly circle: Circle;
  readonly hole: number;
  readonly maxSize: number;
  readonly paint: Paint;
}

/** Draws the total in the middle, if it has room. */
function drawTotal(total: number, { circle: { x, y }, hole, maxSize, paint }: Hole): string {
  const text = formatShort(total);
  const size = Math.round(Math.min(hole * 0.5, maxSize));
  if (size < 9 || measureText(text, size, true) > hole * 1.7) return '';
  const isAlone = hole < 34;
  const place = { x, anchor: 'middle' } as const;
  const labelSize = Math.max(10, Math.round(size * 0.45));
  // The two lines together are centred.
  const numberY = y + (isAlone ? size * 0.36 : size * 0.255 - labelSize * 0.4);
  const number = { y: numberY, size, isBold: true };
  const label = { y: numberY + size * 0.22 + labelSize * 0.8, size: labelSize };
  return (
    textElement(text, { ...place, ...number, attributes: paint.fill('text') }) +
    (isAlone ? '' : textElement('total', { ...place, ...label, attributes: paint.fill('muted') }))
  );
}
