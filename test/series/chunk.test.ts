// Chunks: their limits, their coding, and their reaction to damage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import { type Points, pointsOf } from '../../src/model/points.ts';
import { checksumBytes, withChecksum } from '../../src/series/checksum.ts';
import {
  type Chunk,
  decodeChunk,
  decodeLatest,
  decodeRuns,
  encodeChunks,
  extendChunk,
  lastPointOf,
  lastTimestampOf,
  maxConstantPointsPerChunk,
  maxPointsPerChunk,
  pointCountOf,
} from '../../src/series/chunk.ts';
import { mergeIntoChunks } from '../../src/series/merge-chunks.ts';
import { verifyChunk } from '../../src/series/verify-chunk.ts';
import { anyEntries, anyRun, type Entry, entriesIn, entriesOf, orderedPoints } from '../support/points.ts';
import { fc } from '../support/seed.ts';

const constantForm = 1;
const doublesForm = 2;
const decimalsForm = 3;

function onlyChunk(points: Points): Chunk {
  const [chunk, ...others] = encodeChunks(points);
  assert.ok(chunk !== undefined && others.length === 0);
  return chunk;
}

function lineOf(values: readonly number[]): Points {
  return pointsOf(values.map((value, index): Entry => [1000 + index * 10, value]));
}

test('no points make no chunks', () => {
  assert.deepEqual(encodeChunks(lineOf([])), []);
  assert.deepEqual(entriesOf(decodeLatest([], 10)), []);
});

test('a chunk of different values ends at its limit, one of a single value at a larger one', () => {
  const counts = (values: readonly number[]) => encodeChunks(lineOf(values)).map(pointCountOf);
  const rising = Array.from({ length: 2 * maxPointsPerChunk + 1 }, (_, index) => index);
  assert.deepEqual(counts(rising), [maxPointsPerChunk, maxPointsPerChunk, 1]);
  const flat = new Array(maxConstantPointsPerChunk + 1).fill(3);
  assert.deepEqual(counts(flat), [maxConstantPointsPerChunk, 1]);
  assert.deepEqual(counts([1, ...flat.slice(0, 600)]), [maxPointsPerChunk, 89]);
  assert.deepEqual(counts([...flat.slice(0, 600), 1]), [600, 1]);
});

test('values determine the form: one value, decimals of up to four places, or doubles', () => {
  const forms: ReadonlyArray<readonly [form: number, values: readonly number[]]> = [
    [constantForm, [5]],
    [constantForm, [1e308, 1e308]],
    [decimalsForm, [1, 2]],
    [decimalsForm, [-1.5, 2.25, 0.0001]],
    [decimalsForm, [2 ** 50, -(2 ** 50)]],
    [doublesForm, [1, 0.00001]],
    [doublesForm, [1, 2 ** 50 + 1]],
    [doublesForm, [1, Math.PI]],
    [doublesForm, [5e-324, 1e308]],
  ];
  for (const [form, values] of forms) {
    const chunk = onlyChunk(lineOf(values));
    assert.equal(chunk.bytes[0], form, String(values));
    assert.deepEqual([...decodeChunk(chunk).values], values);
  }
});

test('a chunk changes to the form that a new value needs', () => {
  const steps: ReadonlyArray<readonly [value: number, form: number]> = [
    [7, constantForm],
    [7, constantForm],
    [8, decimalsForm],
    [8.5, decimalsForm],
    [-1e9, decimalsForm],
    [1 / 3, doublesForm],
    [7, doublesForm],
    [1e300, doublesForm],
  ];
  let chunk: Chunk | undefined;
  const entries: Entry[] = [];
  for (const [index, [value, form]] of steps.entries()) {
    const entry: Entry = [1000 + index * 10, value];
    entries.push(entry);
    const [extended, ...others] =
      chunk === undefined ? encodeChunks(pointsOf([entry])) : extendChunk(chunk, pointsOf([entry]));
    assert.ok(extended !== undefined && others.length === 0);
    assert.equal(extended.bytes[0], form, String(value));
    assert.deepEqual(entriesOf(decodeChunk(extended)), entries);
    assert.equal(lastTimestampOf(extended), entry[0]);
    chunk = extended;
  }
});

