// Pictures of one line.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawLine } from '../../../src/draw/line/line.ts';
import { columnCountFor, LineColumns } from '../../../src/draw/line/line-columns.ts';
import { pointsOf } from '../../../src/model/points.ts';

const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;

describe('the picture of a line', () => {
  it('says in words what it shows', () => {
    const columns = new LineColumns({
      from: 0,
      to: 3_600_000,
      columnCount: columnCountFor(800),
      maxGapMs: 4_500_000,
    });
    columns.add(
      pointsOf([
        [0, 2950],
        [1_800_000, 4659],
        [3_600_000, 3883],
      ]),
    );
    const svg = drawLine({ title: 'Players on servers using X', columns, range: '30d' }, options);
    assert.match(
      svg,
      /<desc [^>]*>Players on servers using X: 3,883 now, between 2,950 and 4,659 in the last 30 days</,
    );
  });
});
