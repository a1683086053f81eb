// Times in the zone of a reader; usually in UTC.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatDate, formatDateTime, formatDay } from '../../src/draw/format.ts';
import { timeAxis } from '../../src/draw/line/time-axis.ts';
import { setReaderZone, timeOfWall, wallTime } from '../../src/draw/reader-zone.ts';
import { fc } from '../support/seed.ts';

const hour = 60 * 60 * 1000;
/** The change to summer time in Berlin: 02:00 becomes 03:00. */
const change = Date.UTC(2026, 2, 29, 1);
const berlin = (timestamp: number) => (timestamp < change ? hour : 2 * hour);

afterEach(() => setReaderZone(() => 0));

test('times have the zone of the reader, which they name, and days of steps are those of UTC', () => {
  const time = Date.UTC(2026, 5, 30, 23, 30);
  assert.equal(formatDateTime(time), '30 Jun 2026, 23:30 UTC');
  setReaderZone(berlin);
  assert.equal(formatDateTime(time), '1 Jul 2026, 01:30 GMT+2');
  assert.deepEqual([formatDate(time), formatDay(time)], ['1 Jul 2026', '30 Jun 2026']);
  assert.equal(formatDateTime(change - 1), '29 Mar 2026, 01:59 GMT+1');
  setReaderZone(() => -3.5 * hour);
  assert.equal(formatDateTime(time), '30 Jun 2026, 20:00 GMT−3:30');
});

test('the ticks of an axis are at the midnights of the reader, also where the clock changes', () => {
  setReaderZone(berlin);
  const place = { left: 0, right: 1000, labelEnd: 1000, textSize: 12 };
  const [from, to] = [Date.UTC(2026, 2, 27), Date.UTC(2026, 3, 2)];
  const { ticks, timestampAt } = timeAxis(from, to, place);
  const times = ticks.map(({ at, text }) => [text, new Date(timestampAt(at)).toISOString().slice(5, 16)]);
  const days = times.filter(([text = '']) => /^(29|30|31) Mar$/.test(text));
  assert.deepEqual(days, [
    ['29 Mar', '03-28T23:00'],
    ['30 Mar', '03-29T22:00'],
    ['31 Mar', '03-30T22:00'],
  ]);
});

test('the time of a wall clock is the one that it was made from, but in the hour that is there twice', () => {
  setReaderZone(berlin);
  const times = fc.integer({ min: change - 100 * hour, max: change + 100 * hour });
  fc.assert(fc.property(times, (time) => assert.equal(timeOfWall(wallTime(time)), time)));
});
