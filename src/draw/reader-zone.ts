/** The zone of the reader. A page sets it for all of its scripts; pictures are in UTC. */

let offsetMs = (_timestamp: number): number => 0;

/** Sets the zone of this page: what is added to a time, in milliseconds. */
export function setReaderZone(offset: (timestamp: number) => number): void {
  offsetMs = offset;
}

/** The time of day and the date of the reader at a time, as a time that has them in UTC. */
export function wallTime(timestamp: number): number {
  return timestamp + offsetMs(timestamp);
}

/** The time that has a {@link wallTime}. */
export function timeOfWall(wall: number): number {
  // The offset of the time is that of a time close to it, but for the hours of a change.
  const near = wall - (wallTime(wall) - wall);
  return wall - (wallTime(near) - near);
}

/** The zone of a time: `UTC`, `GMT+2`, `GMT−3:30`. */
export function zoneOf(timestamp: number): string {
  const minutes = Math.round((wallTime(timestamp) - timestamp) / 60_000);
  if (!(Math.abs(minutes) > 0)) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