test('a full chunk is not changed, and a new one follows', () => {
  const full = onlyChunk(lineOf(Array.from({ length: maxPointsPerChunk }, (_, index) => index)));
  const next = pointsOf([[9_000_000, 1]]);
  assert.deepEqual(extendChunk(full, next), [full, ...encodeChunks(next)]);
  const flat = onlyChunk(lineOf(new Array(maxConstantPointsPerChunk).fill(1)));
  assert.deepEqual(extendChunk(flat, next).map(pointCountOf), [maxConstantPointsPerChunk, 1]);
});

test('any number of latest points are the last of all points', () => {
  fc.assert(
    fc.property(fc.oneof(anyEntries, anyRun), fc.nat({ max: 600 }), (batch, latestCount) => {
      const chunks = encodeChunks(orderedPoints(entriesIn(batch)));
      const all = chunks.flatMap((chunk) => entriesOf(decodeChunk(chunk)));
      for (const count of [1, latestCount])
        assert.deepEqual(entriesOf(decodeLatest(chunks, count)), count === 0 ? [] : all.slice(-count));
      const last = chunks.at(-1);
      if (last === undefined) return;
      const { timestamp, value } = lastPointOf(last);
      assert.deepEqual([timestamp, value], all.at(-1));
    }),
  );
});

test('many points come in runs of bounded size, without unwanted ones', () => {
  const values = Array.from({ length: 40_000 }, (_, index) => (index < 9000 ? 7 : index % 13));
  const chunks = encodeChunks(lineOf(values));
  const all = entriesOf(lineOf(values));
  for (const latestCount of [0, 1, 8192, 8193, 20_000, 31_000, 31_001, 39_999, 40_000, 50_000]) {
    const runs = Array.from(decodeRuns(chunks, latestCount), entriesOf);
    assert.ok(runs.every((run) => run.length <= 8192 && (run.length > 0 || latestCount === 0)));
    assert.deepEqual(runs.flat(), latestCount === 0 ? [] : all.slice(-latestCount));
  }
  assert.deepEqual(Array.from(decodeRuns([], 10_000), entriesOf), [[]]);
});

test('the last timestamp and the count are read without decoding', () => {
  fc.assert(
    fc.property(fc.oneof(anyEntries, anyRun), (batch) => {
      for (const chunk of encodeChunks(orderedPoints(entriesIn(batch)))) {
        const { timestamps } = decodeChunk(chunk);
        assert.equal(lastTimestampOf(chunk), timestamps.at(-1));
        assert.equal(pointCountOf(chunk), timestamps.length);
      }
    }),
    { numRuns: 100 },
  );
});

const change = fc.record({
  at: fc.nat(),
  byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
});
const damage = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  cut: fc.option(fc.nat(), { nil: undefined }),
  added: fc.uint8Array({ maxLength: 20 }),
});

test('a damaged chunk is refused or has the points it counts, and never hangs', () => {
  fc.assert(
    fc.property(fc.oneof(anyEntries, anyRun), damage, (batch, { changes, cut, added }) => {
      const [chunk] = encodeChunks(orderedPoints(entriesIn(batch)));
      if (chunk === undefined) return;
      const kept = cut === undefined ? chunk.bytes : chunk.bytes.slice(0, cut % (chunk.bytes.length + 1));
      const bytes = Uint8Array.from([...kept, ...added]);
      for (const { at, byte } of changes) if (bytes.length > 0) bytes[at % Math.min(bytes.length, 40)] = byte;
      const damaged = { firstTimestamp: chunk.firstTimestamp, bytes };
      const fault = verifyChunk(damaged);
      assert.ok(fault === undefined || typeof fault === 'string');
      const points = unlessDamaged(() => decodeChunk(damaged));
      if (points !== undefined) {
        assert.equal(points.timestamps.length, pointCountOf(damaged));
        assert.equal(points.values.length, pointCountOf(damaged));
      } else assert.ok(fault !== undefined);
      const latest = unlessDamaged(() => decodeLatest([damaged], 3));
      assert.ok(latest === undefined || latest.timestamps.length === Math.min(3, pointCountOf(damaged)));
      const later = pointsOf([[chunk.firstTimestamp + 1, 5]]);
      unlessDamaged(() => mergeIntoChunks([damaged], later));
      unlessDamaged(() => extendChunk(damaged, pointsOf([[8.64e15, 5.5]])));
    }),
    { numRuns: 1200 },
  );
});

