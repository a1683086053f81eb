// The messages at the end of a mirror run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOutLines } from '../../src/cli/commands/mirror.ts';
import { MirrorProgress } from '../../src/mirror/mirror-progress.ts';

test('what is left out is counted, with up to five names of each kind', () => {
  const { leftOut } = new MirrorProgress(() => 0);
  assert.deepEqual(leftOutLines(leftOut), []);
  for (let id = 1; id <= 1007; id++) {
    leftOut.removed.add(`plugin ${id}`);
    leftOut.futureCounts.point.set(`${id}/players`, 1000);
  }
  leftOut.removed.add('plugin 1');
  assert.deepEqual(leftOutLines(leftOut), [
    'left out what was removed from the store: plugin 1, plugin 2, plugin 3, plugin 4, plugin 5 and 1,002 more; --again copies it',
    'left out 1,007,000 points more than a day ahead of the clock, of 1/players, 2/players, 3/players, 4/players, 5/players and 1,002 more; --allow-future copies them',
  ]);
});
