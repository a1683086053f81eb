// The limits of query values: beyond them 400, with an image that names the parameter, its value and the allowed ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSvg } from '../../support/read-svg.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { serveImages } from './support/image-server.ts';

const server = await serveImages();

const wholeNumbers = [
  '',
  '0',
  '-1',
  '+300',
  '3e2',
  '300.0',
  '0x100',
  '300px',
  'NaN',
  'Infinity',
  '9'.repeat(40),
];

const faults: readonly (readonly [path: string, parameter: string, values: readonly string[]])[] = [
  ['/embed/1/players.svg', 'theme', ['black', 'LIGHT', 'light,dark', '__proto__']],
  ['/embed/1/players.svg', 'width', [...wholeNumbers.slice(1), '199', '1601']],
  ['/embed/1/players.svg', 'height', [...wholeNumbers.slice(1), '99', '1001']],
  ['/embed/1/players.svg', 'range', ['2d', '30', 'ALL', 'constructor', '1d;7d']],
  ['/embed/1/players.svg', 'title', ['x'.repeat(201), '😀'.repeat(201), 'a\nb', '\u0000', 'a\u009bb']],
  ['/embed/1/players.png', 'scale', [...wholeNumbers.slice(1), '4', '1.5']],
  ['/embed/1.svg', 'width', ['199']],
  ['/signatures/bukkit/Twice.svg', 'height', ['1001']],
  ['/badge/1/players.svg', 'label', ['x'.repeat(101), 'a\tb']],
  ['/badge/1/players.svg', 'color', ['mauve', '#12', 'ff00ff00', 'rgb(1,2,3)', 'toString', 'url(#a)', '"/>']],
  ['/badge/1/players.svg', 'style', ['social', 'FLAT', 'constructor']],
];

test('a value out of bounds is refused, and so is one given twice', async () => {
  for (const [path, parameter, values] of faults) {
    const pair = `${parameter}=&${parameter}=`;
    const queries = values.map((value) => `${new URLSearchParams({ [parameter]: value })}`);
    for (const query of [...queries, pair]) {
      const received = await ask(server, `${path}?${query}`);
      assert.equal(received.status, 400, query);
      assert.equal(received.headers['cache-control'], 'no-store');
      if (path.endsWith('.png')) assert.equal(received.headers['content-type'], 'image/png');
      else assertSvg(received.text);
    }
  }
});

test('is shown in the image with its parameter and the allowed values', async () => {
  const cases: readonly (readonly [query: string, sentence: string])[] = [
    ['width=5', 'width must be a whole number from 200 to 1600; got "5"'],
    ['range=2d', 'range must be 1d, 7d, 30d, 90d, 1y or all; got "2d"'],
    ['theme=black', 'theme must be light, dark, auto or transparent; got "black"'],
    [
      'height=100&height=100',
      'height must be a whole number from 100 to 1000, given once; it was given more than once',
    ],
  ];
  for (const [query, sentence] of cases) {
    const { text } = await ask(server, `/embed/1/players.svg?${query}`);
    const description = readSvg(text).find(({ name }) => name === 'desc');
    assert.equal(description?.text, sentence);
  }
  const { text } = await ask(server, '/badge/1/players.json?style=x', { headers: { Accept: 'image/*' } });
  const { title, detail } = JSON.parse(text);
  assert.deepEqual(
    [title, detail],
    ['Malformed query', 'style must be flat, flat-square, plastic or for-the-badge; got "x"'],
  );
});

test('a title replaces that of the chart', async () => {
  const { text } = await ask(server, '/embed/1/players.svg?title=Spieler%20%26%20mehr');
  assert.ok(readSvg(text).some((element) => element.name === 'text' && element.text === 'Spieler & mehr'));
  assert.doesNotMatch(text, /Title of players/);
});
