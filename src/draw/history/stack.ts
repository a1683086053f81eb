/** Shares stacked on each other: the upper edge of each at every time, as counts or as parts of the whole, and the areas between them. */
import { clamp } from '../clamp.ts';
import { edgeOf, encodeRun } from '../line/line-path.ts';
import type { PlotBox } from '../plot-box.ts';
import { coordinate, escapeXml } from '../svg.ts';
import { indexAttribute, type Paint, sliceFill } from '../theme.ts';
import { type IndexRange, stepRuns } from '../time-step.ts';
import { allShares, type HistoryToDraw, type HistoryUnit } from './history-to-draw.ts';

/** Times without a gap between them. */
interface StackRun extends IndexRange {
  /** The times from which on and up to which it is drawn. */
  readonly from: number;
  readonly to: number;
}

/** Stacked shares. */
interface Stack {
  /** The upper edge of each area, the uppermost first; each ends at the next one, the last at 0. */
  readonly edges: readonly Float64Array[];
  /** The times at which the edges are: the middle of each step. */
  readonly middles: Float64Array;
  readonly runs: readonly StackRun[];
  readonly high: number;
}

/** Stacks the shares, the largest at the top, and the others at the bottom. In percent there is a gap where all are 0. */
export function stackHistory(history: HistoryToDraw, unit: HistoryUnit): Stack {
  const { times, step } = history;
  const edges: Float64Array[] = [];
  let totals = new Float64Array(times.length);
  for (const { values } of allShares(history).toReversed()) {
    totals = totals.map((below, index) => below + Math.max(0, clamp(values[index] ?? 0)));
    edges.unshift(totals);
  }
  const isPercent = unit === 'percent';
  const { middles, startOf, endOf, runs } = stepRuns(times, step.ms, history);
  return {
    edges: isPercent ? edges.map((edge) => percentOf(edge, totals)) : edges,
    middles,
    runs: runs
      .flatMap((run) => (isPercent ? partsAboveZero(run, totals) : [run]))
      .map(({ start, end }) => ({ start, end, from: startOf(start), to: endOf(end - 1) })),
    high: isPercent ? 100 : totals.reduce((high, total) => Math.max(high, total), 0),
  };
}

/** Divides a run into the parts in which something was counted. */
function partsAboveZero(run: IndexRange, totals: Float64Array): IndexRange[] {
  const parts: IndexRange[] = [];
  let { start } = run;
  for (let index = start; index <= run.end; index++) {
    if (index < run.end && (totals[index] ?? 0) > 0) continue;
    if (start < index) parts.push({ start, end: index });
    start = index + 1;
  }
  return parts;
}

function percentOf(edge: Float64Array, totals: Float64Array): Float64Array {
  return edge.map((value, index) => (value / (totals[index] || 1)) * 100);
}

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
  return edges
    .map((edge, index) => {
      const rank = hasOther && index === edges.length - 1 ? undefined : index;
      const outlines = runs.map((run) => {
        const ends = widen(xAt(run.from), xAt(run.to), box);
        const { path, startX } = encodeRun(edgeOf(edge, middles, run, { ...ends, xAt, yAt }));
        return `${path}V${coordinate(box.bottom)}H${coordinate(startX)}Z`;
      });
      return `<path d="${outlines.join('')}"${sliceFill(paint, rank)}${indexAttribute(rank)}><title>${escapeXml(titles[index] ?? '')}</title></path>`;
    })
    .join('');
}

/** The ends of a run in whole pixels, where no edge of a covered area shines through, at least {@link leastRunWidth} apart. */
function widen(from: number, to: number, box: PlotBox) {
  const [left, right] = [Math.round(from), Math.round(to)];
  const missing = leastRunWidth - (right - left);
  if (missing <= 0) return { left, right };
  const start = Math.round(Math.max(box.left, Math.min(left - missing / 2, box.right - leastRunWidth)));
  return { left: start, right: start + leastRunWidth };
}
