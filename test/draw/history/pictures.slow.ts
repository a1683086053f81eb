// Rules that hold for every picture of a history, for any data and size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawHistory } from '../../../src/draw/history/draw-history.ts';
import { rangeNames } from '../../../src/model/window.ts';
import { readSvg } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';
import { checkPicture } from '../check-picture.ts';
import { anyEvents, anyOptions } from '../line/made-lines.ts';
import { anyHistory } from './made-histories.ts';

/** Any history, options of a picture, and events in it. */
const historyWithEvents = fc
  .tuple(anyHistory, anyOptions)
  .chain(([history, options]) =>
    fc.tuple(
      fc.constant(history),
      fc.constant(options),
      anyEvents({ timestamps: history.times }, options.width),
    ),
  );
const unit = fc.constantFrom('percent' as const, 'count' as const);
const range = fc.constantFrom(...rangeNames);

test('any history draws well-formed XML that stays in its box and whose texts do not overlap', () => {
  fc.assert(
    fc.property(historyWithEvents, unit, range, ([history, options, events], shown, asked) => {
      checkPicture(drawHistory({ ...history, events }, { ...options, unit: shown, range: asked }), options);
    }),
    { numRuns: 1000 },
  );
});

test('a picture has as many areas as rows in its legend, and never more than twelve and the others', () => {
  fc.assert(
    fc.property(anyHistory, unit, anyOptions, (history, shown, options) => {
      const elements = readSvg(drawHistory(history, { ...options, unit: shown, range: 'all' }));
      const areas = elements.filter(
        ({ name, attributes }) => name === 'path' && attributes['d']?.endsWith('Z'),
      );
      const keys = elements.filter(({ name, attributes }) => name === 'rect' && attributes['rx'] === '2');
      assert.equal(areas.length, keys.length);
      assert.ok(areas.length <= 13);
    }),
    { numRuns: 300 },
  );
});
