// History records in parts, compared with the platform's JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberTexts } from '../../src/archive/number-texts.ts';
import { parseHistory } from '../../src/archive/parse-history.ts';
import { mergeHistories } from '../../src/model/merge-histories.ts';
import { chunkLimits } from '../../src/series/chunk.ts';
import { anyValue, randomFrom } from '../support/points.ts';
import { fc } from '../support/seed.ts';

test('numbers in JSON text are read as JSON.parse reads them, in parts of any size', () => {
  const space = fc.constantFrom('', ' ', '\n\t ', '\r\n');
  const number = fc.oneof(
    fc.constant('null'),
    anyValue.map(String),
    fc.constantFrom('-0', '0.5e3', '1E2', '123456789012345', '1234567890123456789', '1e-7'),
  );
  const element = fc.tuple(space, number, space).map((texts) => texts.join(''));
  fc.assert(
    fc.property(
      fc.array(element, { maxLength: 20 }),
      space,
      fc.integer({ min: 1, max: 7 }),
      (some, inner, perPart) => {
        const json = some.length === 0 ? `[${inner}]` : `[${some.join(',')}]`;
        const expected = JSON.parse(json).map((value: number | null) => value ?? 0);
        const texts = new NumberTexts(Buffer.from(json), perPart);
        assert.equal(texts.count, expected.length);
        const found: number[] = [];
        for (let start = 0; start < texts.count; start += perPart)
          found.push(...texts.read(start, Math.min(perPart, texts.count - start)));
        assert.deepEqual(found, expected);
      },
    ),
  );
});

test('a history of many times is read in parts that say the same together, also with times twice and in any order', () => {
  const random = randomFrom(7);
  const times = Array.from({ length: 1100 }, () => Math.floor(random() * 900) * 1000);
  const series = ['a', 'b', 'ä'].map((name) => ({
    values: times.map(() => (random() < 0.1 ? null : Math.floor(random() * 5))),
    name,
  }));
  // Members may be in any order.
  const line = Buffer.from(JSON.stringify({ series, chartId: 'os', times, record: 'history', pluginId: 7 }));
  const parts = parseHistory(line).map((historyFor) => historyFor('simple_pie'));
  assert.ok(parts.length > 2);
  const said = new Map<number, string>();
  for (const { times: own, shares, columns } of mergeHistories(parts, chunkLimits))
    for (const [index, time] of own.entries())
      said.set(
        time,
        JSON.stringify(
          shares.map(({ name }, rank) => [name, columns[rank]?.[index]]).filter(([, value]) => value !== 0),
        ),
      );
  const expected = new Map(
    times.map((time, index) => [
      time,
      JSON.stringify(
        series.map(({ name, values }) => [name, values[index] ?? 0]).filter(([, value]) => value !== 0),
      ),
    ]),
  );
  assert.deepEqual(said, new Map([...expected].sort(([a], [b]) => a - b)));
});

test('a history without times has one part, which has none', () => {
  const [only, ...others] = parseHistory(
    Buffer.from(
      '{"record":"history","pluginId":7,"chartId":"os","times":[ ],"series":[{"name":"a","values":[]}]}',
    ),
  );
  assert.deepEqual(others, []);
  assert.deepEqual([...only('simple_pie').times], []);
});

test('the first share with too few or too many values is named, and so is the number of too many shares', () => {
  const lineOf = (series: readonly object[]) =>
    Buffer.from(JSON.stringify({ record: 'history', pluginId: 7, chartId: 'os', times: [1, 2], series }));
  assert.throws(
    () =>
      parseHistory(
        lineOf([
          { name: 'a', values: [1, 2] },
          { name: 'b', values: [1] },
        ]),
      ),
    {
      message: 'series[1].values must have a value for each of the times; got 1 values and 2 times',
    },
  );
  assert.throws(
    () => parseHistory(lineOf([{ name: 'a', values: [1, 2, 3] }])),
    /must have a value.*; got 3 values and 2 times/,
  );
  const many = Array.from({ length: 2003 }, (_, index) => ({ name: `${index}`, values: [1, 2] }));
  assert.throws(() => parseHistory(lineOf(many)), { message: 'series may have 2000 shares, got 2003' });
});
