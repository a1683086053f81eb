/** Time zone of the reader. A page sets it for all its scripts; pictures use UTC. */

let offsetMs = (_timestamp: number): number => 0;

/** Sets the time zone of this page, as a function that returns the UTC offset of a time in milliseconds. */
export function setReaderZone(offset: (timestamp: number) => number): void {
  offsetMs = offset;
}

/** Converts a time to local wall-clock time, encoded as if it were UTC. */
export function wallTime(timestamp: number): number {
  return timestamp + offsetMs(timestamp);
}

/** Converts a {@link wallTime} back to the time. */
export function timeOfWall(wall: number): number {
  // First estimates the time with the offset at `wall`, then uses the offset at the estimate; this fails only
  // within hours of an offset change.
  const near = wall - (wallTime(wall) - wall);
  return wall - (wallTime(near) - near);
}

/** Returns the name of the time zone at a time: `UTC`, `GMT+2`, `GMT−3:30`. */
export function zoneOf(timestamp: number): string {
  const minutes = Math.round((wallTime(timestamp) - timestamp) / 60_000);
  if (!(Math.abs(minutes) > 0)) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
