/** Reads a line over a long window: as means in a band from the lowest to the highest values. */

import { LineBand } from '../../../draw/line/line-band.ts';
import { firstFrom, steps } from '../../../model/window.ts';
import type { LineData, LineReading } from './line-data.ts';

/** Reads the steps of a line that touch a window, whose ends are both included. */
export function readBand(
  { span, points, latestValue, band }: LineData,
  { from, to }: { readonly from: number; readonly to: number },
): LineReading {
  const { step, ...columns } = band ?? { step: '1d', lows: points.values, highs: points.values };
  const start = firstFrom(points.timestamps, from - steps[step] + 1);
  const end = firstFrom(points.timestamps, to + 1);
  const [starts, means, lows, highs] = [points.timestamps, points.values, columns.lows, columns.highs].map(
    (column) => column.subarray(start, end),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const latest =
    to >= span.last
      ? { timestamp: span.last, value: latestValue }
      : { timestamp: starts.at(-1) ?? Number.NaN, value: means.at(-1) ?? Number.NaN };
  const shape = new LineBand({ from, to, step, latest }, { starts, means, lows, highs });
  return { shape, points: { timestamps: starts, values: means }, band: { step: shape.step, lows, highs } };
}
