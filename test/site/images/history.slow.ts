// Histories with far more names than a picture can show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';

const hour = 3_600_000;
const newest = Date.UTC(2026, 5, 30, 18);
const server = await serveSite(
  await makeStore([
    softwareRecord(),
    pluginRecord(1, 'X'),
    chartRecord('same', 1, { type: 'simple_pie' }),
    chartRecord('changing', 2, { type: 'simple_pie' }),
    // The same 2,000 names at each time.
    ...Array.from({ length: 24 }, (_, index) => {
      const data = Array.from({ length: 2000 }, (_, rank) => ({ name: `name ${rank}`, y: rank + index }));
      return dataRecord('same', data, { at: newest - index * hour });
    }),
    // 2,000 other names at each time.
    ...Array.from({ length: 60 }, (_, index) =>
      historyRecord(
        'changing',
        [newest - index * hour],
        Array.from({ length: 2000 }, (_, rank) => ({
          name: `${index} ${rank}`.padEnd(200, 'x'),
          values: [1 + rank],
        })),
      ),
    ),
  ]),
);

test('of two thousand names the largest twelve and the others are drawn, and small requests overtake the picture', async () => {
  const order: string[] = [];
  const picture = ask(server, '/embed/1/same.svg?view=history');
  void picture.then(() => order.push('picture'));
  const list = ask(server, '/api/v1/plugins/1');
  void list.then(() => order.push('list'));
  const [{ status, text }] = await Promise.all([picture, list]);
  assert.equal(status, 200);
  const elements = assertSvg(text);
  assert.equal(
    elements.filter(({ name, attributes }) => name === 'path' && attributes['d']?.endsWith('Z')).length,
    13,
  );
  assert.match(elements.find(({ name }) => name === 'desc')?.text ?? '', /: name 1999 .* and 1,997 more; /);
  assert.ok(text.length < 20_000, String(text.length));
  assert.deepEqual(order, ['list', 'picture']);
});

test('of a hundred thousand names the newest part is drawn, and the title says so', async () => {
  const { status, text } = await ask(server, '/embed/1/changing.svg?view=history');
  assert.equal(status, 200);
  assert.ok(
    assertSvg(text).some((element) => element.name === 'text' && element.text === 'changing (newest part)'),
  );
  assert.ok(text.length < 30_000, String(text.length));
});

test('the CSV of a hundred thousand names has the newest part, and its last row says so', async () => {
  const { status, text } = await ask(server, '/plugin/bukkit/X/1/changing.csv?view=history');
  assert.equal(status, 200);
  const rows = text.trimEnd().split('\r\n');
  assert.match(rows.at(-2) ?? '', /^2026-06-30T18:00:00\.000Z,/);
  assert.match(rows.at(-1) ?? '', /^\(cut here: /);
});
