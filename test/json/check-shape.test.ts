// The check of values, compared with a validator of JSON Schema.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { recordShapes } from '../../src/archive/parse-record.ts';
import { checkShape } from '../../src/json/check-shape.ts';
import { AppError } from '../../src/model/app-error.ts';
import { shapeOf } from '../../src/model/chart-forms.ts';
import { chartTypes } from '../../src/model/chart-types.ts';
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
    fc.property(anyValue, (value) => {
      const parsed = JSON.parse(JSON.stringify(value));
      for (const [index, shape] of shapes.entries()) {
        const isGood = validators[index]?.Check(parsed) === true;
        assert.equal(
          isTaken(() => checkShape(shape, parsed, 'data')),
          isGood,
        );
        if (isGood) goodCount++;
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(goodCount > 1000, `only ${goodCount} were good`);
});

function isTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
