/**
 * Parses responses into the types of types.ts, which documents the differences between servers, and of
 * types-v2.ts.
 */
import { type DataForm, formOf } from '../model/chart-types.ts';
import {
  anyArray,
  anyObject,
  boolean,
  type Check,
  checkWithin,
  dictionary,
  integer,
  is,
  list,
  nullable,
  number,
  object,
  optional,
  parseBody,
  parserOf,
  string,
  tuple,
} from './check.ts';
import type { ServerAnswer } from './http.ts';
import type { Chart, ChartData, ChartRegistry, LinePoint, Plugin, PluginSummary, Software } from './types.ts';
import type { Insights, PluginEvent, PluginNow, PluginPage, SeriesSet, SoftwareNow } from './types-v2.ts';

const reference = object({ id: integer, name: optional(string), url: optional(string) });
const plugin = {
  id: integer,
  name: string,
  owner: object({ name: string, id: optional(integer) }),
};
const chart = object({
  uid: integer,
  type: string,
  position: integer,
  title: string,
  isDefault: boolean,
});

const charts = dictionary(chart);
const summary = object({ ...plugin, software: reference, isGlobal: boolean });

/** Parses the plugin list. */
export const parsePluginList = parserOf<readonly PluginSummary[]>(list(summary));

/** Parses one plugin with its charts. */
export const parsePlugin = parserOf<Plugin>(object({ ...plugin, charts }));

/** Parses the charts of a plugin. */
export const parseRegistry = parserOf<ChartRegistry>(charts);

/** Parses one chart. */
export const parseChart = parserOf<Chart>(chart);

/**
 * Parses the software list. A global plugin may be an object, a number or a string of digits; `""`, null or a
 * missing member mean none.
 */
export function parseSoftwareList(answer: ServerAnswer): readonly Software[] {
  const globalPlugin: Check = (value) => {
    if (typeof value === 'number') integer(value);
    else if (!isNone(value) && !isDigits(value)) reference(value);
  };
  const software = object({ id: integer, name: string, url: string, globalPlugin });
  const all = parseBody(answer, list(software)) as ReadonlyArray<{ readonly globalPlugin?: unknown }>;
  return all.map((one) => {
    const { globalPlugin: sent } = one;
    const read = isNone(sent) ? null : typeof sent === 'object' ? sent : { id: Number(sent) };
    return { ...one, globalPlugin: read } as Software;
  });
}

function isNone(globalPlugin: unknown): boolean {
  return globalPlugin === undefined || globalPlugin === null || globalPlugin === '';
}

function isDigits(globalPlugin: unknown): boolean {
  return typeof globalPlugin === 'string' && /^\d+$/.test(globalPlugin);
}

const pairWith =
  (second: Check): Check =>
  (value) => {
    anyArray(value);
    is('a pair [timestamp, value]', () => (value as unknown[]).length === 2)(value);
    tuple(integer, second)(value);
  };

/** Checks a point without a value. */
const gap = pairWith(is('a number or null', (value) => value === null));

const forms: Readonly<Record<Exclude<DataForm, 'line'>, Check>> = {
  pie: list(object({ name: string, y: number })),
  drilldown: object({
    seriesData: list(object({ name: string, y: number, drilldown: string })),
    drilldownData: list(object({ name: string, id: string, data: list(tuple(string, number)) })),
  }),
  map: list(object({ code: string, value: number })),
  bars: (value) =>
    (Array.isArray(value)
      ? list(object({ name: string, data: list(number) }))
      : object({ categories: anyArray, series: anyArray }))(value),
  other: is('an array or an object', (value) => typeof value === 'object' && value !== null),
};

/** Makes a check for the data of a chart that is not a line. */
const dataOf =
  (form: Exclude<DataForm, 'line'>): Check =>
  (value) => {
    forms.other(value);
    forms[form](value);
  };

/**
 * Parses the data of a chart. Without a type, an array of arrays counts as a line, and any other data is
 * returned unchecked. The points of a line are sorted by time; points without a value are omitted.
 */
export function parseTypedData<Type extends string>(answer: ServerAnswer, type?: Type): ChartData<Type> {
  let points: LinePoint[] | undefined;
  const value = parseBody(answer, (data) => {
    const isLine = Array.isArray(data) && Array.isArray(data[0]);
    const form = type === undefined ? (isLine ? 'line' : 'other') : formOf(type);
    if (form !== 'line') return dataOf(form)(data);
    anyArray(data);
    // Lines are long, so the slower check runs only for faulty entries and gaps.
    points = (data as LinePoint[]).filter(
      (entry, index) => isPoint(entry) || void checkWithin(index, gap, entry),
    );
  });
  return (points?.sort(([one], [other]) => one - other) ?? value) as ChartData<Type>;
}

