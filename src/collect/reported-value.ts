/**
 * Parses the value that a server reports for a chart. If it has a wrong kind, only that chart does not count.
 */

import { shapeOf } from '../model/chart-forms.ts';
import { type ReportForm, reportFormOf } from '../model/chart-types.ts';
import { compareShares, type ShareName, shareKey, shareOfKey } from '../model/columns.ts';
import { isObject, type ReportFields } from './report.ts';

/** A contribution of one server to a chart: a number for a line, or numbers for shares. */
export type ReportedValue = number | readonly ReportedShare[];

/**
 * A contribution of one server to a share: the key of the share, and one number, or several for a bar of
 * several values.
 */
export type ReportedShare = readonly [key: string, ...values: readonly number[]];

/** The most shares of a chart in a slot, and in one report: the largest; the others are counted together. */
export const maxShares = 1000;

/** The share for those beyond the limits. */
export function otherShare(isGrouped: boolean): ShareName {
  return { group: isGrouped ? otherName : null, name: otherName };
}

/** The numbers of a share, and their sum. */
export interface SummedShare {
  readonly share: ShareName;
  readonly values: readonly number[];
  readonly sum: number;
}

export function summed(share: ShareName, values: readonly number[]): SummedShare {
  return { share, values, sum: values.reduce((total, value) => total + value, 0) };
}

/** Orders shares from the largest, and equal ones by name. */
export function fromLargest(one: SummedShare, other: SummedShare): number {
  return other.sum - one.sum || compareShares(one.share, other.share);
}

/** Adds numbers to sums, place by place. */
export function addTo(sums: number[], values: readonly number[]): void {
  for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0) + value;
}

const otherName = 'Other';

/** The most numbers of one bar; more are left out. */
const maxValuesPerBar = 25;

/** The longest name of a share, in characters. */
const maxNameLength = 200;

/** The largest number that one server may add to a share. */
const maxCount = 2 ** 31 - 1;

/** The largest number that one server may add to a line: whole numbers up to it are exact. */
const maxLineValue = 2 ** 53;

/** The value that a server reports for the country of its address. */
const ownCountry = 'AUTO';

/**
 * Parses the data of a chart in a report.
 * @param countryCode the country of the server's address, if it is known.
 * @returns undefined for data that does not count: a wrong kind, or an address of unknown country.
 */
export function parseReportedValue(
  typeName: string,
  { value, values }: ReportFields,
  countryCode?: string,
): ReportedValue | undefined {
  const form = reportFormOf(typeName);
  if (form === undefined) return undefined;
  if (form === 'number') {
    const number = parseNumber(value) ?? Number.POSITIVE_INFINITY;
    return Math.abs(number) <= maxLineValue ? number : undefined;
  }
  if (form === 'name') return shareNamed(typeName, value, countryCode);
  return isObject(values) ? sharesIn(typeName, form, values) : undefined;
}

/** Parses a number of things. @returns undefined for anything but a whole number from 0 to 2^31-1. */
export function parseCount(value: unknown): number | undefined {
  return typeof value === 'number' && isCount(value) ? value : undefined;
}

/** Parses a number. @returns undefined for anything but a finite one. */
export function parseNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * Makes a share of one server from a name, which may be a number.
 * @returns undefined for a value that is no name.
 */
export function shareNamed(
  typeName: string,
  value: unknown,
  countryCode?: string,
): readonly ReportedShare[] | undefined {
  const isCountry = shapeOf(typeName).shareNameSchema.pattern !== undefined;
  const text = parseNumber(value) === undefined ? value : String(value);
  const isOwn = isCountry && text === ownCountry;
  // A server of unknown country does not count.
  if (isOwn && countryCode === undefined) return [];
  const name = shareNameParser(typeName)(isOwn ? countryCode : text);
  return name === undefined ? undefined : [[name, 1]];
}

/** Makes a share of one server within a group. @returns undefined for a name that is empty. */
export function shareInGroup(outer: string, inner: string): readonly ReportedShare[] | undefined {
  const [group, name] = [cleanName(outer), cleanName(inner)];
  return group === '' || name === '' ? undefined : [[shareKey({ group, name }), 1]];
}

/**
 * Lists the shares of a chart in one report, at most the {@link maxShares} largest and one for the others;
 * undefined if one is of a wrong kind.
 */
function sharesIn(
  typeName: string,
  reportForm: ReportForm,
  all: ReportFields,
): readonly ReportedShare[] | undefined {
  const parseName = shareNameParser(typeName);
  const shares: ReportedShare[] = [];
  const addAll = (group: string | null, form: ReportForm, values: ReportFields): boolean =>
    Object.keys(values).every((key) => {
      const entry = values[key];
      const name = parseName(key);
      if (name === undefined) return false;
      if (form === 'groups') return isObject(entry) && addAll(name, 'counts', entry);
      const counts = form === 'counts' ? [entry] : entry;
      if (!isCounts(counts) || (form === 'row' && counts.length > 1)) return false;
      const kept = counts.length > maxValuesPerBar ? counts.slice(0, maxValuesPerBar) : counts;
      if (kept.length > 0) shares.push([shareKey({ group, name }), ...kept]);
      return true;
    });
  if (!addAll(null, reportForm, all)) return undefined;
  return shares.length > maxShares ? largestOf(shares, reportForm === 'groups') : shares;
}

/** Counts all shares but the largest together. */
function largestOf(shares: readonly ReportedShare[], isGrouped: boolean): readonly ReportedShare[] {
  const ranked = shares
    .map(([key, ...values]) => summed(shareOfKey(key, isGrouped), values))
    .sort(fromLargest);
  const rest: number[] = [];
  for (const { values } of ranked.splice(maxShares)) addTo(rest, values);
  ranked.push(summed(otherShare(isGrouped), rest));
  return ranked.map(({ share, values }) => [shareKey(share), ...values]);
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isCount);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= maxCount;
}

/** Makes a function that parses the name of a share; it returns undefined for a value that is no name. */
function shareNameParser(typeName: string): (text: unknown) => string | undefined {
  const { pattern } = shapeOf(typeName).shareNameSchema;
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (text) => {
    const name = typeof text === 'string' ? cleanName(text) : '';
    return name !== '' && rule?.test(name) !== false ? name : undefined;
  };
}

/**
 * Removes control characters, and cuts the rest. A lone surrogate, which no store can keep, becomes U+FFFD.
 */
function cleanName(text: string): string {
  if (text.length <= maxNameLength && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  const name = text.replaceAll(/\p{Cc}/gu, '').toWellFormed();
  return [...name.slice(0, 2 * maxNameLength)].slice(0, maxNameLength).join('');
}
