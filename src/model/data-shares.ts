/** Converts between the data of pies, maps and bars and their shares. */
import { AppError, quote } from './app-error.ts';
import { type DataForm, formOf } from './chart-types.ts';
import { type Columns, columnsAt } from './columns.ts';
import { type JsonText, trustedJson } from './json-text.ts';
import { maxSharesPerRecord } from './merge-columns.ts';
import { type ShareName, shareKey } from './share-name.ts';

/** A share and its value. */
export type ShareValue = readonly [share: ShareName, value: number];

/** Conversion between the data of a form and its shares. */
interface ShareForm {
  /** True if shares belong to groups. */
  readonly isGrouped: boolean;
  /** Lists the shares of data that matches the schema of the form. */
  readonly parse: (data: unknown) => ShareValue[];
  /** Makes data from shares, keeping their order. */
  readonly render: (shares: readonly ShareValue[]) => unknown;
}

/** True for a type whose charts have shares, and so may have a history. */
export function hasShares(typeName: string): boolean {
  return shareForms[formOf(typeName)] !== undefined;
}

/** True for a type whose shares belong to groups. */
export function hasGroups(typeName: string): boolean {
  return shareForms[formOf(typeName)]?.isGrouped === true;
}

/** True if a history can store the data: it has shares, within the limit and with valid names; bars have one value each. */
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

/** Refuses a share whose name stores do not accept. @param where describes the share in the message. @throws AppError `invalid`. */
export function refuseIllNamed(share: ShareName, where: string): void {
  if (isWellNamed(share)) return;
  const { group, name } = share;
  const got = quote(isWellNamed({ group: null, name }) ? group : name);
  throw new AppError('invalid', `${where} must be named in well-formed Unicode without U+0000, got ${got}`);
}

/** False for bars if one of them does not have exactly one value. */
export function haveOneValueEach(typeName: string, json: JsonText): boolean {
  return (
    formOf(typeName) !== 'bars' || (JSON.parse(json) as BarEntry[]).every(({ data }) => data.length === 1)
  );
}

/**
 * Makes a history of one time from the data of a chart.
 * @throws AppError `invalid` as {@link sharesOf} and {@link refuseIllNamed}, and for more shares than a record may have.
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
  if (!hasShares(typeName)) throw withoutShares(typeName);
  const data: unknown = JSON.parse(json);
  const form = formOf(typeName);
  if (form === 'bars') refuseSeveralValues(data as readonly BarEntry[]);
  return sharesIn(form, data);
}

function refuseSeveralValues(data: readonly BarEntry[]): void {
  const index = data.findIndex(({ data: values }) => values.length !== 1);
  if (index === -1) return;
  const message = `data[${index}].data must be one value where "at" is given, because only bars of one value have a history; got ${data[index]?.data.length}`;
  throw new AppError('invalid', message);
}

/** Lists the shares in data of a form; a bar with several values becomes a group. Entries of another shape are skipped. */
export function sharesIn(form: DataForm, data: unknown): ShareValue[] {
  return shareForms[form]?.parse(data) ?? [];
}

/** Consecutive shares of one group, or one share without a group. */
export interface ShareGroup {
  readonly name: string;
  readonly shares: readonly ShareValue[];
}

/** Groups consecutive shares; {@link sharesIn} lists the shares of a group one after the other. */
export function groupsIn(shares: readonly ShareValue[]): readonly ShareGroup[] {
  const groups: { readonly name: string; readonly shares: ShareValue[] }[] = [];
  let last: string | null = null;
  for (const share of shares) {
    const [{ group, name }] = share;
    if (group !== null && group === last) groups.at(-1)?.shares.push(share);
    else groups.push({ name: group ?? name, shares: [share] });
    last = group;
  }
  return groups;
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
  return trustedJson(JSON.stringify(shareForms[formOf(typeName)]?.render(shares)));
}

/** Makes the error for a history of a chart type without shares. */
export function withoutShares(typeName: string): AppError {
  const message = `only a chart of shares (a pie, a map, or bars of one value) has a history, not one of the type ${quote(typeName)}`;
  return new AppError('invalid', message);
}

const pie: ShareForm = {
  isGrouped: false,
  parse: (data) => entriesIn(data).flatMap(({ name, y }) => shareIn(null, name, y)),
  render: (shares) => shares.map(([{ name }, y]) => ({ name, y })),
};

const map: ShareForm = {
  isGrouped: false,
  parse: (data) => entriesIn(data).flatMap(({ code, value }) => shareIn(null, code, value)),
  render: (shares) => shares.map(([{ name }, value]) => ({ code: name, value })),
};

const bars: ShareForm = {
  isGrouped: false,
  parse: (data) =>
    entriesIn(data).flatMap(({ name, data: list }) => {
      const values = listIn(list);
      return values.length === 1
        ? shareIn(null, name, values[0])
        : values.flatMap((value, index) => shareIn(name, `value ${index + 1}`, value));
    }),
  render: (shares) => shares.map(([{ name }, value]) => ({ name, data: [value] })),
};

const drilldown: ShareForm = {
  isGrouped: true,
  parse: (data) => {
    const { drilldownData, seriesData } = isObject(data) ? data : {};
    const inner = new Map(entriesIn(drilldownData).map(({ id, data: pairs }) => [id, listIn(pairs)]));
    return entriesIn(seriesData).flatMap(({ name: group, y, drilldown: id }) => {
      const pairs = inner.get(id) ?? [];
      // Each inner pie is used once. Otherwise a megabyte of data in which a thousand outer shares refer to the same inner pie would become a million shares.
      inner.delete(id);
      // An outer share without inner shares counts as its own inner share.
      return pairs.length === 0
        ? shareIn(group, group, y)
        : pairs.flatMap((pair) => shareIn(group, ...listIn(pair)));
    });
  },
  render: (shares) => {
    const groups = new Map<string, [string, number][]>();
    for (const [{ group, name }, value] of shares) {
      const pairs = groups.get(group ?? name) ?? [];
      pairs.push([name, value]);
      groups.set(group ?? name, pairs);
    }
    const entries = [...groups];
    return {
      drilldownData: entries.map(([name, pairs]) => ({ name, id: name, data: pairs })),
      seriesData: entries.map(([name, pairs]) => ({
        name,
        y: pairs.reduce((sum, [, value]) => sum + value, 0),
        drilldown: name,
      })),
    };
  },
};

const shareForms: Readonly<Record<DataForm, ShareForm | undefined>> = {
  line: undefined,
  pie,
  drilldown,
  map,
  bars,
  other: undefined,
};

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesIn(value: unknown): readonly Members[] {
  return listIn(value).filter(isObject);
}

/** Makes a share if the parts have the right types. In the element, servers may send anything. */
function shareIn(group: unknown, name?: unknown, value?: unknown): ShareValue[] {
  const isGroup = group === null || typeof group === 'string';
  return isGroup && typeof name === 'string' && typeof value === 'number' ? [[{ group, name }, value]] : [];
}

interface BarEntry {
  readonly name: string;
  readonly data: readonly number[];
}
