// The figures of a line: latest value, peak and changes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noPoints, pointsOf } from '../../../src/model/points.ts';
import { lineFigures } from '../../../src/site/charts/line-figures.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

describe('the figures of a line', () => {
  test('compare the latest value with those of 7 and 30 days before', () => {
    const figures = lineFigures(
      pointsOf([
        [0, 50],
        [23 * day, 80],
        [29 * day, 400],
        [30 * day, 100],
      ]),
    );
    assert.deepEqual(figures, {
      now: 100,
      timestamp: 30 * day,
      peak: 400,
      peakTimestamp: 29 * day,
      weekChange: 0.25,
      monthChange: 1,
    });
  });

  test('use the nearest point, at most half a day away', () => {
    const near = pointsOf([
      [1 * day, 10],
      [1 * day + 13 * hour, 20],
      [9 * day, 30],
    ]);
    assert.equal(lineFigures(near)?.weekChange, 0.5);
    const far = pointsOf([
      [1 * day, 10],
      [9 * day, 30],
    ]);
    assert.equal(lineFigures(far)?.weekChange, undefined);
  });

  test('have no change from zero, and no peak older than 30 days', () => {
    const figures = lineFigures(
      pointsOf([
        [0, 900],
        [33 * day, 0],
        [40 * day, 5],
      ]),
    );
    assert.deepEqual([figures?.weekChange, figures?.monthChange, figures?.peak], [undefined, undefined, 5]);
  });

  test('of a single point are its own, and an empty line has none', () => {
    assert.equal(lineFigures(pointsOf([[5, -1]]))?.peak, -1);
    assert.equal(lineFigures(noPoints), undefined);
  });
});
