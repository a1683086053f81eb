// Since when a version has led.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawHistory } from '../../../src/draw/history/draw-history.ts';
import { leaderPhrases } from '../../../src/draw/history/history-words.ts';
import { madeHistory } from './made-histories.ts';

const days = [0, 24, 48, 72];
const versions = (shares: Readonly<Record<string, readonly number[]>>, other?: readonly number[]) => ({
  ...madeHistory({ hours: days, shares, ...(other === undefined ? {} : { other }) }),
  title: 'Plugin Version',
});

test('the newest leaders are named with the day from which each has led', () => {
  assert.deepEqual(leaderPhrases(versions({ a: [9, 4, 1, 0], b: [1, 5, 3, 2], c: [0, 1, 6, 8] })), [
    'most used: c since 3 Jan 1970, before it b since 2 Jan 1970, before it a',
    'most used: c since 3 Jan 1970, before it b since 2 Jan 1970',
    'most used: c since 3 Jan 1970',
  ]);
  assert.deepEqual(leaderPhrases(versions({ a: [9, 4, 0, 7] })), ['most used: a all the time']);
});

test('nothing is said of times at which a share that is gathered may have led, or of other charts', () => {
  assert.deepEqual(leaderPhrases(versions({ a: [9, 4, 1, 9] }, [0, 5, 0, 0])), []);
  assert.deepEqual(leaderPhrases(versions({ a: [9, 4, 1, 9] }, [0, 0, 0, 10])), []);
  const later = leaderPhrases(versions({ a: [1, 4, 1, 1], b: [0, 1, 3, 2] }, [5, 0, 0, 0]));
  assert.deepEqual(later, ['most used: b since 3 Jan 1970, before it a', 'most used: b since 3 Jan 1970']);
  assert.deepEqual(leaderPhrases(madeHistory({ shares: { a: [1] } })), []);
  assert.deepEqual(leaderPhrases(versions({ a: [0, 0, 0, 0] })), []);
});

test('a picture says it below its title and in its description, as far as it has room', () => {
  const history = versions({ a: [9, 4, 1, 0], b: [1, 5, 3, 2], c: [0, 1, 6, 8] });
  const words = (width: number, height = 300) => {
    const svg = drawHistory(history, {
      width,
      height,
      theme: 'light',
      hasStyle: false,
      range: '30d',
      unit: 'percent',
    });
    assert.match(svg, /<desc [^>]*>[^<]*; most used: c since 3 Jan 1970, before it b[^<]*</);
    return /<t(?:ext|span)[^>]*>(?:, )?(most used[^<]*)</.exec(svg)?.[1];
  };
  assert.match(words(1200) ?? '', /before it b since 2 Jan 1970, before it a/);
  assert.match(words(440) ?? '', /before it b since 2 Jan 1970$/);
  assert.equal(words(360), 'most used: c since 3 Jan 1970');
  assert.equal(words(280), undefined);
  assert.equal(words(800, 180), undefined);
});
