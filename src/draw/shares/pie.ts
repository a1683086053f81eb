/**
 * Pies: a ring that starts with the largest slice, and a ranked list beside it. The parts of a drilldown pie
 * form a second ring.
 */
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
import { coordinate, escapeXml, measureText, textElement } from '../svg.ts';
import { Paint } from '../theme.ts';
import { indexAttribute, partFill, sliceFill } from './share-colours.ts';
import { gatherSlices, type Ranking, rankShares, type Slice, shareFilter, sumOf } from './slices.ts';

/** Draws a pie with at least one slice. */
export function drawPie(
  { shares: slices, colours }: { readonly shares: readonly Slice[]; readonly colours: readonly string[] },
  caption: Caption,
  options: PictureOptions,
): string {
  const paint = new Paint(options.theme);
  const { text: size, isSmall } = sizesOf(options);
  const notes = dayNotes(caption, options);
  const { circle, legend, isAtTop } = divideBox(boxBelowHeading(options, notes.length > 0), size);
  const format = isSmall ? formatShort : formatExact;
  const filter = shareFilter(slices, options.isShown);
  const ranked = rankShares(slices, filter.isShown, colours);
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

/** Divides the box: the circle is beside the legend, or above it if the box is taller than wide. */
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
    return {
      ...row,
      key: 'square',
      part,
      value: row.isHidden ? '–' : formatShare(part),
      count: format(value),
    };
  });
}

interface Hole {
  readonly circle: Circle;
  readonly hole: number;
  readonly maxSize: number;
  readonly paint: Paint;
}

/** Draws the total in the middle, if it fits. */
function drawTotal(total: number, { circle: { x, y }, hole, maxSize, paint }: Hole): string {
  const text = formatShort(total);
  const size = Math.round(Math.min(hole * 0.5, maxSize));
  if (size < 9 || measureText(text, size, true) > hole * 1.7) return '';
  const isAlone = hole < 34;
  const place = { x, anchor: 'middle' } as const;
  const labelSize = Math.max(10, Math.round(size * 0.45));
  // The two lines are centred together.
  const numberY = y + (isAlone ? size * 0.36 : size * 0.255 - labelSize * 0.4);
  const number = { y: numberY, size, isBold: true };
  const label = { y: numberY + size * 0.22 + labelSize * 0.8, size: labelSize };
  return (
    textElement(text, { ...place, ...number, attributes: paint.fill('text') }) +
    (isAlone ? '' : textElement('total', { ...place, ...label, attributes: paint.fill('muted') }))
  );
}

/** Centre and radius of a pie, in pixels. */
interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Returns the radius of the hole, which contains the total. */
function holeRadius(ranking: Ranking<Slice>, { radius }: Circle): number {
  return radius * (hasParts(ranking) ? 0.42 : 0.62);
}

function hasParts({ shares }: Ranking<Slice>): boolean {
  return shares.some(({ entry }) => entry.parts.length > 0);
}

/** Draws the slices, each as a group with its rank in `data-index`; "Other" has none. */
function drawRings(ranking: Ranking<Slice>, circle: Circle, paint: Paint): string {
  const { shares, other } = ranking;
  const outer = circle.radius * (hasParts(ranking) ? 0.74 : 1);
  const ring = { inner: holeRadius(ranking, circle), outer };
  const outerRing = { inner: outer, outer: circle.radius };
  const all = [
    ...shares.map(({ entry, part, colour }, rank) => ({ ...entry, part, rank, colour })),
    ...(other === undefined ? [] : [{ ...other, parts: [], rank: undefined, colour: undefined }]),
  ];
  const slices = divideArc(wholeArc, all).map(({ name, part, parts, rank, colour, arc }) => {
    if (part <= 0) return '';
    const isOther = rank === undefined && hasParts(ranking);
    // "Other" is drawn as one part, so that the outer ring has no gap.
    const pieces = isOther ? [{ name, part, arc }] : divideArc(arc, piecesOf({ name, parts, arc }, circle));
    const drawn = pieces.map((piece, index) => drawPiece(piece, outerRing, partFill(paint, colour, index)));
    return (
      `<g${indexAttribute(rank)}>${drawPiece({ name, part, arc }, ring, sliceFill(paint, colour))}` +
      `${drawn.join('')}</g>`
    );
  });
  const empty = `<path d="${arcPath(wholeArc, ring)}"${paint.fill('grid')}/>`;
  return (
    `<g transform="translate(${coordinate(circle.x)},${coordinate(circle.y)})"${paint.stroke('ground')}>` +
    `${slices.join('') || empty}</g>`
  );
}

