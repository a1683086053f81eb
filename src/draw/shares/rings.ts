/** The ring of a pie, and around it the ring of the parts of its slices. */
import { formatShare } from '../format.ts';
import { coordinate, escapeXml } from '../svg.ts';
import type { Paint } from '../theme.ts';
import { type Ranking, rankShares } from './rank.ts';
import { type Slice, sumOf } from './share.ts';
import { indexAttribute, partFill, sliceFill } from './slice-attributes.ts';

/** Centre and radius of a pie, in pixels. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The radius of the hole of a pie, for its total. */
export function holeRadius(ranking: Ranking<Slice>, { radius }: Circle): number {
  return radius * (hasParts(ranking) ? 0.42 : 0.62);
}

function hasParts({ shares }: Ranking<Slice>): boolean {
  return shares.some(({ entry }) => entry.parts.length > 0);
}

/** Draws the slices, each as a group with its rank in `data-index`; "Other" has none. */
export function drawRings(ranking: Ranking<Slice>, circle: Circle, paint: Paint): string {
  const { shares, other } = ranking;
  const outer = circle.radius * (hasParts(ranking) ? 0.74 : 1);
  const ring = { inner: holeRadius(ranking, circle), outer };
  const outerRing = { inner: outer, outer: circle.radius };
  const all = [
    ...shares.map(({ entry, part }, rank) => ({ ...entry, part, rank })),
    ...(other === undefined ? [] : [{ ...other, parts: [], rank: undefined }]),
  ];
  const slices = divideArc(wholeArc, all).map(({ name, part, parts, rank, arc }) => {
    if (part <= 0) return '';
    const isOther = rank === undefined && hasParts(ranking);
    // "Other" is one piece, so that the outer ring has no gap.
    const pieces = isOther ? [{ name, part, arc }] : divideArc(arc, piecesOf({ name, parts, arc }, circle));
    const drawn = pieces.map((piece, index) => drawPiece(piece, outerRing, partFill(paint, rank, index)));
    return (
      `<g${indexAttribute(rank)}>${drawPiece({ name, part, arc }, ring, sliceFill(paint, rank))}` +
      `${drawn.join('')}</g>`
    );
  });
  const empty = `<path d="${arcPath(wholeArc, ring)}"${paint.fill('grid')}/>`;
  return (
    `<g transform="translate(${coordinate(circle.x)},${coordinate(circle.y)})"${paint.stroke('ground')}>` +
    `${slices.join('') || empty}</g>`
  );
}

/** Parts shorter than this along the ring, in pixels, look like one. */
const minPartLength = 5;

/** The parts of a slice; those too small to be told apart are one piece. */
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

/** Pieces shorter than this along the ring, in pixels, have no outline, which would cover them. */
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

/** The radii of a ring in pixels. */
interface Ring {
  readonly inner: number;
  readonly outer: number;
}

/** The whole way round. */
const wholeArc: Arc = { start: 0, end: 2 * Math.PI };

/** Divides an arc into consecutive pieces; the parts add up to at most 1. */
function divideArc<Piece extends Named>({ start, end }: Arc, pieces: readonly Piece[]) {
  let from = start;
  return pieces.map((piece) => {
    const arc = { start: from, end: Math.min(from + piece.part * (end - start), end) };
    from = arc.end;
    return { ...piece, arc };
  });
}

/** The path of a piece of a ring, with one decimal. */
function arcPath({ start, end }: Arc, { inner, outer }: Ring): string {
  // SVG draws nothing for an arc that ends where it begins, so a full circle is two halves.
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
