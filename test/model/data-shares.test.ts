// The shares in the data of charts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharesIn, sharesOf } from '../../src/model/data-shares.ts';
import { trustedJson } from '../../src/model/json-text.ts';

test('inner shares belong to the first outer share that names them, so that there are never more than the data has', () => {
  const outer = Array.from({ length: 9000 }, (_, index) => ({ name: `${index}`, y: index, drilldown: 'a' }));
  const inner = Array.from({ length: 25_000 }, (_, index) => [`${index}`, 1]);
  const data = { seriesData: outer, drilldownData: [{ name: '', id: 'a', data: inner }] };
  for (const shares of [
    sharesOf('drilldown_pie', trustedJson(JSON.stringify(data))),
    sharesIn('drilldown', data),
  ]) {
    assert.equal(shares.length, 25_000 + 8999);
    assert.deepEqual(shares[0], [{ group: '0', name: '0' }, 1]);
    assert.deepEqual(shares.at(-1), [{ group: '8999', name: '8999' }, 8999]);
  }
});
