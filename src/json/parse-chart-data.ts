/** Parses the JSON text of settings and chart data. Everything but points is checked and kept as text. */

import { AppError } from '../model/app-error.ts';
import { type ChartData, maxJsonBytes } from '../model/chart-data.ts';
import { lineSchema, shapeOf } from '../model/data-shapes.ts';
import { compactJson, type JsonText, trustedJson } from '../model/json-text.ts';
import { orderPoints, type Points } from '../model/points.ts';
import { parsePoints } from '../series/points-json.ts';
import { jsonString } from './json-walk.ts';
import { parseShape } from './parse-shape.ts';

/**
 * Parses text as data of a chart type.
 * @param text must be UTF-8 and must not go on after the value; any other fault is found.
 * @throws AppError `invalid` for data that does not have the shape of the type.
 */
export function parseChartData(typeName: string, text: Uint8Array): ChartData {
  const { storage, dataSchema } = shapeOf(typeName);
  if (storage === 'snapshot') {
    const json = storedJson(text, `the data of a chart of the type ${typeName}`);
    parseShape(dataSchema, { json: text, name: 'data', mayRepeat: true });
    return { storage, json };
  }
  return { storage, points: orderPoints(parseLineData(text)) };
}

/**
 * Parses `[[timestamp, value], …]`.
 * @returns the points, unsorted.
 * @throws AppError `invalid` for anything else.
 */
export function parseLineData(text: Uint8Array): Points {
  // Most text is compact already.
  const asItIs = parsePoints(text, 0, text.length);
  if (asItIs !== undefined) return asItIs;
  const json = compactJson(text);
  const points = parsePoints(json, 0, json.length);
  if (points !== undefined) return points;
  parseShape(lineSchema, { json, name: 'data' });
  throw new Error('points that have the right shape could not be read');
}

/**
 * Compacts JSON that a store keeps as text.
 * @param what names it in the message.
 * @throws AppError `invalid` for more than {@link maxJsonBytes}.
 */
export function storedJson(text: Uint8Array, what: string): JsonText {
  const json = compactJson(text);
  if (json.length > maxJsonBytes)
    throw new AppError('invalid', `${what} may have ${maxJsonBytes} bytes, got ${json.length}`);
  return trustedJson(jsonString(json));
}
