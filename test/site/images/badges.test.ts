// Badges: their text, their style, and the schema of shields.io's endpoint badge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { serveImages } from './support/image-server.ts';

const server = await serveImages();

async function endpoint(path: string): Promise<Record<string, unknown>> {
  const { status, headers, text } = await ask(server, path);
  assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
  return JSON.parse(text);
}

test('the endpoint badge has the members that shields.io accepts, and no others', async () => {
  assert.deepEqual(await endpoint('/badge/1/players.json'), {
    schemaVersion: 1,
    label: 'Title of players',
    message: '1.3k',
    color: 'blue',
    cacheSeconds: 300,
  });
  assert.deepEqual(await endpoint('/badge/1/players.json?label=on%20servers&color=F0a&style=plastic'), {
    schemaVersion: 1,
    label: 'on servers',
    message: '1.3k',
    color: '#f0a',
    cacheSeconds: 300,
  });
});

test('the message is the latest value of a line, and the largest slice, country or bar of others', async () => {
  const messages: Record<string, unknown> = {};
  for (const chartId of [
    'players',
    'v1.2',
    'a.png',
    '12',
    'map',
    '__proto__',
    'constructor',
    'heat',
    'empty',
  ])
    messages[`${chartId} `] = (await endpoint(`/badge/1/${chartId}.json`))['message'];
  assert.deepEqual(messages, {
    'players ': '1.3k',
    'v1.2 ': 'One 75%',
    'a.png ': 'One 100%',
    '12 ': 'Germany 75%',
    'map ': 'Germany 75%',
    '__proto__ ': 'Bar 100%',
    'constructor ': 'Bar 100%',
    'heat ': 'no data',
    'empty ': 'no data',
  });
});

test('label, colour and style can be chosen', async () => {
  const heights = { flat: '20', 'flat-square': '20', plastic: '18', 'for-the-badge': '28' };
  for (const [style, height] of Object.entries(heights)) {
    const { text } = await ask(server, `/badge/1/players.svg?label=abc&color=%23A0B1c2&style=${style}`);
    const elements = assertSvg(text);
    assert.equal(elements[0]?.attributes['height'], height);
    assert.match(text, style === 'for-the-badge' ? /ABC/ : /abc/);
    assert.match(text, /fill="#a0b1c2"/);
  }
  const { text } = await ask(server, '/badge/1/players.svg?color=brightgreen');
  assert.match(text, /fill="#4b0"/);
});

test('a badge without a value is grey, whatever the colour parameter', async () => {
  assert.equal((await endpoint('/badge/1/empty.json?color=red'))['color'], 'lightgrey');
});
