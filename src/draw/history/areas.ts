/** Stacked areas as paths. */

import { encodeRun, tenthsOf } from '../line/line-path.ts';
import type { PlotBox } from '../plot-box.ts';
import { indexAttribute, sliceFill } from '../shares/slice-attributes.ts';
import { coordinate, escapeXml } from '../svg.ts';
import type { Paint } from '../theme.ts';
import type { Stack } from './stack.ts';

/** The position of the areas, and their looks. */
interface AreasPlace {
  readonly box: PlotBox;
  readonly xAt: (timestamp: number) => number;
  readonly yAt: (value: number) => number;
  readonly paint: Paint;
  /** Name and latest part of each area, in the order of the stack, the others last. */
  readonly titles: readonly string[];
  readonly hasOther: boolean;
}

/** The least width of a run in pixels, so that a single time can be seen. */
const leastRunWidth = 4;

/**
 * Draws the areas, the uppermost first. Each reaches down to the bottom and is covered by the next, which takes half of the bytes and leaves
 * no seams between them.
 */
export function drawAreas({ edges, middles, runs }: Stack, place: AreasPlace): string {
  const { box, xAt, yAt, paint, titles, hasOther } = place;
  const bottom = coordinate(box.bottom);
  return edges
    .map((edge, rank) => {
      const isOther = hasOther && rank === edges.length - 1;
      const outlines = runs.map(({ start, end, from, to }) => {
        const [left, right] = widen(xAt(from), xAt(to), box);
        const vertices = new Int32Array(2 * (end - start) + 4);
        let at = 0;
        const put = (x: number, value: number | undefined) => {
          vertices[at++] = tenthsOf(x);
          vertices[at++] = tenthsOf(yAt(value ?? 0));
        };
        put(left, edge[start]);
        for (let index = start; index < end; index++) put(xAt(middles[index] ?? 0), edge[index]);
        put(right, edge[end - 1]);
        const { path, startX } = encodeRun(vertices, 0, at);
        return `${path}V${bottom}H${coordinate(startX)}Z`;
      });
      const fill = sliceFill(paint, isOther ? undefined : rank);
      return `<path d="${outlines.join('')}"${fill}${indexAttribute(isOther ? undefined : rank)}><title>${escapeXml(titles[rank] ?? '')}</title></path>`;
    })
    .join('');
}

/** The ends of a run in whole pixels, where no edge of a covered area shines through, at least {@link leastRunWidth} apart. */
function widen(from: number, to: number, box: PlotBox): readonly [left: number, right: number] {
  const [left, right] = [Math.round(from), Math.round(to)];
  const missing = leastRunWidth - (right - left);
  if (missing <= 0) return [left, right];
  const start = Math.round(Math.max(box.left, Math.min(left - missing / 2, box.right - leastRunWidth)));
  return [start, start + leastRunWidth];
}
