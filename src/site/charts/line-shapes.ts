/** Reduces loaded lines to what pictures can show. */
import { bandStep, LineBand, longestRangeOfPoints } from '../../draw/line/line-band.ts';
import { columnCountFor, gapLimitMs, LineColumns } from '../../draw/line/line-columns.ts';
import type { LineShape } from '../../draw/line/line-shape.ts';
import { PngColumns } from '../../draw/line/png-columns.ts';
import { sumPoints } from '../../draw/line/sum.ts';
import type { Points } from '../../model/points.ts';
import type { LoadedLines, SteppedLine, TimeRange } from './load-lines.ts';
import type { Steps } from './steps.ts';

/** A picture that lines are reduced for. */
export interface PictureOfLines {
  /** In pixels. */
  readonly width: number;
  readonly isForPng?: boolean;
}

/** A shape for each of some pictures. */
export type ShapesOfLine = readonly LineShape[];

/** The shapes of lines, in their order; a line without points has shapes without points. */
export function* shapesOf(
  { lines, ...range }: LoadedLines,
  pictures: readonly PictureOfLines[],
): Steps<readonly ShapesOfLine[]> {
  const shapes: ShapesOfLine[] = [];
  for (const line of lines) {
    if (line !== undefined && 'summaries' in line)
      shapes.push(pictures.map((picture) => bandOf(line, range, picture)));
    else shapes.push(yield* shapesOfRuns(line, range, pictures));
  }
  return shapes;
}

/** The shapes of the sum of lines, all of whose points are loaded. */
export function* shapesOfSum(
  { lines, ...range }: LoadedLines,
  pictures: readonly PictureOfLines[],
): Steps<ShapesOfLine> {
  const known = lines.filter((line) => line !== undefined && 'runs' in line);
  const summands = known.map(({ runs, newest }) => ({ runs, maxGapMs: gapLimitMs(newest.timestamps) }));
  const [first] = known;
  return yield* shapesOfRuns(first && { runs: sumPoints(summands), newest: first.newest }, range, pictures);
}

function bandOf(
  { summaries, latest }: SteppedLine,
  { from, to }: TimeRange,
  { width }: PictureOfLines,
): LineBand {
  const band = new LineBand({ from, to, step: bandStep(to - from, width) });
  band.addSummaries(summaries);
  band.setLatest(latest.timestamp, latest.value);
  return band;
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
  const candidates = pictures.map(({ width, isForPng }) => {
    const Columns = isForPng === true ? PngColumns : LineColumns;
    return {
      columns: new Columns({ from, to, columnCount: columnCountFor(width), maxGapMs }),
      band: isLong ? new LineBand({ from, to, step: bandStep(to - from, width) }) : undefined,
    };
  });
  let isFirst = true;
  for (const run of line?.runs ?? []) {
    if (!isFirst) yield;
    isFirst = false;
    for (const { columns, band } of candidates) {
      columns.add(run);
      band?.add(run);
    }
  }
  return candidates.map(({ columns, band }) => (band === undefined || band.isSparse ? columns : band));
}
