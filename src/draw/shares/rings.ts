/** The ring of a pie, and around it the ring of the parts of its slices. */
import { formatShare } from '../format.ts';
import { coordinate, escapeXml } from '../svg.ts';
import type { Paint } from '../theme.ts';
import { type Arc, arcPath, divideArc, type Ring, wholeArc } from './arcs.ts';
import { type Ranking, rankShares } from './rank.ts';
import type { Slice } from './share.ts';
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

/** Draws the slices, each as a group with its rank in `data-index`; "Other" has none. */
export function drawRings(ranking: Ranking<Slice>, circle: Circle, paint: Paint): string {
  const { shares, other } = ranking;
  const ring = { inner: holeRadius(ranking, circle), outer: circle.radius * (hasParts(ranking) ? 0.74 : 1) };
  const outerRing = { inner: ring.outer, outer: circle.radius };
  const arcs = divideArc(wholeArc, [...shares.map(({ part }) => part), other?.part ?? 0]);
  const slices = arcs.map((arc, index) => {
    const share = shares[index];
    const rank = share === undefined ? undefined : index;
    if (arc.end - arc.start <= 0) return '';
    const name = share?.entry.name ?? other?.name ?? '';
    const part = share?.part ?? other?.part ?? 0;
    const place = { arc, ring: outerRing, rank, paint };
    const parts =
      share === undefined ? drawOtherParts(ranking, { name, part }, place) : drawParts(share.entry, place);
    return (
      `<g${indexAttribute(rank)}><path d="${arcPath(arc, ring)}"${sliceFill(paint, rank)}${outlineOf(arc, ring)}>` +
      `${titleElement(name, part)}</path>${parts}</g>`
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

interface PartsPlace {
  readonly arc: Arc;
  readonly ring: Ring;
  readonly rank: number | undefined;
  readonly paint: Paint;
}

/** Pieces shorter than this along the ring, in pixels, have no outline, which would cover them. */
const leastOutlined = 4;

function outlineOf({ start, end }: Arc, { outer }: Ring): string {
  return (end - start) * outer < leastOutlined ? ' stroke="none"' : '';
}

/** Draws the parts of "Other" as one piece, so that the outer ring has no gap. */
function drawOtherParts(
  ranking: Ranking<Slice>,
  { name, part }: { readonly name: string; readonly part: number },
  { arc, ring, rank, paint }: PartsPlace,
): string {
  if (!hasParts(ranking)) return '';
  return `<path d="${arcPath(arc, ring)}"${partFill(paint, rank, 0)}>${titleElement(name, part)}</path>`;
}

/** Draws the parts of a slice; those too small to be told apart are one piece. */
function drawParts({ name, parts }: Slice, { arc, ring, rank, paint }: PartsPlace): string {
  const ranked = rankShares(parts).filter(({ part }) => part > 0);
  const length = (arc.end - arc.start) * ring.outer;
  const small = ranked.findIndex(({ part }) => part * length < minPartLength);
  const shown = small === -1 || small === ranked.length - 1 ? ranked : ranked.slice(0, small);
  const rest = ranked.slice(shown.length);
  const restPart = rest.reduce((sum, { part }) => sum + part, 0);
  const pieces = [
    ...shown.map(({ entry, part }) => ({ name: entry.name, part })),
    ...(rest.length > 0 ? [{ name: `Other (${rest.length})`, part: restPart }] : []),
  ];
  const arcs = divideArc(
    arc,
    pieces.map(({ part }) => part),
  );
  return pieces
    .map((piece, index) => {
      const pieceArc = arcs[index] ?? arc;
      const d = arcPath(pieceArc, ring);
      const title = titleElement(`${name} › ${piece.name}`, piece.part);
      return `<path d="${d}"${partFill(paint, rank, index)}${outlineOf(pieceArc, ring)}>${title}</path>`;
    })
    .join('');
}

function titleElement(name: string, part: number): string {
  return `<title>${escapeXml(`${name} ${formatShare(part)}`)}</title>`;
}

function hasParts({ shares }: Ranking<Slice>): boolean {
  return shares.some(({ entry }) => entry.parts.length > 0);
}
