/** Parses chart data. All but points is checked and kept as text. */
import type { ChartData } from '../model/chart-data.ts';
import { shapeOf } from '../model/chart-forms.ts';
import { type Columns, lineOf, orderColumns } from '../model/columns.ts';
import { maxTimestamp } from '../model/window.ts';
import { checkShape } from './check-shape.ts';
import { parseJson, storedJson } from './parse-json.ts';

/**
 * Parses text as the data of a chart type.
 * @throws AppError `invalid` if the data does not match the schema of the type.
 */
export function parseChartData(typeName: string, text: string): ChartData {
  const { storage, dataSchema } = shapeOf(typeName);
  const value = parseJson(text);
  if (storage === 'points') {
    const points = pointsIn(value);
    if (points !== undefined) return { storage, points: orderColumns(points) };
    checkShape(dataSchema, value, 'data');
    throw new Error('points that have the right shape could not be read');
  }
  const json = storedJson(text, `the data of a chart of the type ${typeName}`);
  checkShape(dataSchema, value, 'data');
  return { storage, json };
}

/**
 * Copies the points from `[[timestamp, value], …]`, unsorted; undefined if the value does not match the
 * schema of lines.
 */
export function pointsIn(value: unknown): Columns | undefined {
  if (!Array.isArray(value)) return undefined;
  const times = new Float64Array(value.length);
  const values = new Float64Array(value.length);
  for (let index = 0; index < value.length; index++) {
    const point: unknown = value[index];
    if (!Array.isArray(point) || point.length !== 2) return undefined;
    const [timestamp, number]: unknown[] = point;
    if (typeof timestamp !== 'number' || !(timestamp >= 0 && timestamp <= maxTimestamp)) return undefined;
    if (!Number.isInteger(timestamp) || !Number.isFinite(number)) return undefined;
    // Adding 0 turns -0 into 0, as JSON.stringify does.
    times[index] = timestamp + 0;
    values[index] = Number(number) + 0;
  }
  return lineOf(times, values);
}
