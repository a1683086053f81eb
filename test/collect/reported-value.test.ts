// Values of custom charts: every type, every kind of wrong value, and the names of shares.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReportedValue, type ReportedValue } from '../../src/collect/reported-value.ts';
import { hasGroups } from '../../src/model/chart-forms.ts';
import { chartTypes } from '../../src/model/chart-types.ts';
import { shareOfKey } from '../../src/model/columns.ts';
import { fc } from '../support/seed.ts';

/** A value in short: a number, or shares such as `Linux/5.4=1`. */
function short(typeName: string, value: ReportedValue | undefined): unknown {
  if (value === undefined || typeof value === 'number') return value;
  return value.map(([key, ...values]) => {
    const { group, name } = shareOfKey(key, hasGroups(typeName));
    return `${group === null ? '' : `${group}/`}${name}=${values}`;
  });
}

const parse = (typeName: string, data: object, countryCode?: string) =>
  short(typeName, parseReportedValue(typeName, data as Readonly<Record<string, unknown>>, countryCode));

test('a line takes any number within ±2^53', () => {
  for (const value of [2 ** 53, -(2 ** 53)]) assert.equal(parse('single_linechart', { value }), value);
  assert.equal(parse('single_linechart', { value: -2.5 }), -2.5);
  assert.equal(parse('single_linechart', { value: 0 }), 0);
  for (const value of [undefined, null, '5', true, [], {}, 1e30, -1e30, Number.NaN])
    assert.equal(parse('single_linechart', { value }), undefined);
});

test('a simple pie takes a string, or a number as text', () => {
  assert.deepEqual(parse('simple_pie', { value: 'en' }), ['en=1']);
  assert.deepEqual(parse('simple_pie', { value: 1e21 }), ['1e+21=1']);
  assert.deepEqual(parse('simple_pie', { value: 0.5 }), ['0.5=1']);
  for (const value of [undefined, null, '', true, [], {}, Number.POSITIVE_INFINITY])
    assert.equal(parse('simple_pie', { value }), undefined);
  assert.equal(parse('simple_pie', { values: { en: 1 } }), undefined);
});

test('an advanced pie takes whole numbers by name', () => {
  assert.deepEqual(parse('advanced_pie', { values: { a: 3, b: 0, 12: 2147483647 } }), [
    '12=2147483647',
    'a=3',
    'b=0',
  ]);
  assert.deepEqual(parse('advanced_pie', { values: {} }), []);
  for (const wrong of [-1, 1.5, 2147483648, '3', null, true, [3], { c: 3 }])
    assert.equal(parse('advanced_pie', { values: { a: 3, b: wrong } }), undefined);
  for (const values of [undefined, null, [3], 'a', 5])
    assert.equal(parse('advanced_pie', { values }), undefined);
});

test('a drilldown pie takes whole numbers by outer and inner name', () => {
  assert.deepEqual(parse('drilldown_pie', { values: { Linux: { '5.4': 1, '6.1': 2 }, BSD: {} } }), [
    'Linux/5.4=1',
    'Linux/6.1=2',
  ]);
  for (const wrong of [3, null, [], { '': 1 }, { a: -1 }, { a: { b: 1 } }])
    assert.equal(parse('drilldown_pie', { values: { Linux: { a: 1 }, b: wrong } }), undefined);
  assert.equal(parse('drilldown_pie', { values: { '': { a: 1 } } }), undefined);
});

test('bars take one number each, or several', () => {
  assert.deepEqual(parse('simple_bar', { values: { a: [1], b: [] } }), ['a=1']);
  assert.equal(parse('simple_bar', { values: { a: [1, 2] } }), undefined);
  assert.deepEqual(parse('advanced_bar', { values: { a: [1, 0], b: [2] } }), ['a=1,0', 'b=2']);
  for (const wrong of [1, [-1], ['1'], [null], {}, [0.5]]) {
    assert.equal(parse('simple_bar', { values: { a: wrong } }), undefined);
    assert.equal(parse('advanced_bar', { values: { a: wrong } }), undefined);
  }
  const values = { a: Array.from({ length: 26 }, (_, index) => index) };
  assert.deepEqual(parse('advanced_bar', { values }), [`a=${values.a.slice(0, 25)}`]);
});

