/** Computes shares at every time, as counts or percentages: stacked as areas, or as separate lines. */
import { clamp } from '../clamp.ts';
import type { LegendEntry } from '../legend.ts';
import { edgeOf, encodeRun } from '../line/line-path.ts';
import type { PlotBox } from '../plot-box.ts';
import { indexAttribute, sliceFill, sliceStroke } from '../shares/share-colours.ts';
import { coordinate, escapeXml } from '../svg.ts';
import type { Paint } from '../theme.ts';
import { type IndexRange, stepRuns } from '../time-step.ts';
import { allShares, type HistoryToDraw, type HistoryUnit } from './history-to-draw.ts';

/** Consecutive times without a gap. */
interface StackRun extends IndexRange {
  /** Start and end of the drawing of the run. */
  readonly from: number;
  readonly to: number;
}

/** Stacked shares. */
interface Stack {
  /**
   * Upper edges of the areas, topmost first; each area ends at the edge of the next, the last at 0. For
   * lines, their values.
   */
  readonly edges: readonly Float64Array[];
  /** Times of the edges: the middle of each step. */
  readonly middles: Float64Array;
  readonly runs: readonly StackRun[];
  readonly high: number;
}

/**
 * Stacks the shares, the largest on top and the others at the bottom; with `areLines`, each begins at 0. In
 * percent, there is a gap where all shares are 0.
 */
export function stackHistory(history: HistoryToDraw, unit: HistoryUnit, areLines = false): Stack {
  const { times, step } = history;
  const edges: Float64Array[] = [];
  let totals = new Float64Array(times.length);
  for (const share of allShares(history).toReversed()) {
    const { values } = share;
    const heightOf = (index: number) => Math.max(0, clamp(values[index] ?? 0));
    totals = totals.map((below, index) => below + heightOf(index));
    edges.unshift(areLines ? values.map((_, index) => heightOf(index)) : totals);
  }
  const isPercent = unit === 'percent';
  const shown = isPercent ? edges.map((edge) => percentOf(edge, totals)) : edges;
  const { middles, startOf, endOf, runs } = stepRuns(times, step.ms, history);
  return {
    edges: shown,
    middles,
    runs: runs
      .flatMap((run) => (isPercent ? partsAboveZero(run, totals) : [run]))
      .map(({ start, end }) => ({ start, end, from: startOf(start), to: endOf(end - 1) })),
    high: isPercent && !areLines ? 100 : Math.max(0, ...shown.map((edge) => Math.max(...edge))),
  };
}

/** Splits a run into the parts with values above 0. */
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

/** Position and style of the areas. */
interface AreasPlace {
  readonly box: PlotBox;
  readonly xAt: (timestamp: number) => number;
  readonly yAt: (value: number) => number;
  readonly paint: Paint;
  /** Names of the areas with their latest parts and colours, in stacking order. */
  readonly entries: readonly LegendEntry[];
  readonly areLines: boolean;
}

/** Minimum width of a run in pixels, so that a single time is visible. */
const leastRunWidth = 4;

/**
 * Draws the lines, or the areas from the top down. Each area reaches to the bottom and is covered by the
 * next, which halves the size and leaves no seams.
 */
export function drawAreas({ edges, middles, runs }: Stack, place: AreasPlace): string {
  const { box, xAt, yAt, paint, entries, areLines } = place;
  const xs = middles.map(xAt);
  const paths = edges.map((edge, index) => {
    const { name = '', value = '', rank, colour } = entries[index] ?? {};
    const outlines = runs.map((run) => {
      const ends = widen(xAt(run.from), xAt(run.to), box);
      const place = { start: run.start, end: run.end, ...ends, middles: xs, yAt };
      const { path, startX } = encodeRun(edgeOf(edge, place));
      return areLines ? path : `${path}V${coordinate(box.bottom)}H${coordinate(startX)}Z`;
    });
    const look = areLines ? sliceStroke(paint, colour) : sliceFill(paint, colour);
    return `<path d="${outlines.join('')}"${look}${indexAttribute(rank)}><title>${escapeXml(`${name} ${value}`)}</title></path>`;
  });
  // An outline in the ground colour separates areas of similar colours.
  return areLines
    ? paths.join('')
    : `<g${paint.stroke('ground')} stroke-linejoin="round">${paths.join('')}</g>`;
}

/**
 * Rounds the ends of a run to whole pixels, so that no covered area shines through at its edges, and keeps
 * them at least {@link leastRunWidth} apart.
 */
function widen(from: number, to: number, box: PlotBox) {
  const [left, right] = [Math.round(from), Math.round(to)];
  const missing = leastRunWidth - (right - left);
  if (missing <= 0) return { left, right };
  const start = Math.round(Math.max(box.left, Math.min(left - missing / 2, box.right - leastRunWidth)));
  return { left: start, right: start + leastRunWidth };
}
