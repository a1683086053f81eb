/** The forms of chart data, each of which has a file in forms/; converts between data and its shares. */

import { AppError, quote } from './app-error.ts';
import { type DataForm, formOf } from './chart-types.ts';
import { type Columns, columnsAt, type ShareName, shareKey } from './columns.ts';
import { barsForm } from './forms/bars.ts';
import { type ChartForm, latestForm } from './forms/chart-form.ts';
import { drilldownForm } from './forms/drilldown.ts';
import { lineForm } from './forms/line.ts';
import { mapForm } from './forms/map.ts';
import { pieForm } from './forms/pie.ts';
import type { ShareValue } from './forms/share-values.ts';
import { type JsonText, trustedJson } from './json-text.ts';
import { maxSharesPerRecord } from './merge-columns.ts';

/** The forms by name. */
export const chartForms: Readonly<Record<DataForm, ChartForm>> = {
  line: lineForm,
  pie: pieForm,
  drilldown: drilldownForm,
  map: mapForm,
  bars: barsForm,
  other: latestForm({ dataSchema: { type: ['array', 'object'], description: 'an array or an object' } }),
};

/** Returns the form of a chart type. */
export function shapeOf(typeName: string): ChartForm {
  return chartForms[formOf(typeName)];
}

/** Returns the storage of a chart type. */
export function storageOf(typeName: string): ChartForm['storage'] {
  return shapeOf(typeName).storage;
}

/** True for a type whose charts have shares, and so may have a history. */
export function hasShares(typeName: string): boolean {
  return shapeOf(typeName).shares !== undefined;
}

/** True for a type whose shares belong to groups. */
export function hasGroups(typeName: string): boolean {
  return shapeOf(typeName).shares?.isGrouped === true;
}

/**
 * True if a history can store the data: it has shares, within the limit and with valid names; bars have one
 * value each.
 */
export function canHaveTime(typeName: string, json: JsonText): boolean {
  if (!hasShares(typeName) || !haveOneValueEach(typeName, json)) return false;
  const shares = sharesOf(typeName, json);
  return shares.length <= maxSharesPerRecord && shares.every(([share]) => isWellNamed(share));
}

/** True for a name that every store accepts: well-formed Unicode without U+0000. */
function isWellNamed({ group, name }: ShareName): boolean {
  const names = `${group ?? ''} ${name}`;
  return names.isWellFormed() && !names.includes('\0');
}

/**
 * Refuses a share whose name stores do not accept.
 * @param where describes the share in the message.
 * @throws AppError `invalid`.
 */
export function refuseIllNamed(share: ShareName, where: string): void {
  if (isWellNamed(share)) return;
  const { group, name } = share;
  const got = quote(isWellNamed({ group: null, name }) ? group : name);
  throw new AppError('invalid', `${where} must be named in well-formed Unicode without U+0000, got ${got}`);
}

/** False for data with an entry, such as a bar, that does not have exactly one value. */
export function haveOneValueEach(typeName: string, json: JsonText): boolean {
  const { valueCounts } = shapeOf(typeName).shares ?? {};
  return valueCounts === undefined || valueCounts(JSON.parse(json)).every((count) => count === 1);
}

/**
 * Makes a history of one time from the data of a chart.
 * @throws AppError `invalid` as {@link sharesOf} and {@link refuseIllNamed}, and for more shares than a
 * record may have.
 */
export function historyOf(typeName: string, { json, at }: { json: JsonText; at: number }): Columns {
  const shares = sharesOf(typeName, json);
  for (const [share] of shares) refuseIllNamed(share, 'each share of data where "at" is given');
  if (shares.length <= maxSharesPerRecord) return columnsAt(at, shares);
  const message = `data may have at most ${maxSharesPerRecord} shares where "at" is given, got ${shares.length}`;
  throw new AppError('invalid', message);
}

/**
 * Lists the shares in the data of a chart.
 * @throws AppError `invalid` if the type has no shares, or a bar does not have exactly one value.
 */
export function sharesOf(typeName: string, json: JsonText): ShareValue[] {
  const { shares } = shapeOf(typeName);
  if (shares === undefined) throw withoutShares(typeName);
  const data: unknown = JSON.parse(json);
  refuseSeveralValues(shares.valueCounts?.(data) ?? []);
  return shares.parse(data);
}

function refuseSeveralValues(counts: readonly number[]): void {
  const index = counts.findIndex((count) => count !== 1);
  if (index === -1) return;
  const message = `data[${index}].data must be one value where "at" is given, because only bars of one value have a history; got ${counts[index]}`;
  throw new AppError('invalid', message);
}

/**
 * Lists the shares in data of a form; a bar with several values becomes a group. Entries of another shape are
 * skipped.
 */
export function sharesIn(form: DataForm, data: unknown): ShareValue[] {
  return chartForms[form].shares?.parse(data) ?? [];
}

/** Adds up shares of the same name. @param sums has those that were added before, by name, and gets these */
export function sumByName(
  shares: readonly ShareValue[],
  sums = new Map<string, ShareValue>(),
): readonly ShareValue[] {
  for (const [share, value] of shares) {
    const key = shareKey(share);
    sums.set(key, [share, (sums.get(key)?.[1] ?? 0) + value]);
  }
  return [...sums.values()];
}

/** Renders shares as data of a chart type. */
export function renderShares(typeName: string, shares: readonly ShareValue[]): JsonText {
  return trustedJson(JSON.stringify(shapeOf(typeName).shares?.render(shares)));
}

/** Makes the error for a history of a chart type without shares. */
export function withoutShares(typeName: string): AppError {
  const message = `only a chart of shares (a pie, a map, or bars of one value) has a history, not one of the type ${quote(typeName)}`;
  return new AppError('invalid', message);
}
