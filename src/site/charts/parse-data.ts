/** Parses the stored JSON of a chart, within bounds: parsing is one step that everything else waits for. */

import type { Chart } from '../../model/chart.ts';
import type { DataForm } from '../../model/chart-types.ts';
import { cutJson } from './cut-json.ts';

/** Most characters that a picture parses: they take a few milliseconds, whatever their shape. */
const maxPictureLength = 64 * 1024;
/** Most characters that a table parses: they take up to 10 ms. */
const maxTableLength = 128 * 1024;

/** Data of a chart, and whether it is only the beginning of what is stored. */
export interface ParsedData {
  readonly data: unknown;
  readonly isCut: boolean;
}

/**
 * Parses the data of a chart that is no line chart. Known forms are parsed whole: an import has checked their shape, and they
 * parse fast. Of others a picture shows the first rows alone.
 */
export function parseData(form: DataForm, json: string, use: 'picture' | 'table' = 'picture'): ParsedData {
  if (form !== 'other') return { data: JSON.parse(json), isCut: false };
  const { text, isCut } = cutJson(json, use === 'picture' ? maxPictureLength : maxTableLength);
  return { data: JSON.parse(text), isCut };
}

/** Parses the settings of a chart; of very long ones the beginning. */
export function parseSettings({ data }: Pick<Chart, 'data'>): unknown {
  return JSON.parse(cutJson(data, maxPictureLength).text);
}
