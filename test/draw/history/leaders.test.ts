// Since when a version has led.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawHistory } from '../../../src/draw/history/draw-history.ts';
import { leaderPhrase } from '../../../src/draw/history/history-to-draw.ts';
import { madeHistory } from './made-histories.ts';

const days = [0, 24, 48, 72];
const versions = (shares: Readonly<Record<string, readonly number[]>>, other?: readonly number[]) => ({
  ...madeHistory({ hours: days, shares, ...(other === undefined ? {} : { other }) }),
  title: 'Plugin Version',
});

test('the latest leader is named with the day from which it has led', () => {
  const changing = versions({ a: [9, 4, 1, 0], b: [1, 5, 3, 2], c: [0, 1, 6, 8] });
  assert.equal(leaderPhrase(changing), 'most used: c since 3 Jan 1970');
  assert.equal(leaderPhrase(versions({ a: [9, 4, 0, 7] })), 'most used: a all the time');
  assert.equal(leaderPhrase(versions({ a: [9, 0, 1, 7], b: [1, 2, 0, 0] })), 'most used: a since 3 Jan 1970');
});

test('nothing is said of times at which a share that is gathered may have led, or of other charts', () => {
  assert.equal(leaderPhrase(versions({ a: [9, 4, 1, 9] }, [0, 5, 0, 0])), undefined);
  assert.equal(leaderPhrase(versions({ a: [9, 4, 1, 9] }, [0, 0, 0, 10])), undefined);
  const later = leaderPhrase(versions({ a: [1, 4, 1, 1], b: [0, 1, 3, 2] }, [5, 0, 0, 0]));
  assert.equal(later, 'most used: b since 3 Jan 1970');
  assert.equal(leaderPhrase(madeHistory({ shares: { a: [1] } })), undefined);
  assert.equal(leaderPhrase(versions({ a: [0, 0, 0, 0] })), undefined);
});

test('a picture says it below its title and in its description, as far as it has room', () => {
  const history = versions({ a: [9, 4, 1, 0], b: [1, 5, 3, 2], c: [0, 1, 6, 8] });
  const words = (width: number, height = 300) => {
    const look = { width, height, theme: 'light', hasStyle: false } as const;
    const svg = drawHistory(history, { ...look, range: '30d', unit: 'percent' });
    assert.match(svg, /<desc [^>]*>[^<]*; most used: c since 3 Jan 1970<\/desc>/);
    return /, (most used[^<]*)<\/t/.exec(svg)?.[1];
  };
  assert.equal(words(440), 'most used: c since 3 Jan 1970');
  assert.equal(words(240), undefined);
  assert.equal(words(800, 180), undefined);
});
