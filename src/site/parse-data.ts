/** Parses what is stored of a chart as JSON, within bounds: what is parsed in one go holds up everything else. */

import type { Chart } from '../model/chart.ts';
import { isKnownChartType } from '../model/chart-types.ts';
import { cutJson } from './cut-json.ts';

/** So many characters of JSON of any shape take a few milliseconds to parse. */
const maxPictureLength = 64 * 1024;
/** So many take up to 20 ms. */
const maxTableLength = 256 * 1024;

/** Data of a chart, and whether it is only the beginning of what is stored. */
export interface ParsedData {
  readonly data: unknown;
  readonly isCut: boolean;
}

/**
 * The data of a chart that is no line chart. An import has checked the shape of known types, which parse fast: they are parsed
 * whole. Of others a picture shows the first rows alone.
 */
export function parseData(type: string, json: string, use: 'picture' | 'table' = 'picture'): ParsedData {
  if (isKnownChartType(type)) return { data: JSON.parse(json), isCut: false };
  const { text, isCut } = cutJson(json, use === 'picture' ? maxPictureLength : maxTableLength);
  return { data: JSON.parse(text), isCut };
}

/** The settings of a chart; the beginning of very long ones. */
export function parseSettings({ data }: Pick<Chart, 'data'>): unknown {
  return JSON.parse(cutJson(data, maxPictureLength).text);
}
