/** Points: the data of a line chart, as a column of times and a column of values. */

/** Points of a series: Unix milliseconds and values. Element i of both is one point. */
export interface Points {
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
}

/** The latest timestamp that a JavaScript Date can show, in Unix milliseconds. */
export const maxTimestamp = 8.64e15;

/** No points. */
export const noPoints: Points = { timestamps: new Float64Array(0), values: new Float64Array(0) };

/** Makes points from pairs, the form that they have in JSON. */
export function pointsOf(entries: ReadonlyArray<readonly [timestamp: number, value: number]>): Points {
  return {
    timestamps: Float64Array.from(entries, (entry) => entry[0]),
    values: Float64Array.from(entries, (entry) => entry[1]),
  };
}

/** Returns the points from index `start` up to `end`, without copying them. */
export function slicePoints(points: Points, start: number, end = points.timestamps.length): Points {
  return { timestamps: points.timestamps.subarray(start, end), values: points.values.subarray(start, end) };
}

/** Copies points, such as those of a run that is to stay. */
export function copyPoints({ timestamps, values }: Points): Points {
  return { timestamps: timestamps.slice(), values: values.slice() };
}

/** Joins runs of points. */
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

/** Sorts points by time; of several with the same time, the last one is kept. */
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

/** The most points in one record of an export. */
export const maxPointsPerRecord = 5000;

/**
 * Regroups points into runs of {@link maxPointsPerRecord}, the last one shorter: an export must not depend on the chunks
 * of the store.
 */
export async function* regroupPoints(
  parts: Iterable<Points> | AsyncIterable<Points>,
): AsyncGenerator<Points> {
  let pending: Points[] = [];
  let pendingCount = 0;
  for await (const part of parts) {
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

function isAscending(timestamps: Float64Array): boolean {
  for (let index = 1; index < timestamps.length; index++) {
    if (at(timestamps, index) <= at(timestamps, index - 1)) return false;
  }
  return true;
}

function at(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN;
}
