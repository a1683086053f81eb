// The picture for a README: servers and players of a plugin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';

const day = 24 * 60 * 60 * 1000;
const newest = 1_763_600_000_000;

/** Half-hourly points of eight days, all of one value, with the newest one at a given time. */
const line = (value: number, last = newest) =>
  Array.from({ length: 384 }, (_, index) => [last - (383 - index) * 1_800_000, value]);

const plugins: readonly (readonly [name: string, charts: Readonly<Record<string, unknown>>])[] = [
  ['Both', { servers: line(50), players: line(70) }],
  ['Only Players', { players: line(70) }],
  ['Only Servers', { servers: line(50) }],
  ['Stopped', { servers: line(50), players: line(70, newest - 90 * day) }],
  ['No Points', { servers: undefined, players: undefined }],
  ['Pies', { servers: [{ name: 'Slice', y: 1 }], players: [{ name: 'Slice', y: 1 }] }],
  ['Bare', {}],
];

let uid = 0;
const store = await makeStore([
  softwareRecord(),
  ...plugins.flatMap(([name, charts], index) => {
    const pluginId = index + 1;
    const about = { pluginId, ...(name === 'Pies' ? { type: 'simple_pie' } : {}) };
    return [
      pluginRecord(pluginId, name),
      ...Object.entries(charts).flatMap(([chartId, data]) => [
        chartRecord(chartId, ++uid, about),
        ...(data === undefined ? [] : [dataRecord(chartId, data, { pluginId })]),
      ]),
    ];
  }),
]);
const server = await serveSite(store);

async function describe(name: string, query = ''): Promise<string | undefined> {
  const pluginId = plugins.findIndex(([one]) => one === name) + 1;
  const { status, text } = await ask(server, `/embed/${pluginId}.svg${query}`);
  assert.equal(status, 200, name);
  const elements = assertSvg(text);
  assert.ok(
    elements.some((element) => element.name === 'text' && element.text === name),
    name,
  );
  return elements.find((element) => element.name === 'desc')?.text;
}

test('both lines are shown for the last seven days', async () => {
  assert.equal(
    await describe('Both'),
    'Both: 50 servers on 20 Nov 2025; 70 players on 20 Nov 2025 (in the 7 days to 20 Nov 2025)',
  );
  assert.equal(
    await describe('Both', '?range=1d'),
    'Both: 50 servers on 20 Nov 2025; 70 players on 20 Nov 2025 (in the day to 20 Nov 2025)',
  );
});

test('a plugin with one of the lines shows that one', async () => {
  assert.match((await describe('Only Players')) ?? '', /^Only Players: 70 players on 20 Nov 2025/);
  assert.match((await describe('Only Servers')) ?? '', /^Only Servers: 50 servers on 20 Nov 2025/);
});

test('a plugin without such lines shows that there is no data', async () => {
  for (const name of ['No Points', 'Pies', 'Bare']) assert.equal(await describe(name), 'No data yet.');
});
