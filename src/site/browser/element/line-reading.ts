/** A line as a chart shows it: the shape that is drawn, and the values that are read from it point by point. */
import { columnCountFor, gapLimitMs, LineColumns } from '../../../draw/line/line-columns.ts';
import { slicePoints } from '../../../model/points.ts';
import { firstFrom, windowOver } from '../../../model/window.ts';
import type { LineData, LineReading, WantedLine } from './line-data.ts';

/** Reads the data of a line for a drawing: over a long window as means in a band. */
export function readLine(line: LineData, { window, width }: WantedLine): LineReading {
  const { span, points } = line;
  const ends = windowOver(window, span);
  const [from, to] = [ends.from, ends.to - 1];
  if (line.band !== undefined) return line.band.read(line, { from, to });
  const columns = new LineColumns({
    from,
    to,
    columnCount: columnCountFor(width),
    maxGapMs: gapLimitMs(points.timestamps),
  });
  columns.add(points);
  const start = firstFrom(points.timestamps, from);
  return { shape: columns, points: slicePoints(points, start, firstFrom(points.timestamps, to + 1)) };
}
