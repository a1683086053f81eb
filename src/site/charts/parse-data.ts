/** Parses the stored JSON of a chart. It is bounded, because parsing cannot be interrupted. */

import type { Chart } from '../../model/chart.ts';
import type { DataForm } from '../../model/chart-types.ts';
import { cutJson } from './cut-json.ts';

/** Most characters parsed for a picture: a few milliseconds for any shape. */
const maxPictureLength = 64 * 1024;
/** Most characters parsed for a table: up to 10 ms. */
const maxTableLength = 128 * 1024;

/** The data of a chart; `isCut` if it is only the beginning. */
interface ParsedData {
  readonly data: unknown;
  readonly isCut: boolean;
}

/**
 * Parses the data of a chart that is no line. Known forms are parsed whole: an import has checked their shape, and they parse
 * fast. Of other data a picture shows the first rows alone.
 */
export function parseData(form: DataForm, json: string, use: 'picture' | 'table' = 'picture'): ParsedData {
  if (form !== 'other') return { data: JSON.parse(json), isCut: false };
  const { text, isCut } = cutJson(json, use === 'picture' ? maxPictureLength : maxTableLength);
  return { data: JSON.parse(text), isCut };
}

/** Parses the settings of a chart; very long ones are cut. */
export function parseSettings({ data }: Pick<Chart, 'data'>): unknown {
  return JSON.parse(cutJson(data, maxPictureLength).text);
}
