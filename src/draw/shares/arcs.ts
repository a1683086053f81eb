/** Arcs of rings around the origin, as paths. */
import { arc } from 'd3-shape';

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

/** Divides an arc by parts that add up to at most 1, one behind the other. */
export function divideArc({ start, end }: Arc, parts: readonly number[]): Arc[] {
  let from = start;
  return parts.map((part) => {
    const to = Math.min(from + part * (end - start), end);
    const piece = { start: from, end: to };
    from = to;
    return piece;
  });
}

const path = arc<Arc & Ring>()
  .startAngle(({ start }) => start)
  .endAngle(({ end }) => end)
  .innerRadius(({ inner }) => inner)
  .outerRadius(({ outer }) => outer)
  .digits(1);

/** The path of a piece of a ring, in coordinates of one decimal. */
export function arcPath(piece: Arc, ring: Ring): string {
  return path({ ...piece, ...ring }) ?? '';
}
