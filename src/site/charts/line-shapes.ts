/** Reduces loaded lines to what pictures can show. */

import { LineBand } from '../../draw/line/line-band.ts';
import { columnCountFor, gapLimitMs, LineColumns } from '../../draw/line/line-columns.ts';
import type { LineShape } from '../../draw/line/line-shape.ts';
import { type Summand, sumPoints } from '../../draw/line/sum.ts';
import { bandStep, longestRangeOfPoints } from '../../draw/time-step.ts';
import type { Points } from '../../model/points.ts';
import type { LoadedLines, PictureOfLines, TimeRange } from './load-lines.ts';
import type { Steps } from './steps.ts';

/** A shape for each of some pictures. */
export type ShapesOfLine = readonly LineShape[];

/** The shapes of lines, in their order, for the pictures that they were loaded for; a line without points has shapes without points. */
export function* shapesOf(
  { lines, ...range }: LoadedLines,
  pictures: readonly PictureOfLines[],
): Steps<readonly ShapesOfLine[]> {
  const shapes: ShapesOfLine[] = [];
  for (const line of lines) {
    const hasRuns = line === undefined || 'runs' in line;
    shapes.push(hasRuns ? yield* shapesOfRuns(line, range, pictures) : line);
  }
  return shapes;
}

/** The shapes of the sum of lines, all of whose points are loaded. */
export function* shapesOfSum(
  { lines, ...range }: LoadedLines,
  pictures: readonly PictureOfLines[],
): Steps<ShapesOfLine> {
  const [first] = lines.filter((line) => line !== undefined && 'runs' in line);
  const sum = first && { runs: sumPoints(summandsOf(lines)), newest: first.newest };
  return yield* shapesOfRuns(sum, range, pictures);
}

/** The summands of lines, all of whose points are loaded; a line without points adds nothing. */
export function summandsOf(lines: LoadedLines['lines']): Summand[] {
  return lines.map((line) =>
    line !== undefined && 'runs' in line
      ? { runs: line.runs, maxGapMs: gapLimitMs(line.newest.timestamps) }
      : { runs: [], maxGapMs: 0 },
  );
}

/** Points in ascending runs, and the newest of them. */
interface LineRuns {
  readonly runs: Iterable<Points>;
  readonly newest: Points;
}

function* shapesOfRuns(
  line: LineRuns | undefined,
  { from, to }: TimeRange,
  pictures: readonly PictureOfLines[],
): Steps<ShapesOfLine> {
  const maxGapMs = line === undefined ? 0 : gapLimitMs(line.newest.timestamps);
  const isLong = to - from > longestRangeOfPoints;
  const candidates = pictures.map(({ width }) => {
    return {
      columns: new LineColumns({ from, to, columnCount: columnCountFor(width), maxGapMs }),
      band: isLong ? new LineBand({ from, to, step: bandStep(to - from, width) }) : undefined,
    };
  });
  for (const run of line?.runs ?? []) {
    for (const { columns, band } of candidates) {
      columns.add(run);
      band?.add(run);
    }
    yield;
  }
  return candidates.map(({ columns, band }) => (band === undefined || band.isSparse ? columns : band));
}
