// Reports parsed: both forms, members that are missing or of a wrong kind, charts that are left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxReportedPlugins, parseReport } from '../../src/collect/report.ts';
import { AppError } from '../../src/model/app-error.ts';
import { fc } from '../support/seed.ts';

const report = {
  serverUUID: '7386d410-f71e-447e-b356-ee809c7db098',
  playerAmount: 7,
  service: { id: 123, pluginVersion: '1.4', customCharts: [{ chartId: 'lang', data: { value: 'en' } }] },
};

const noCharts = new Map();

function parse(changes: object = {}) {
  return parseReport(JSON.stringify({ ...report, ...changes }));
}

function refused(text: string): string {
  try {
    parseReport(text);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.deepEqual([error.code, error.kind], ['invalid', 'malformed-report']);
    return error.message.replace('the report is malformed: ', '');
  }
  return 'accepted';
}

test('an old report names several plugins, by id or by name', () => {
  const plugins = [{ id: 5, pluginName: 'A' }, { pluginName: 'B', pluginVersion: '2' }, 7, { id: '5' }, null];
  const parsed = parse({ service: undefined, plugins });
  assert.equal(parsed.isOld, true);
  assert.deepEqual(parsed.plugins, [
    { id: 5, name: 'A', version: undefined, charts: noCharts },
    { id: undefined, name: 'B', version: '2', charts: noCharts },
    { id: undefined, name: '', version: undefined, charts: noCharts },
  ]);
});

test('of an old report the first thousand plugins count', () => {
  const plugins = Array.from({ length: maxReportedPlugins + 1 }, (_, index) => ({ id: index + 1 }));
  assert.equal(parse({ service: undefined, plugins }).plugins.at(-1)?.id, 1000);
});

test('a report with both forms is one of the new form', () => {
  assert.equal(parse({ plugins: [{ id: 5 }] }).isOld, false);
});

test('a required member that is missing or of a wrong kind is named', () => {
  const uuid = (serverUUID: unknown) => JSON.stringify({ ...report, serverUUID });
  const service = (value: unknown) => JSON.stringify({ ...report, service: value });
  assert.deepEqual(
    [
      uuid(undefined),
      uuid(''),
      uuid({ a: 1 }),
      service(undefined),
      service(null),
      service([]),
      service({}),
      service({ id: '1' }),
      service({ id: 0 }),
      service({ id: 1.5 }),
      service({ id: 2 ** 53 }),
      service({ id: true }),
      '[]',
      '5',
      'null',
    ].map(refused),
    [
      ...Array(3).fill('serverUUID must be a string that is not empty'),
      ...Array(9).fill('service must be an object with an id, an integer from 1 to 9007199254740991'),
      ...Array(3).fill('it must be an object'),
    ],
  );
});

test('what is not JSON is refused without repeating it', () => {
  for (const text of ['', '{', '{"serverUUID":"secret"', '\ufeff{}', '{"a":01}', '{} {}', 'NaN'])
    assert.equal(refused(text), 'it is not valid JSON');
});

test('any JSON is either a report or malformed, and nothing else happens', () => {
  const anything = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc
      .record(
        { serverUUID: fc.jsonValue(), service: fc.jsonValue(), plugins: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  fc.assert(fc.property(anything, (text) => void refused(text)));
});

/** Parses a report of one chart, and returns the names of its shares without their control characters. */
function namesIn(values: string): readonly string[] {
  const text = `{"serverUUID":"x","service":{"id":1,"customCharts":[{"chartId":"c","data":{"values":${values}}}]}}`;
  const shares = parseReport(text).plugins[0]?.charts.get('c')?.['values'] ?? {};
  return Object.keys(shares).map((name) => name.replaceAll('\0', ''));
}

test('names are read however their characters are escaped', () => {
  const longForm = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = (character: string, isLong: boolean) =>
    isLong ? longForm(character) : JSON.stringify(character).slice(1, -1);
  const character = fc.tuple(fc.constantFrom('\\', '"', 'u', '0', ':', '\u00e9', ' '), fc.boolean());
  const name = fc.array(character, { minLength: 1, maxLength: 4 });
  const unlike = fc.uniqueArray(name, {
    maxLength: 3,
    selector: (characters) => characters.map(([one]) => one).join(''),
  });
  fc.assert(
    fc.property(unlike, (names) => {
      const keys = names.map((characters) =>
        characters.map(([one, isLong]) => escaped(one, isLong)).join(''),
      );
      const wanted = names.map((characters) => characters.map(([one]) => one).join(''));
      const values = `{"first":1${keys.map((key) => `,"${key}" : 2`).join('')}}`;
      const isInteger = (one: string) => /^(?:0|[1-9]\d*)$/.test(one);
      assert.deepEqual(
        namesIn(values).filter((one) => !isInteger(one)),
        ['first', ...wanted.filter((one) => !isInteger(one))],
      );
    }),
    { numRuns: 1000 },
  );
});
