/** Memory for what a read decodes. */

/** Makes room for a count of numbers, which need not be 0 at first. */
export type MakeRoom = (count: number) => Float64Array;

/** Makes room in memory of its own. */
export const newRoom: MakeRoom = (count) => new Float64Array(count);

/** Divides a room into columns: one piece of memory costs less than a piece for each. */
export function columnsIn(room: Float64Array, columnCount: number): Float64Array[] {
  const length = room.length / columnCount;
  return Array.from({ length: columnCount }, (_, rank) => room.subarray(rank * length, (rank + 1) * length));
}
