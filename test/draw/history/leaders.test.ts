// Since when a version has led.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawHistory } from '../../../src/draw/history/draw-history.ts';
import { leaderPhrase } from '../../../src/draw/history/history-to-draw.ts';
import { madeHistory } from './made-histories.ts';

const history = {
  ...madeHistory({ hours: [0, 24, 48, 72], shares: { a: [9, 4, 1, 0], b: [1, 5, 3, 2], c: [0, 1, 6, 8] } }),
  title: 'Plugin Version',
  mostUsed: { name: 'c', since: 172_800_000 },
};

test('a chart of versions says which is the most used and since when, and no other chart does', () => {
  assert.equal(leaderPhrase(history), 'most used: c since 3 Jan 1970');
  assert.equal(leaderPhrase({ ...history, title: 'Server Software' }), undefined);
  assert.equal(leaderPhrase({ ...history, mostUsed: null }), undefined);
});

test('a picture says it below its title and in its description, as far as it has room', () => {
  const words = (width: number, height = 300) => {
    const look = { width, height, theme: 'light', hasStyle: false } as const;
    const svg = drawHistory(history, { ...look, range: '30d', unit: 'percent' });
    assert.match(svg, /<desc [^>]*>[^<]*; most used: c since 3 Jan 1970<\/desc>/);
    return /, (most used[^<]*)<\/t/.exec(svg)?.[1];
  };
  assert.equal(words(440), 'most used: c since 3 Jan 1970');
  assert.equal(words(240), undefined);
});
