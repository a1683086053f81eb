/** Parses answers with the data of a chart, by its type. */
import { type DataForm, formOf } from '../model/chart-types.ts';
import type { ServerAnswer } from './http.ts';
import { type JsonPlace, parseBody } from './json-place.ts';
import type { ChartData, LinePoint } from './types.ts';

/**
 * Parses the data of a chart. Without a type, an array of arrays counts as a line, and anything else stays as it came. The points
 * of a line are sorted; those without a value are left out.
 */
export function parseTypedData<Type extends string>(answer: ServerAnswer, type?: Type): ChartData<Type> {
  const place = parseBody(answer);
  return parseDataAt(place, type) as ChartData<Type>;
}

/** Parses data that is a part of an answer, as {@link parseTypedData} parses a whole one. */
export function parseDataAt(place: JsonPlace, type: string | undefined): unknown {
  const form = type === undefined ? (isLine(place.value) ? 'line' : 'other') : formOf(type);
  if (form === 'line') return parseLine(place);
  if (typeof place.value !== 'object' || place.value === null) place.fail('an array or an object');
  checks[form]?.(place);
  return place.value;
}

function isLine(value: unknown): boolean {
  return Array.isArray(value) && Array.isArray(value[0]);
}

function parseLine(place: JsonPlace): readonly LinePoint[] {
  const points = place.array().filter((entry, index) => isPoint(entry) || checkGap(place.element(index)));
  return (points as LinePoint[]).sort(([one], [other]) => one - other);
}

/** Lines are long, so a JsonPlace is made for faulty entries alone. */
function isPoint(entry: unknown): boolean {
  return (
    Array.isArray(entry) &&
    entry.length === 2 &&
    Number.isSafeInteger(entry[0]) &&
    typeof entry[1] === 'number'
  );
}

/** Accepts a time without a value, and returns false so that it is left out. */
function checkGap(place: JsonPlace): false {
  if (place.array().length !== 2) place.fail('a pair [timestamp, value]');
  place.element(0).integer();
  if (place.element(1).value !== null) place.element(1).fail('a number or null');
  return false;
}

const checks: Readonly<Record<Exclude<DataForm, 'line'>, ((place: JsonPlace) => void) | undefined>> = {
  pie: checkSlices,
  drilldown: checkDrilldown,
  map: checkCountries,
  bars: checkBars,
  other: undefined,
};

function checkSlices(place: JsonPlace): void {
  for (const slice of place.elements()) {
    slice.member('name').string();
    slice.member('y').number();
  }
}

function checkDrilldown(place: JsonPlace): void {
  checkSlices(place.member('seriesData'));
  for (const slice of place.member('seriesData').elements()) slice.member('drilldown').string();
  for (const pie of place.member('drilldownData').elements()) {
    pie.member('name').string();
    pie.member('id').string();
    for (const slice of pie.member('data').elements()) {
      slice.element(0).string();
      slice.element(1).number();
    }
  }
}

function checkCountries(place: JsonPlace): void {
  for (const country of place.elements()) {
    country.member('code').string();
    country.member('value').number();
  }
}

function checkBars(place: JsonPlace): void {
  if (!Array.isArray(place.value)) {
    place.member('categories').elements();
    place.member('series').elements();
    return;
  }
  for (const bar of place.elements()) {
    bar.member('name').string();
    for (const value of bar.member('data').elements()) value.number();
  }
}
