// Every rule of the schemas, for every field of every record and for the data of every type of chart: a value
// that breaks the rule is refused with the field, the rule and the value, and any other is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { parseRecord, recordShapes } from '../../src/archive/parse-record.ts';
import { parseChartData } from '../../src/json/parse-chart-data.ts';
import { AppError, quote } from '../../src/model/app-error.ts';
import { shapeOf } from '../../src/model/chart-forms.ts';
import type { Shape } from '../../src/model/shape.ts';
import { chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';

const records: Readonly<Record<string, object>> = {
  archive: { record: 'archive', version: 2 },
  software: JSON.parse(softwareLine()),
  plugin: JSON.parse(pluginLine()),
  oldName: { record: 'oldName', pluginId: 7, name: 'Before' },
  chart: JSON.parse(chartLine()),
  data: { record: 'data', pluginId: 7, chartId: 'a', data: [], at: 0 },
  history: {
    ...{ record: 'history', pluginId: 7, chartId: 'a', times: [5] },
    series: [{ group: 'g', name: 'a', values: [1] }],
  },
  event: { record: 'event', pluginId: 7, time: 0, title: '1.0', url: null },
  removal: { record: 'removal', before: null, pluginId: 7, chartId: 'a' },
  end: { record: 'end', records: 0 },
};

const dataOfTypes: Readonly<Record<string, unknown>> = {
  single_linechart: [[1000, 2]],
  simple_pie: [{ name: 'a', y: 1 }],
  advanced_map: [{ code: 'DE', value: 1 }],
  simple_bar: [{ name: 'a', data: [1] }],
  drilldown_pie: {
    drilldownData: [{ name: 'a', id: 'a', data: [['b', 1]] }],
    seriesData: [{ name: 'a', y: 1, drilldown: 'a' }],
  },
  word_cloud: {},
};

const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 3, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 8.64e15, 8.64e15 + 1],
  ...[
    '',
    '7',
    'a',
    '-a',
    '.a',
    'a/b',
    'a b',
    'é',
    'Pie',
    'DE',
    'DEU',
    'de',
    'a\n',
    '\0',
    '\u009b',
    'a\ud800b',
  ],
  ...['\u{1f600}'.repeat(200), '\u{1f600}'.repeat(201), 'a'.repeat(100), 'a'.repeat(101)],
  ...['https://example.org/', 'javascript:alert(1)', `https://${'x'.repeat(2000)}`],
  ...[[], {}],
];

for (const [kind, record] of Object.entries(records))
  test(`every field of a record "${kind}" is checked`, () => {
    const shape = recordShapes[kind as keyof typeof recordShapes];
    checkParts(shape, record, '', (json) => void parseRecord(Buffer.from(json), ''));
  });

for (const [type, data] of Object.entries(dataOfTypes))
  test(`the data of a ${type} are checked`, () => {
    checkParts(shapeOf(type).dataSchema, data, 'data', (json) => void parseChartData(type, json));
  });

/** Changes each part of a value, and asserts that the result is taken or refused as its schema says. */
function checkParts(shape: Shape, whole: unknown, name: string, parse: (json: string) => void): void {
  parse(JSON.stringify(whole));
  for (const { at, path, own, value: members } of partsOf(shape, whole)) {
    const place = (name + path).replace(/^\./, '');
    const isGood = Compile(own);
    const outcomeWith = (value: unknown) =>
      outcomeOf(() => parse(JSON.stringify(replaced(whole, at, value))));
    for (const value of place === '' ? [] : values) {
      const outcome = outcomeWith(value);
      // Columns of another length are refused by a rule that is not in the schema.
      if (isGood.Check(value))
        assert.ok(outcome === 'taken' || /have a value for each/.test(outcome), outcome);
      else if (own.required !== undefined && String(value) === '[object Object]')
        assert.match(outcome, /^[^ ]+: the field ".*" is missing$/);
      else assert.equal(outcome, `${place} must be ${own.description}, got ${quote(value)}`);
    }
    const before = place && `${place}: `;
    for (const field of own.additionalProperties === false ? ['extra', '__proto__', 'constructor'] : [])
      assert.equal(
        outcomeWith(Object.fromEntries([...Object.entries(Object(members)), [field, 1]])),
        `${before}unknown field "${field}"`,
      );
    for (const field of own.required ?? []) {
      const outcome = outcomeWith({ ...Object(members), [field]: undefined });
      if (field !== 'record') assert.equal(outcome, `${before}the field "${field}" is missing`);
    }
  }
}

interface Part {
  /** The steps to it. */
  readonly at: readonly (string | number)[];
  /** The same in a message. */
  readonly path: string;
  readonly own: Shape;
  readonly value: unknown;
}

/** Lists the value and its parts that have rules. */
function partsOf(own: Shape, value: unknown, at: Part['at'] = [], path = ''): readonly Part[] {
  const inner = Object.entries(Object(value)).flatMap(([key, part]) => {
    const isElement = Array.isArray(value);
    const shape = isElement ? (own.prefixItems?.[Number(key)] ?? own.items) : own.properties?.[key];
    if (!shape) return [];
    return partsOf(
      shape,
      part,
      [...at, isElement ? Number(key) : key],
      `${path}${isElement ? `[${key}]` : `.${key}`}`,
    );
  });
  return own.type === undefined ? inner : [{ at, path, own, value }, ...inner];
}

function replaced(whole: unknown, [step, ...rest]: Part['at'], value: unknown): unknown {
  if (step === undefined) return value;
  const part = replaced((whole as never)[step], rest, value);
  if (Array.isArray(whole)) return whole.with(Number(step), part);
  return { ...(whole as object), [step]: part };
}

function outcomeOf(parse: () => void): string {
  try {
    parse();
    return 'taken';
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
