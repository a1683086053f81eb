// Memory that is lent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LentRoom } from '../../src/series/lent-room.ts';

test('a room is the same memory each time, and larger if need be', () => {
  using room = new LentRoom();
  const first = room.make(100);
  assert.equal(first.length, 100);
  assert.equal(room.make(50).buffer, first.buffer);
  assert.equal(room.make(10_000).length, 10_000);
});

test('rooms that are lent at once share nothing', () => {
  using one = new LentRoom();
  using other = new LentRoom();
  one.make(10).fill(1);
  other.make(10).fill(2);
  assert.notEqual(one.make(10).buffer, other.make(10).buffer);
});

test('memory that is given back is lent again, unless it is much', () => {
  const lent = (count: number) => {
    using room = new LentRoom();
    return room.make(count).buffer;
  };
  const buffer = lent(1000);
  assert.equal(lent(1000), buffer);
  const large = lent(1_000_000);
  assert.notEqual(lent(1000), large);
});

test('a room that was given back no longer has the memory', () => {
  const gone = new LentRoom();
  const { buffer } = gone.make(10);
  gone[Symbol.dispose]();
  using next = new LentRoom();
  assert.equal(next.make(10).buffer, buffer);
  assert.notEqual(gone.make(10).buffer, buffer);
});
