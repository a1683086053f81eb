/** Numbers and times as people read them: in English (en-US) with a minus sign (U+2212), and in UTC, or in the zone that a page sets. */
import { wallTime, zoneOf } from './reader-zone.ts';

/** A number in few characters: 950, 1.2k, 3.4M, `over 1,000T`. */
export function formatShort(value: number): string {
  return beyondWords(value) ?? formatTick(value);
}

/** As {@link formatShort}, but of any size, `1.5e+21`: an axis needs the numbers themselves. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e20) return signOf(value) + size.toExponential(1).replace('.0', '');
  if (size < 999.5) return signOf(value) + inDigits(size, 3);
  const unit = units.find(({ from }) => size < from * 999.5) ?? largestUnit;
  return signOf(value) + inDigits(size / unit.from, size < unit.from * 9.95 ? 2 : 3) + unit.letter;
}

/** A number with all of its digits, at most three of them decimals, or three that are not leading zeros: 3,883, 0.125, 0.00123, `over 1,000T`. */
export function formatExact(value: number): string {
  const size = Math.abs(value);
  return beyondWords(value) ?? signOf(value) + (size < 0.1 ? inDigits(size, 3) : grouped(rounded(size)));
}

/** Words for a number that no plugin counts, and no label has room for; undefined for any other. */
function beyondWords(value: number): string | undefined {
  if (Math.abs(value) <= 1e15) return undefined;
  return value > 0 ? 'over 1,000T' : 'under −1,000T';
}

/** A mean without decimals that say nothing: 3,883, 12.5, 0.0123. */
export function formatMean(mean: number): string {
  return formatExact(Math.abs(mean) >= 100 ? Math.round(mean) : Number(mean.toPrecision(3)));
}

function signOf(value: number): string {
  return value < 0 ? '−' : '';
}

/** A share of 1 in percent: 45%, 4.5%, <0.1%. */
export function formatShare(share: number): string {
  // Without the last digits: the double of 57/200 is less than 28.5%.
  const tenths = Number((share * 1000).toPrecision(12));
  if (tenths !== 0 && Math.abs(tenths) < 0.5) return '<0.1%';
  return `${Math.abs(tenths) < 99.5 ? Math.round(tenths) / 10 : Math.round(tenths / 10)}%`;
}

/** A list that ends with a number of others: `a, b and c`, `a, b, c and 4 more`; `a, b, c and more` if it is not known. */
export function listWords(named: readonly string[], restCount: number | undefined): string {
  const words = [...named];
  const rest = restCount === undefined ? 'more' : `${formatExact(restCount)} more`;
  const last = restCount === undefined || restCount > 0 ? rest : (words.pop() ?? '');
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** The day of a time: 12 Nov 2025. */
export function formatDate(timestamp: number): string {
  return formatDay(wallTime(timestamp));
}

/** A day in UTC, by a time of it: that of a step, or of a window. */
export function formatDay(timestamp: number): string {
  const date = new Date(timestamp);
  return `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`;
}

/** A minute: 12 Nov 2025, 14:30 UTC. */
export function formatDateTime(timestamp: number): string {
  return `${formatDate(timestamp)}, ${formatTime(wallTime(timestamp))} ${zoneOf(timestamp)}`;
}

/** The time of a day in UTC: 14:30. */
export function formatTime(timestamp: number): string {
  const date = new Date(timestamp);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

/** The name of a month in three letters: Nov. */
export function monthOf(date: Date): string {
  return months[date.getUTCMonth()] ?? '';
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const largestUnit = { from: 1e12, letter: 'T' };
const units = [
  { from: 1e3, letter: 'k' },
  { from: 1e6, letter: 'M' },
  { from: 1e9, letter: 'B' },
  largestUnit,
];

function inDigits(size: number, count: number): string {
  return grouped(Number(size.toPrecision(count)));
}

/** Groups thousands without `Intl`, whose first number format in a page takes 20 to 30 ms. */
function grouped(size: number): string {
  const [whole = '', decimals] = String(size).split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${thousands}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** A number with at most three decimals. */
function rounded(size: number): number {
  // Through the decimal text: 1.0005 * 1000 is less than 1000.5.
  return /^\d+\.\d{4,}$/.test(`${size}`) ? Math.round(Number(`${size}e3`)) / 1000 : size;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

/** The subject of a chart: its title, followed by the plugin if the title does not name it. */
export function chartSubject({
  title,
  pluginName,
  isDefault,
}: {
  readonly title: string;
  readonly pluginName?: string | undefined;
  readonly isDefault?: boolean | undefined;
}): string {
  if (pluginName === undefined || title.includes(pluginName)) return title;
  return isDefault === true ? `${title} of servers using ${pluginName}` : `${title} (${pluginName})`;
}