function isPoint(entry: unknown): boolean {
  return (
    Array.isArray(entry) &&
    entry.length === 2 &&
    Number.isSafeInteger(entry[0]) &&
    typeof entry[1] === 'number'
  );
}

const point = nullable(pairWith(number));
const named = { id: integer, name: string };
const pluginHead = {
  ...named,
  owner: object(named),
  software: object({ ...named, url: string }),
  isGlobal: boolean,
};

/** Parses the page after the cursor `after`. */
export function parsePluginPage(answer: ServerAnswer, after: string | undefined): PluginPage {
  const next: Check = (value) => {
    string(value);
    // A repeated cursor would make the pages endless.
    is('another cursor than that of this page', () => value !== after)(value);
  };
  const plugins = list(object({ ...pluginHead, servers: point, players: point }));
  return parseBody(answer, object({ total: integer, next: nullable(next), plugins })) as PluginPage;
}

const chartHead = object({
  chartId: string,
  uid: integer,
  type: string,
  position: integer,
  title: string,
  isDefault: boolean,
  settings: anyObject,
  first: nullable(integer),
  last: nullable(integer),
});

const events = list(object({ time: integer, title: string, url: nullable(string) }));

/** Parses the events of a plugin. */
export const parseEventList = parserOf<readonly PluginEvent[]>(events);

/** Parses the software list with its numbers. */
export const parseSoftwareNowList = parserOf<readonly SoftwareNow[]>(
  list(
    object({
      ...named,
      url: string,
      globalPlugin: nullable(object(named)),
      plugins: integer,
      servers: point,
    }),
  ),
);

const pluginNow = object({
  ...pluginHead,
  charts: list((value) => {
    chartHead(value);
    const form = formOf((value as { readonly type: string }).type);
    object({
      latest: form === 'line' ? point : dataOf(form),
      colours: optional(list(string)),
      mostUsed: optional(nullable(object({ name: string, since: integer }))),
    })(value);
  }),
  events,
});

/** Parses a plugin with the newest data of its charts. */
export const parsePluginNow = parserOf<PluginNow>(pluginNow);

const ratio = nullable(number);
const share = { share: ratio, atLeast: ratio };
const linePoint = pairWith(number);

const insights = object({
  at: nullable(integer),
  lines: list(
    object({
      chartId: string,
      now: linePoint,
      changes: object({ '7d': ratio, '28d': ratio, '1y': ratio }),
      peak30d: linePoint,
      record: linePoint,
    }),
  ),
  standing: nullable(object({ rank: nullable(integer), of: nullable(integer), share: ratio })),
  versions: list(
    object({
      chartId: string,
      at: nullable(integer),
      total: number,
      lines: list(
        object({
          ...share,
          name: string,
          value: number,
          before: nullable(object({ ...share, at: integer })),
        }),
      ),
      other: object({ value: number, share: ratio }),
    }),
  ),
  releases: list(
    object({
      time: integer,
      title: string,
      url: nullable(string),
      version: string,
      servers: nullable(object({ before: number, after: number })),
      share: object({ '7d': ratio, '30d': ratio, now: ratio }),
      halfAfterDays: nullable(integer),
    }),
  ),
});

/** Parses the insights of a plugin. */
export const parseInsights = parserOf<Insights>(insights);

const mark = optional(is('true, or left out', (value) => value === true));

/** Parses series and checks that all have the same times. */
export function parseSeriesSet(answer: ServerAnswer): SeriesSet {
  let before = Number.NEGATIVE_INFINITY;
  let timeCount = 0;
  const time = is('an integer, and later than the time before it', (value) => {
    const isNext = Number.isSafeInteger(value) && Number(value) > before;
    before = Number(value);
    timeCount++;
    return isNext;
  });
  const isValue = (value: unknown) => value === null || typeof value === 'number';
  const values: Check = (value) => {
    anyArray(value);
    is('an array with a value for each time', () => (value as unknown[]).length === timeCount)(value);
    list(is('a number or null', isValue))(value);
  };
  const series = object({
    name: string,
    isSum: mark,
    isOther: mark,
    group: optional(string),
    values,
    lows: optional(values),
    highs: optional(values),
  });
  const set = object({
    from: integer,
    to: integer,
    step: nullable(integer),
    aggregate: nullable(string),
    partial: optional(object({ first: boolean, last: boolean })),
    times: list(time),
    series: list((value) => {
      series(value);
      if (!('isSum' in (value as object)))
        object({ pluginId: nullable(integer), chartId: nullable(string) })(value);
    }),
  });
  return parseBody(answer, set) as SeriesSet;
}