/** Parts shorter than this along the ring, in pixels, are drawn as one. */
const minPartLength = 5;

/** Returns the parts of a slice; parts too small to distinguish are combined. */
function piecesOf(
  { name, parts, arc }: Pick<Slice, 'name' | 'parts'> & { readonly arc: Arc },
  { radius }: Circle,
): readonly Named[] {
  const ranked = rankShares(parts).filter(({ part }) => part > 0);
  const length = (arc.end - arc.start) * radius;
  const small = ranked.findIndex(({ part }) => part * length < minPartLength);
  const shown = small === -1 || small === ranked.length - 1 ? ranked : ranked.slice(0, small);
  const rest = ranked.slice(shown.length);
  const pieces = shown.map(({ entry, part }) => ({ name: `${name} › ${entry.name}`, part }));
  if (rest.length === 0) return pieces;
  return [...pieces, { name: `${name} › Other (${rest.length})`, part: sumOf(rest.map(({ part }) => part)) }];
}

/** Pieces shorter than this along the ring, in pixels, get no outline, because it would cover them. */
const leastOutlined = 4;

function drawPiece({ name, part, arc }: Named & { readonly arc: Arc }, ring: Ring, fill: string): string {
  const outline = (arc.end - arc.start) * ring.outer < leastOutlined ? ' stroke="none"' : '';
  const title = `<title>${escapeXml(`${name} ${formatShare(part)}`)}</title>`;
  return `<path d="${arcPath(arc, ring)}"${fill}${outline}>${title}</path>`;
}

/** A name with its part of the whole. */
interface Named {
  readonly name: string;
  readonly part: number;
}

/** An arc: angles in radians, clockwise from twelve o'clock. */
interface Arc {
  readonly start: number;
  readonly end: number;
}

/** Radii of a ring, in pixels. */
interface Ring {
  readonly inner: number;
  readonly outer: number;
}

/** The full circle. */
const wholeArc: Arc = { start: 0, end: 2 * Math.PI };

/** Divides an arc into consecutive pieces; their parts add up to at most 1. */
function divideArc<Piece extends Named>({ start, end }: Arc, pieces: readonly Piece[]) {
  let from = start;
  return pieces.map((piece) => {
    const arc = { start: from, end: Math.min(from + piece.part * (end - start), end) };
    from = arc.end;
    return { ...piece, arc };
  });
}

/** Returns the path of a piece of a ring, with one decimal. */
function arcPath({ start, end }: Arc, { inner, outer }: Ring): string {
  // SVG draws nothing for an arc that ends where it begins, so a full circle is drawn as two halves.
  if (end - start > wholeArc.end - 1e-6) return halves(outer, 1) + halves(inner, 0);
  const isLarge = end - start > Math.PI ? 1 : 0;
  return (
    `M${pointAt(start, outer)}${arcTo(end, { radius: outer, isLarge, sweep: 1 })}` +
    `L${pointAt(end, inner)}${arcTo(start, { radius: inner, isLarge, sweep: 0 })}Z`
  );
}

interface Turn {
  readonly radius: number;
  readonly isLarge: 0 | 1;
  /** 1 for clockwise. */
  readonly sweep: 0 | 1;
}

function halves(radius: number, sweep: 0 | 1): string {
  const turn = { radius, isLarge: 0, sweep } as const;
  return `M${pointAt(0, radius)}${arcTo(Math.PI, turn)}${arcTo(0, turn)}Z`;
}

function arcTo(angle: number, { radius, isLarge, sweep }: Turn): string {
  return `A${coordinate(radius)} ${coordinate(radius)} 0 ${isLarge} ${sweep} ${pointAt(angle, radius)}`;
}

function pointAt(angle: number, radius: number): string {
  return `${coordinate(radius * Math.sin(angle))} ${coordinate(-radius * Math.cos(angle))}`;
}
