/** Arcs of rings around the origin, as paths. */
import { coordinate } from '../svg.ts';

/** An arc: angles in radians, clockwise from twelve o'clock. */
export interface Arc {
  readonly start: number;
  readonly end: number;
}

/** The radii of a ring in pixels. */
export interface Ring {
  readonly inner: number;
  readonly outer: number;
}

/** The whole way round. */
export const wholeArc: Arc = { start: 0, end: 2 * Math.PI };

/** Divides an arc into consecutive pieces; the parts add up to at most 1. */
export function divideArc({ start, end }: Arc, parts: readonly number[]): Arc[] {
  let from = start;
  return parts.map((part) => {
    const to = Math.min(from + part * (end - start), end);
    const piece = { start: from, end: to };
    from = to;
    return piece;
  });
}

/** The path of a piece of a ring, with one decimal. */
export function arcPath({ start, end }: Arc, { inner, outer }: Ring): string {
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