test('of one report the 1,000 largest shares count, whatever their order, and the others together', () => {
  const numbered = Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [`n${index + 1}`, index + 1]),
  );
  const largest = parse('advanced_pie', { values: numbered }) as string[];
  assert.deepEqual(
    [largest.length, largest[0], largest[999], largest[1000]],
    [1001, 'n1500=1500', 'n501=501', 'Other=125250'],
  );
  const values = Object.fromEntries(Array.from({ length: 1003 }, (_, index) => [`name ${index}`, 2]));
  const pie = parse('advanced_pie', { values }) as string[];
  assert.deepEqual([pie.length, pie[1000]], [1001, 'Other=6']);
  // Of equal ones, those stay whose names come first.
  assert.ok(!['name 997=2', 'name 998=2', 'name 999=2'].some((share) => pie.includes(share)));
  const drilldown = parse('drilldown_pie', { values: { a: values, b: { x: 1 } } }) as string[];
  assert.deepEqual([drilldown.length, drilldown[1000]], [1001, 'Other/Other=7']);
  const rows = Object.fromEntries(
    Object.keys(values).map((name, index) => [name, index < 1001 ? [9] : [1, 5]]),
  );
  const bars = parse('advanced_bar', { values: rows }) as string[];
  assert.deepEqual([bars.length, bars[1000]], [1001, 'Other=11,10']);
});

test('maps take the codes of countries, and the country of the address where it is known', () => {
  assert.deepEqual(parse('simple_map', { value: 'DE' }), ['DE=1']);
  assert.deepEqual(parse('simple_map', { value: 'AUTO' }, 'FR'), ['FR=1']);
  assert.deepEqual(parse('simple_map', { value: 'AUTO' }), []);
  for (const value of ['de', 'DEU', '', 49]) assert.equal(parse('simple_map', { value }), undefined);
  assert.deepEqual(parse('advanced_map', { values: { DE: 2 } }), ['DE=2']);
  assert.equal(parse('advanced_map', { values: { DE: 2, Earth: 1 } }), undefined);
});

test('a type that is not collected has no value', () => {
  for (const typeName of ['heat_map', 'constructor', '__proto__'])
    assert.equal(parse(typeName, { value: 1, values: { a: 1 } }), undefined);
});

test('control characters are taken out of a name, which is then cut at 200 characters', () => {
  const name = (value: string) => parse('simple_pie', { value });
  assert.deepEqual(name('a\u0000b\r\n\u0085c\u007f'), ['abc=1']);
  assert.equal(name('\u0000\n'), undefined);
  assert.deepEqual(name('x'.repeat(201)), [`${'x'.repeat(200)}=1`]);
  assert.deepEqual(name(`${'\u0000'.repeat(50)}${'x'.repeat(200)}`), [`${'x'.repeat(200)}=1`]);
  assert.deepEqual(name('🦊'.repeat(300)), [`${'🦊'.repeat(200)}=1`]);
  assert.deepEqual(name(`x${'🦊'.repeat(300)}`), [`x${'🦊'.repeat(199)}=1`]);
  assert.deepEqual(name('a\ud800b'), ['a\ufffdb=1']);
});

test('whatever is reported gives values that a store can keep', () => {
  const names = fc.string({ unit: 'binary', maxLength: 250 });
  const values = fc.dictionary(names, fc.oneof(fc.nat(), fc.jsonValue(), fc.array(fc.nat())));
  const data = fc.record({ value: fc.oneof(names, fc.jsonValue()), values }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(chartTypes)), data, (typeName, reported) => {
      const value = parseReportedValue(typeName, reported) ?? [];
      if (typeof value === 'number') return Number.isFinite(value);
      return value.every(([key, ...values]) => {
        const { name } = shareOfKey(key, hasGroups(typeName));
        return (
          name !== '' &&
          name.isWellFormed() &&
          [...name].length <= 200 &&
          !/\p{Cc}/u.test(name) &&
          values.length > 0 &&
          values.every((one) => Number.isSafeInteger(one) && one >= 0)
        );
      });
    }),
  );
});
