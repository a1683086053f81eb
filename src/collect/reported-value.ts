/** Parses what one server reports for a chart. A value of a wrong kind makes the chart not count, and nothing else. */
import { type ReportForm, reportFormOf } from '../model/chart-types.ts';
import { shapeOf } from '../model/data-shapes.ts';
import type { ReportedShare, ReportedValue } from '../model/reported-value.ts';
import type { ShareName } from '../model/share-history.ts';
import { isObject, type ReportFields } from './report.ts';

/** The most shares of a chart in a slot, and in one report; those beyond them are counted together. */
export const maxShares = 1000;

/** The share that those beyond the limits are counted for. */
export function otherShare({ group }: ShareName): ShareName {
  return { group: group === null ? null : otherName, name: otherName };
}

const otherName = 'Other';

/** The most numbers of one bar; more are left out. */
export const maxValuesPerBar = 25;

/** The longest name of a share, in characters. */
const maxNameLength = 200;

/** The largest number that one server may add to a share. */
const maxCount = 2 ** 31 - 1;

/** A country in which a server may say that it is: that of its address. */
const ownCountry = 'AUTO';

/**
 * Parses the data of a chart in a report.
 * @param countryCode the country of the server's address, if it is known.
 * @returns undefined for data that do not count: those of a wrong kind, and an address of no known country.
 */
export function parseReportedValue(
  typeName: string,
  { value, values }: ReportFields,
  countryCode?: string,
): ReportedValue | undefined {
  const form = reportFormOf(typeName);
  if (form === undefined) return undefined;
  if (form === 'number') return parseNumber(value);
  if (form === 'name') return shareNamed(typeName, value, countryCode);
  if (!isObject(values)) return undefined;
  const shares = parseShares(form, values, (name) => parseShareName(typeName, name));
  return shares && withinLimit(shares);
}

/** Makes the value of a line. @returns undefined for anything but a finite number. */
export function parseNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Makes a share of one server from a name, which may be a number. @returns undefined for a value that is no name. */
export function shareNamed(
  typeName: string,
  value: unknown,
  countryCode?: string,
): readonly ReportedShare[] | undefined {
  const isCountry = shapeOf(typeName).shareNameSchema.pattern !== undefined;
  const text = parseNumber(value) === undefined ? value : String(value);
  const name = parseShareName(typeName, isCountry && text === ownCountry ? countryCode : text);
  return name === undefined ? undefined : [{ group: null, name, values: [1] }];
}

/** Makes a share of one server within a group. @returns undefined for a name that is empty. */
export function shareInGroup(outer: string, inner: string): readonly ReportedShare[] | undefined {
  const [group, name] = [cleanName(outer), cleanName(inner)];
  return group === '' || name === '' ? undefined : [{ group, name, values: [1] }];
}

function parseShares(
  form: Exclude<ReportForm, 'number' | 'name'>,
  values: ReportFields,
  parseName: (text: string) => string | undefined,
): readonly ReportedShare[] | undefined {
  const shares: ReportedShare[] = [];
  for (const [key, entry] of Object.entries(values)) {
    const name = parseName(key);
    if (name === undefined) return undefined;
    if (form === 'groups') {
      const inner = isObject(entry) ? parseShares('counts', entry, parseName) : undefined;
      if (inner === undefined) return undefined;
      for (const share of inner) shares.push({ ...share, group: name });
      continue;
    }
    const counts = form === 'counts' ? [entry] : entry;
    if (!isCounts(counts) || (form === 'row' && counts.length > 1)) return undefined;
    if (counts.length > 0) shares.push({ group: null, name, values: counts.slice(0, maxValuesPerBar) });
  }
  return shares;
}

/** Counts the shares beyond the limit together, so that a report takes bounded space. */
function withinLimit(shares: readonly ReportedShare[]): readonly ReportedShare[] {
  const beyond = shares.slice(maxShares);
  const [first] = beyond;
  if (first === undefined) return shares;
  const sums: number[] = [];
  for (const { values } of beyond)
    for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0) + value;
  return [...shares.slice(0, maxShares), { ...otherShare(first), values: sums }];
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 0 && one <= maxCount);
}

function parseShareName(typeName: string, text: unknown): string | undefined {
  const name = typeof text === 'string' ? cleanName(text) : '';
  const { pattern } = shapeOf(typeName).shareNameSchema;
  const isRight = name !== '' && (pattern === undefined || new RegExp(pattern, 'u').test(name));
  return isRight ? name : undefined;
}

/** Takes control characters out, and cuts the rest. A lone surrogate, which no store can keep, becomes U+FFFD. */
function cleanName(text: string): string {
  const name = text.replaceAll(/\p{Cc}/gu, '').toWellFormed();
  return name.length <= maxNameLength
    ? name
    : [...name.slice(0, 2 * maxNameLength)].slice(0, maxNameLength).join('');
}
