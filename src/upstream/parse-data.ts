/** Parses chart data from other servers. */
import { checkShape, isJsonObject, numberOrNullSchema } from '../json/check-shape.ts';
import { parseChartData } from '../json/parse-chart-data.ts';
import { parseJson, partsOf } from '../json/parse-json.ts';
import { throwUnexpected } from '../model/app-error.ts';
import type { ChartData } from '../model/chart-data.ts';
import { shapeOf } from '../model/chart-forms.ts';
import { type Columns, orderColumns, pointsOf, sliceColumns, valuesOf } from '../model/columns.ts';
import { lineForm } from '../model/forms/line.ts';
import { timestampSchema, tuple } from '../model/forms/schemas.ts';
import type { Shape } from '../model/shape.ts';

/** A line from another server. */
interface ReceivedLine {
  /** Points with a value, in strictly ascending order of time. */
  readonly points: Columns;
  /** Number of entries, including entries without a value and duplicates. */
  readonly entryCount: number;
  /** Time of the earliest entry; infinite without entries. */
  readonly firstTimestamp: number;
}

/** Schema of a line with entries that lack a value. */
const gappyLineShape: Shape = {
  ...lineForm.dataSchema,
  items: tuple([timestampSchema, numberOrNullSchema], 'a pair [timestamp, value]'),
};

/** More points than a response of 64 MiB can hold (`connection/`). */
const maxEntries = 5_000_000;

/**
 * Parses the data of a line in any order, and drops entries whose value is `null`.
 * @throws AppError `invalid`.
 */
export function parseLineBody(json: string): ReceivedLine {
  const value = parseJson(json, maxEntries);
  checkShape(json.includes('null') ? gappyLineShape : lineForm.dataSchema, value, 'data');
  const entries = value as readonly (readonly [timestamp: number, value: number | null])[];
  const isPoint = (entry: (typeof entries)[number]): entry is readonly [number, number] => entry[1] !== null;
  let firstTimestamp = Number.POSITIVE_INFINITY;
  for (const [timestamp] of entries) firstTimestamp = Math.min(firstTimestamp, timestamp);
  return {
    points: orderColumns(pointsOf(entries.filter(isPoint))),
    entryCount: entries.length,
    firstTimestamp,
  };
}

/** Drops leading points whose value is 0. */
export function trimLeadingZeros(points: Columns): Columns {
  const start = valuesOf(points).findIndex((value) => value !== 0);
  return sliceColumns(points, start === -1 ? points.times.length : start);
}

/**
 * Parses the data of a chart that is not a line, and removes fields that the interface does not define;
 * undefined for no data.
 * @throws AppError `invalid` if the data does not match the schema of the type.
 */
export function parseLatestBody(typeName: string, json: string): ChartData | undefined {
  const text = json.trim();
  if (text === '' || /^\[\s*\]$/.test(text)) return undefined;
  const data = listedBars(typeName, parseJson(text)) ?? text;
  try {
    return parseChartData(typeName, data);
  } catch (error) {
    throwUnexpected(error);
    return parseChartData(typeName, knownMembers(shapeOf(typeName).dataSchema, data));
  }
}

interface OldBars {
  readonly categories: readonly unknown[];
  readonly series: ReadonlyArray<{ readonly data: readonly unknown[] }>;
}

/**
 * Converts bars of old servers, `{"categories": […], "series": [{"data": […]}, …]}`, into a list of bars;
 * undefined for other data.
 */
function listedBars(typeName: string, bars: unknown): string | undefined {
  if (!/^(simple|advanced)_bar$/.test(typeName) || !isJsonObject(bars) || !isOldBars(bars)) return undefined;
  const { categories, series } = bars;
  const list = categories.map((name, index) => ({ name, data: series.map(({ data }) => data[index]) }));
  return JSON.stringify(list);
}

function isOldBars(bars: object): bars is OldBars {
  const { categories, series } = bars as Partial<OldBars>;
  return (
    Array.isArray(categories) &&
    Array.isArray(series) &&
    series.every((one) => Array.isArray((one as { readonly data?: unknown } | null)?.data))
  );
}

/**
 * Removes the members that a schema does not name; the rest of the text is unchanged.
 * @param json valid text without surrounding white space.
 */
function knownMembers({ properties, prefixItems = [], items }: Shape, json: string): string {
  if (json.startsWith('{') && properties !== undefined) {
    const members = Array.from(partsOf(json), ({ name, text }) => {
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return shape === undefined ? [] : `${JSON.stringify(name)}:${knownMembers(shape, text)}`;
    });
    return `{${members.flat().join()}}`;
  }
  if (json.startsWith('[') && items !== undefined) {
    const elements = Array.from(partsOf(json), ({ text }, index) =>
      knownMembers(prefixItems[index] ?? (items || {}), text),
    );
    return `[${elements.join()}]`;
  }
  return json;
}