test('a chunk with endless runs of timestamps is refused when it is extended', () => {
  // The count of runs is 2^49-1, but the bytes end after it.
  const bytes = Uint8Array.of(decimalsForm, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
  const chunk = { firstTimestamp: 0, bytes };
  assert.throws(() => lastTimestampOf(chunk), isDamage);
  assert.throws(() => extendChunk(chunk, pointsOf([[10, 1]])), isDamage);
});

test('verification names the fault', () => {
  const good = onlyChunk(lineOf([1, 2, 3]));
  assert.equal(verifyChunk(good), undefined);
  assert.equal(verifyChunk(good, 1021), undefined);
  assert.equal(verifyChunk(good, 1020), 'the chunk from 1000 on reaches to 1020, into the one from 1020 on');
  for (const timestamp of [-5, 8.64e15 + 2]) {
    const fault = `the chunk from ${timestamp} on holds a timestamp out of range`;
    assert.equal(verifyChunk(onlyChunk(pointsOf([[timestamp, 1]]))), fault);
  }
  const infinite = onlyChunk(lineOf([Number.POSITIVE_INFINITY]));
  assert.equal(verifyChunk(infinite), 'the chunk from 1000 on holds a value that is no finite number');
  const unknown = Uint8Array.from(good.bytes).fill(9, 0, 1);
  const rechecked = withChecksum(unknown, unknown.length - checksumBytes, good.firstTimestamp);
  assert.equal(
    verifyChunk({ ...good, bytes: rechecked }),
    'the chunk from 1000 on is damaged: it has the unknown form 9',
  );
  const moved = { ...good, firstTimestamp: 1001 };
  assert.equal(verifyChunk(moved), 'the chunk from 1001 on is damaged: its checksum is wrong');
  const empty = { firstTimestamp: 0, bytes: new Uint8Array(0) };
  assert.equal(verifyChunk(empty), 'the chunk from 0 on is damaged: it cannot hold NaN points');
});

test('when two chunks are decoded together, the damaged one is named', () => {
  const rising = Array.from({ length: 2 * maxPointsPerChunk }, (_, index) => index * index);
  const [first, second] = encodeChunks(lineOf(rising));
  assert.ok(first !== undefined && second !== undefined);
  // The bits end too early, but the checksum is right.
  const cut = ({ firstTimestamp, bytes }: Chunk) => ({
    firstTimestamp,
    bytes: withChecksum(bytes, bytes.length / 2, firstTimestamp),
  });
  const damagedAt = (timestamp: number) => (error: unknown) =>
    isDamage(error) && (error as AppError).message.startsWith(`the chunk from ${timestamp} on is damaged`);
  assert.throws(() => decodeLatest([cut(first), second], 1024), damagedAt(first.firstTimestamp));
  assert.throws(() => decodeLatest([first, cut(second)], 1024), damagedAt(second.firstTimestamp));
});

test('a flip of any bit is detected, in every form', () => {
  const lines = [lineOf([7, 7, 7]), lineOf([1, 20, 3]), lineOf([0.1, 0.25, 1e-9])];
  for (const chunk of lines.map(onlyChunk)) {
    for (let bit = 0; bit < chunk.bytes.length * 8; bit++) {
      const bytes = Uint8Array.from(chunk.bytes);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.match(verifyChunk({ ...chunk, bytes }) ?? '', /is damaged: ./, `bit ${bit}`);
    }
  }
});

/** The result, or undefined for the one error that damage may cause. */
function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable' && /is damaged: ./.test(error.message);
}
