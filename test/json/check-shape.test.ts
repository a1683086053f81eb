// Validation of values in JSON text, compared with a validator of JSON Schema.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { recordShapes } from '../../src/archive/record-shapes.ts';
import { JsonWalk } from '../../src/json/json-walk.ts';
import { parseShape } from '../../src/json/parse-shape.ts';
import { AppError } from '../../src/model/app-error.ts';
import { chartTypes } from '../../src/model/chart-types.ts';
import { shapeOf } from '../../src/model/data-shapes.ts';
import type { Shape } from '../../src/model/shape.ts';
import { fc } from '../support/seed.ts';

const shapes: readonly Shape[] = [
  ...Object.values(recordShapes).flatMap((shape) => [shape, ...Object.values(shape.properties ?? {})]),
  ...[...Object.keys(chartTypes), 'other'].map((name) => shapeOf(name).dataSchema),
];

const awkward = fc.constantFrom(
  ...['', 'a', 'DE', 'de', 'a\nb', '\u009b', '\ud800', 'a/b', '-a', '__proto__', 'name', 'x'.repeat(201)],
  ...[0, -0, 1, 1.5, -1, 2 ** 53, 8.64e15, 8.64e15 + 2, 1e308, true, null],
);
/** Values that match some of the schemas, or nearly. */
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    awkward,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'id',
        'name',
        'y',
        'code',
        'value',
        'data',
        'drilldown',
        'drilldownData',
        'seriesData',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
    fc.record({ name: awkward, y: awkward }),
    fc.record({ code: awkward, value: awkward }),
    fc.record({ name: awkward, data: fc.array(awkward, { maxLength: 2 }) }),
    fc.record({ id: awkward, name: awkward }),
    fc.record({
      drilldownData: fc.constant([]),
      seriesData: fc.array(fc.record({ name: awkward, y: awkward, drilldown: awkward })),
    }),
    fc.array(fc.tuple(awkward, awkward), { maxLength: 3 }),
  ),
}));

test('a value is refused exactly if it does not match its schema', () => {
  const validators = shapes.map((shape) => Compile(shape));
  let goodCount = 0;
  fc.assert(
    fc.property(anyValue, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      for (const [index, shape] of shapes.entries()) {
        const isGood = validators[index]?.Check(JSON.parse(text)) === true;
        assert.equal(
          isTaken(() => parseShape(shape, { json: Buffer.from(text), name: 'data' })),
          isGood,
          text,
        );
        if (isGood) goodCount++;
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(goodCount > 1000, `only ${goodCount} were good`);
});

test('a text is scanned to its end exactly if JSON.parse accepts it', () => {
  const alphabet = [...'{}[]",:0123.-+eE \n\t\\u/abtrufalsn\u0001é'];
  const change = fc.record({
    at: fc.nat(),
    deleted: fc.nat(2),
    inserted: fc.array(fc.constantFrom(...alphabet), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.array(change, { maxLength: 2 }), (json, changes) => {
      let text = json;
      for (const { at, deleted, inserted } of changes) {
        const from = at % (text.length + 1);
        text = text.slice(0, from) + inserted.join('') + text.slice(from + deleted);
      }
      const bytes = Buffer.from(text);
      const walkOver = () => {
        const walk = new JsonWalk(bytes);
        walk.skip();
        walk.end();
      };
      assert.equal(
        isTaken(walkOver),
        isTaken(() => JSON.parse(bytes.toString())),
        text,
      );
    }),
    { numRuns: 5000 },
  );
});

test('numbers have the same value as from JSON.parse', () => {
  for (const text of [
    '0',
    '-0',
    '7',
    '999999999999999',
    '9007199254740993',
    '1.5',
    '-1e3',
    '1E400',
    `1${'0'.repeat(400)}`,
  ])
    assert.ok(Object.is(new JsonWalk(Buffer.from(text)).number(), JSON.parse(text)), text);
});

function isTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError) return false;
    throw error;
  }
}
