// Names of shares that are long: what is exported can be imported again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartLine, linesIn, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('two times of many other names, each near the limit of a line, stay two lines', async () => {
  using directory = temporaryDirectory();
  const history = (time: number) => ({
    record: 'history',
    pluginId: 7,
    chartId: 'os',
    times: [time],
    series: Array.from({ length: 900 }, (_, index) => ({
      name: `${time} ${index} ${'x'.repeat(10_000)}`,
      values: [1],
    })),
  });
  const text = pastText([
    ...[softwareLine(), pluginLine(), chartLine({ chartId: 'os', type: 'simple_pie' })],
    ...[1000, 2000].map((time) => JSON.stringify(history(time))),
  ]);
  const [one, other] = [directory.at('one.db'), directory.at('other.db')];
  await importText(one, text);
  const exported = await exportText(one);
  assert.equal(linesIn(exported).filter((line) => line.includes('"record":"history"')).length, 2);
  await importText(other, exported);
  assert.equal(await exportText(other), exported);
});
