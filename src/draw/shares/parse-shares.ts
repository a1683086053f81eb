/**
 * Parses the data of pies, maps and bars. Servers may send anything: an entry of another form is left out. The result is
 * undefined if no entry can be drawn, and an empty list if there is no data yet.
 */
import { clamp } from '../clamp.ts';
import { countryName } from './country-name.ts';
import { type Bar, type Share, type Slice, sumOf } from './share.ts';

/** The slices of a pie: `[{"name", "y"}, …]`. */
export function parsePie(data: unknown): readonly Slice[] | undefined {
  return parseList(data, ({ name, y }) => sliceOf(name, y));
}

/** The slices of a drilldown pie, each with its parts, which may be missing. Some servers send an ordinary pie. */
export function parseDrilldown(data: unknown): readonly Slice[] | undefined {
  if (Array.isArray(data)) return parsePie(data);
  if (!isObject(data)) return undefined;
  const partsById = new Map<unknown, readonly Share[]>();
  parseList(data['drilldownData'], ({ id, data: parts }) =>
    partsById.set(id, parseList(parts, (pair) => shareOf(pair[0], pair[1])) ?? []),
  );
  return parseList(data['seriesData'], ({ name, y, drilldown }) =>
    sliceOf(name, y, partsById.get(drilldown)),
  );
}

/** The countries of a map by their English names: `[{"code", "value"}, …]`. */
export function parseMap(data: unknown): readonly Bar[] | undefined {
  return parseList(data, ({ code, value }) =>
    barOf(typeof code === 'string' ? countryName(code) : code, value),
  );
}

/** Bars: `[{"name", "data"}, …]`, or `{"categories", "series"}` as some servers still send them. */
export function parseBars(data: unknown): readonly Bar[] | undefined {
  const list = isObject(data) && !Array.isArray(data) ? turnOldBars(data) : data;
  return parseList(list, ({ name, data: parts }) => barOf(name, parts));
}

/** The names of the parts of bars, from the settings or from data in the old form. */
export function parsePartNames(data: unknown, settings: unknown): readonly string[] {
  const barNames = isObject(settings) ? settings['barNames'] : undefined;
  const series = isObject(data) ? data['series'] : undefined;
  const names = Array.isArray(barNames)
    ? barNames.map((name) => nameOf(name) ?? '')
    : parseList(series, ({ name }) => nameOf(name) ?? '');
  return gatherParts(names ?? [], () => 'Other');
}

type Members = Readonly<Record<string | number, unknown>>;

function turnOldBars({ categories, series }: Members): unknown {
  if (!Array.isArray(categories) || !Array.isArray(series)) return undefined;
  const columns = series.map((one) => (isObject(one) && Array.isArray(one['data']) ? one['data'] : []));
  return categories.map((name, index) => ({ name, data: columns.map((column) => column[index]) }));
}

function sliceOf(name: unknown, value: unknown, parts: readonly Share[] = []): Slice | undefined {
  const share = shareOf(name, value);
  return share && { ...share, parts };
}

function barOf(name: unknown, values: unknown): Bar | undefined {
  const list = Array.isArray(values) ? values : [values];
  if (list.length > 0 && !list.some(isNumber)) return undefined;
  const parts = list.map((value) => (isNumber(value) ? clamp(value) : 0));
  const share = shareOf(name, sumOf(parts));
  return share && { ...share, parts: gatherParts(parts, sumOf) };
}

/** Most parts of a bar; the last one is the sum of the rest. */
const maxPartCount = 10;

function gatherParts<Part>(parts: readonly Part[], gather: (rest: readonly Part[]) => Part): readonly Part[] {
  if (parts.length <= maxPartCount) return parts;
  return [...parts.slice(0, maxPartCount - 1), gather(parts.slice(maxPartCount - 1))];
}

function shareOf(name: unknown, value: unknown): Share | undefined {
  const text = nameOf(name);
  return text === undefined || !isNumber(value) ? undefined : { name: text, value: clamp(value) };
}

/** Longest name in characters; pictures have no room for more. */
const maxNameLength = 200;

function nameOf(name: unknown): string | undefined {
  if (typeof name !== 'string' && typeof name !== 'number') return undefined;
  return shownName(String(name));
}

/** The name of a share as a picture shows it. */
export function shownName(name: string): string {
  return name.trim().slice(0, maxNameLength) || '(no name)';
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** The entries that can be parsed; undefined if there are some, and none can be. */
function parseList<Entry>(list: unknown, read: (members: Members) => Entry | undefined): Entry[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.flatMap((element) => (isObject(element) ? (read(element) ?? []) : []));
  return entries.length === 0 && list.length > 0 ? undefined : entries;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
