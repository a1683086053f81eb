/** Points: a series, the data of a line chart, as two columns. */

/** Points of a series: Unix milliseconds and values. Element i of both is one point. */
export interface Points {
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
}

/** The latest timestamp that a JavaScript Date can show, in Unix milliseconds. */
export const maxTimestamp = 8.64e15;

/** No points. */
export const noPoints: Points = { timestamps: new Float64Array(0), values: new Float64Array(0) };

/** Points from pairs, as JSON has them. */
export function pointsOf(entries: ReadonlyArray<readonly [timestamp: number, value: number]>): Points {
  return {
    timestamps: Float64Array.from(entries, (entry) => entry[0]),
    values: Float64Array.from(entries, (entry) => entry[1]),
  };
}

/** A view of the points from index `start` up to `end`; nothing is copied. */
export function slicePoints(points: Points, start: number, end = points.timestamps.length): Points {
  return { timestamps: points.timestamps.subarray(start, end), values: points.values.subarray(start, end) };
}

/** Several runs of points, one after the other. */
export function concatPoints(parts: readonly Points[]): Points {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  let pointCount = 0;
  for (const part of parts) pointCount += part.timestamps.length;
  const timestamps = new Float64Array(pointCount);
  const values = new Float64Array(pointCount);
  let offset = 0;
  for (const part of parts) {
    timestamps.set(part.timestamps, offset);
    values.set(part.values, offset);
    offset += part.timestamps.length;
  }
  return { timestamps, values };
}

/** The points in strictly ascending timestamp order; of several with one timestamp, the last one is kept. */
export function orderPoints(points: Points): Points {
  const { timestamps, values } = points;
  if (isAscending(timestamps)) return points;
  const order = Array.from(timestamps.keys()).sort((a, b) => at(timestamps, a) - at(timestamps, b) || a - b);
  const kept = order.filter((index, rank) => {
    const next = order[rank + 1];
    return next === undefined || timestamps[next] !== timestamps[index];
  });
  return {
    timestamps: Float64Array.from(kept, (index) => at(timestamps, index)),
    values: Float64Array.from(kept, (index) => at(values, index)),
  };
}

/** Two ordered runs as one; where both have a timestamp, the point of the later run is kept. */
export function mergePoints(earlier: Points, later: Points): Points {
  const capacity = earlier.timestamps.length + later.timestamps.length;
  const merged = { timestamps: new Float64Array(capacity), values: new Float64Array(capacity) };
  let pointCount = 0;
  let a = 0;
  let b = 0;
  while (a < earlier.timestamps.length || b < later.timestamps.length) {
    const timeA = earlier.timestamps[a] ?? Number.POSITIVE_INFINITY;
    const timeB = later.timestamps[b] ?? Number.POSITIVE_INFINITY;
    merged.timestamps[pointCount] = Math.min(timeA, timeB);
    merged.values[pointCount] = (timeB <= timeA ? later.values[b] : earlier.values[a]) ?? Number.NaN;
    pointCount++;
    if (timeA <= timeB) a++;
    if (timeB <= timeA) b++;
  }
  return slicePoints(merged, 0, pointCount);
}

/** How many points one record of an export holds at most. */
export const maxPointsPerRecord = 5000;

/**
 * The same points in runs of {@link maxPointsPerRecord}, the last one shorter: the export does not depend on how a
 * store cuts its chunks.
 */
export function* regroupPoints(parts: Iterable<Points>): Generator<Points> {
  let pending: Points[] = [];
  let pendingCount = 0;
  for (const part of parts) {
    let rest = part;
    while (pendingCount + rest.timestamps.length >= maxPointsPerRecord) {
      const taken = maxPointsPerRecord - pendingCount;
      yield concatPoints([...pending, slicePoints(rest, 0, taken)]);
      rest = slicePoints(rest, taken);
      pending = [];
      pendingCount = 0;
    }
    if (rest.timestamps.length > 0) pending.push(rest);
    pendingCount += rest.timestamps.length;
  }
  if (pendingCount > 0) yield concatPoints(pending);
}

/** Whether both hold the same points. */
export function equalPoints(a: Points, b: Points): boolean {
  if (a.timestamps.length !== b.timestamps.length) return false;
  for (let index = 0; index < a.timestamps.length; index++) {
    if (a.timestamps[index] !== b.timestamps[index] || a.values[index] !== b.values[index]) return false;
  }
  return true;
}

function isAscending(timestamps: Float64Array): boolean {
  for (let index = 1; index < timestamps.length; index++) {
    if (at(timestamps, index) <= at(timestamps, index - 1)) return false;
  }
  return true;
}

function at(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN;
}
