/** Parses chart data of other servers. */

import { JsonWalk } from '../json/json-walk.ts';
import { parseChartData, parseLineData } from '../json/parse-chart-data.ts';
import { parseShape } from '../json/parse-shape.ts';
import { AppError } from '../model/app-error.ts';
import type { ChartData } from '../model/chart-data.ts';
import { shapeOf, timestampSchema } from '../model/data-shapes.ts';
import { orderPoints, type Points, pointsOf } from '../model/points.ts';
import type { Shape } from '../model/shape.ts';
import { knownMembers } from './known-members.ts';

/** A line of another server. */
interface ReceivedLine {
  /** Its points with a value, in strictly ascending order of time. */
  readonly points: Points;
  /** The number of entries, including those without a value and repeated ones. */
  readonly entryCount: number;
  /** The time of the earliest entry; infinite if there is none. */
  readonly firstTimestamp: number;
}

/**
 * Parses the data of a line, in any order, and leaves out entries whose value is `null`.
 * @throws AppError `invalid`.
 */
export function parseLineBody(json: Uint8Array): ReceivedLine {
  const hasGaps = Buffer.from(json.buffer, json.byteOffset, json.length).includes('null');
  const received = hasGaps ? parseGappyPoints(json) : parseLineData(json);
  let firstTimestamp = Number.POSITIVE_INFINITY;
  for (const timestamp of received.timestamps) firstTimestamp = Math.min(firstTimestamp, timestamp);
  const withValue = hasGaps ? withoutGaps(received) : received;
  return { points: orderPoints(withValue), entryCount: received.timestamps.length, firstTimestamp };
}

const valueOrNull: Shape = {
  type: ['number', 'null'],
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  description: 'a finite number or null',
};

/** Parses points of which some have no value: theirs is NaN. */
function parseGappyPoints(json: Uint8Array): Points {
  const walk = new JsonWalk(json);
  if (walk.kind() !== 'array') parseLineData(json);
  const entries: [number, number][] = [];
  walk.array((index) => {
    const entry = walk.text();
    const parts: Uint8Array[] = [];
    const name = `data[${index}]`;
    const inner = new JsonWalk(entry);
    if (inner.kind() === 'array') inner.array(() => parts.push(inner.text()));
    const [timestamp, value] = parts;
    if (parts.length !== 2 || timestamp === undefined || value === undefined)
      throw new AppError('invalid', `${name} must be a pair [timestamp, value]`);
    entries.push([
      Number(parseShape(timestampSchema, { json: timestamp, name: `${name}[0]` })),
      Number(parseShape(valueOrNull, { json: value, name: `${name}[1]` }) ?? Number.NaN),
    ]);
  });
  walk.end();
  return pointsOf(entries);
}

function withoutGaps({ timestamps, values }: Points): Points {
  const isKept = (_: number, index: number) => !Number.isNaN(values[index]);
  return { timestamps: timestamps.filter(isKept), values: values.filter(isKept) };
}

/** Leaves out the leading points whose value is 0. */
export function trimLeadingZeros(points: Points): Points {
  const start = points.values.findIndex((value) => value !== 0);
  const from = start === -1 ? points.values.length : start;
  return { timestamps: points.timestamps.subarray(from), values: points.values.subarray(from) };
}

/**
 * Parses the data of a chart that is no line, and removes fields that the interface does not have; undefined for no data.
 * @throws AppError `invalid` for data that does not have the shape of the type.
 */
export function parseSnapshotBody(typeName: string, json: Uint8Array): ChartData | undefined {
  const text = String(Buffer.from(json.subarray(0, 100))).trim();
  if (text === '' || /^\[\s*\]$/.test(text)) return undefined;
  const data = listedBars(typeName, json) ?? json;
  try {
    return parseChartData(typeName, data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return parseChartData(typeName, Buffer.from(knownMembers(shapeOf(typeName).dataSchema, data)));
  }
}

interface OldBars {
  readonly categories: readonly unknown[];
  readonly series: ReadonlyArray<{ readonly data: readonly unknown[] }>;
}

/** Turns bars of old servers, `{"categories": […], "series": [{"data": […]}, …]}`, into a list of bars; undefined for others. */
function listedBars(typeName: string, json: Uint8Array): Uint8Array | undefined {
  if (!/^(simple|advanced)_bar$/.test(typeName)) return undefined;
  const walk = new JsonWalk(json);
  if (walk.kind() !== 'object') return undefined;
  walk.skip();
  walk.end();
  const bars: unknown = JSON.parse(String(Buffer.from(json)));
  if (!isOldBars(bars)) return undefined;
  const { categories, series } = bars;
  const list = categories.map((name, index) => ({ name, data: series.map(({ data }) => data[index]) }));
  return Buffer.from(JSON.stringify(list));
}

function isOldBars(bars: unknown): bars is OldBars {
  const { categories, series } = bars as Partial<OldBars>;
  return (
    Array.isArray(categories) &&
    Array.isArray(series) &&
    series.every((one) => Array.isArray((one as { readonly data?: unknown } | null)?.data))
  );
}
