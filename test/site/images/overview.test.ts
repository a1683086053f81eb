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

test('previous=true draws the period before as a pale line, where there were points', async () => {
  const paleIn = async (path: string) => {
    const { text } = await ask(server, path);
    const elements = assertSvg(text);
    const pale = text.match(/<g opacity="\.4">/g) ?? [];
    const words = elements.find(({ name }) => name === 'desc')?.text ?? '';
    assert.equal(words.includes('; pale: the previous period'), pale.length > 0, path);
    return pale.length;
  };
  assert.equal(await paleIn('/embed/1.svg?previous=true'), 2);
  assert.equal(await paleIn('/embed/1/servers.svg?previous=true&range=7d'), 1);
  assert.equal(await paleIn('/embed/1/servers.svg?range=7d'), 0);
  assert.equal(await paleIn('/embed/1/servers.svg?previous=false&range=7d'), 0);
  assert.equal(await paleIn('/embed/1/servers.svg?previous=true&range=30d'), 0);
  assert.equal(await paleIn('/embed/1/servers.svg?previous=true&range=all'), 0);
  assert.equal((await ask(server, '/embed/1.svg?previous=1')).status, 400);
});
