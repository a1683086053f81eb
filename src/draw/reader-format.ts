/** The reader's way to write numbers and times. A page sets it for all of its scripts; pictures are in English (en-US) and UTC. */

/** Separators of numbers, and the zone of times. */
export interface ReaderFormat {
  /** Between thousands: `,` in English. */
  readonly group: string;
  /** Before decimals: `.` in English. */
  readonly decimal: string;
  /** The zone of a time: what is added to it, in milliseconds. */
  readonly offsetMs: (timestamp: number) => number;
}

const usualFormat: ReaderFormat = { group: ',', decimal: '.', offsetMs: () => 0 };

let format = usualFormat;

/** Sets the format of this page. */
export function setReaderFormat(changes: Partial<ReaderFormat>): void {
  format = { ...usualFormat, ...changes };
}

/** Writes a number in English with the separators of the reader: `1,234.5`, `1.2k`. */
export function withSeparators(text: string): string {
  if (format === usualFormat) return text;
  return text.replace(/[.,]/g, (sign) => (sign === ',' ? format.group : format.decimal));
}

/** The time of day and the date of the reader at a time, as a time that has them in UTC. */
export function wallTime(timestamp: number): number {
  return timestamp + format.offsetMs(timestamp);
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
