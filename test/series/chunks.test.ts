// Chunks as rows of a store: whatever is merged into them reads back exactly, and damage is found out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAppError } from '../../src/model/app-error.ts';
import {
  type Columns,
  columnsAt,
  lineOf,
  orderColumns,
  pointsOf,
  sliceColumns,
} from '../../src/model/columns.ts';
import { mergeColumns } from '../../src/model/merge-columns.ts';
import {
  type ChartOfChunks,
  type Chunk,
  chunkLimits,
  countTimes,
  decodeChunk,
  decodeLatest,
  encodeChunk,
  lastOf,
  maxRunPoints,
  timeCountOf,
  verifyChunk,
} from '../../src/series/chunk.ts';
import { type ChunkChange, cutChunk, mergeIntoChunks } from '../../src/series/merge-chunks.ts';
import { maxNumbersBytes, readNumbers, writeNumbers } from '../../src/series/numbers.ts';
import { maxVarintBytes, readVarint, unzigzag, writeVarint, zigzag } from '../../src/series/times.ts';
import {
  anyEntries,
  anyRun,
  anyTimestamp,
  anyValue,
  type Entry,
  entriesIn,
  entriesOf,
  expectedEntries,
  orderedPoints,
  randomFrom,
} from '../support/points.ts';
import { fc } from '../support/seed.ts';

const uid = 7;
const lines: ChartOfChunks = { uid, isLine: true };
const shares: ChartOfChunks = { uid, isLine: false };
const halfHourMs = 1_800_000;
const start = 1_479_799_800_000;

/**
 * The chunks of one chart as a store keeps them: rows by first timestamp, changed only by the result of a
 * merge.
 */
class Rows {
  readonly #isLine: boolean;
  #rows = new Map<number, Uint8Array>();

  constructor(isLine: boolean) {
    this.#isLine = isLine;
  }

  get chunks(): Chunk[] {
    return [...this.#rows]
      .map(([firstTimestamp, bytes]) => ({ chartUid: uid, firstTimestamp, bytes }))
      .sort((a, b) => a.firstTimestamp - b.firstTimestamp);
  }

  get sizeBytes(): number {
    return this.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  merge(...histories: readonly Columns[]): ChunkChange {
    const times = histories.flatMap((history) => [...history.times]);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    const { chunks } = this;
    const from =
      (chunks.findLast(({ firstTimestamp }) => firstTimestamp <= first) ?? chunks[0])?.firstTimestamp ?? 0;
    const touched = chunks.filter(
      ({ firstTimestamp }) => firstTimestamp >= from && firstTimestamp <= Math.max(from, last),
    );
    const change = mergeIntoChunks({ uid, isLine: this.#isLine }, touched, histories);
    const written = new Set(change.written.map(({ firstTimestamp }) => firstTimestamp));
    assert.equal(written.size, change.written.length, 'a row is written twice');
    for (const key of change.removed) {
      assert.ok(!written.has(key), `${key} is removed and written`);
      assert.ok(this.#rows.delete(key), `${key} is removed but not there`);
    }
    for (const { firstTimestamp, bytes } of change.written) this.#rows.set(firstTimestamp, bytes);
    return change;
  }

  /** All points of a line. */
  get points(): Entry[] {
    return this.chunks.flatMap((chunk) => entriesOf(decodeChunk(chunk)));
  }

  assertSound(): void {
    const { chunks } = this;
    for (const [index, chunk] of chunks.entries()) {
      assert.equal(verifyChunk(chunk, chunks[index + 1]?.firstTimestamp), undefined);
      const { times, series } = decodeChunk(chunk);
      assert.equal(times.length, timeCountOf(chunk));
      assert.equal(lastOf(chunk).time, times.at(-1));
      assert.ok(times.length <= chunkLimits.maxTimes);
      assert.ok(times.length === 1 || times.length * series.length <= chunkLimits.maxCells);
    }
  }
}

/** Compares without building a diff of thousands of lines. */
function sameEntries(entries: readonly Entry[], expected: readonly Entry[]): void {
  assert.equal(entries.length, expected.length);
  for (const [index, entry] of entries.entries()) {
    const [timestamp, value] = expected[index] ?? [];
    if (entry[0] !== timestamp || !Object.is(entry[1] + 0, value))
      assert.deepEqual({ index, entry }, { index, entry: expected[index] });
  }
}

describe('numbers', () => {
  test('up to 2^53 survive as a varint, in at most eight bytes', () => {
    const boundaries = Array.from({ length: 54 }, (_, bits) => [
      2 ** bits - 1,
      2 ** bits,
      2 ** bits + 1,
    ]).flat();
    const check = (integer: number) => {
      const bytes = new Uint8Array(maxVarintBytes);
      const end = writeVarint(bytes, 0, integer);
      const cursor = { bytes, at: 0 };
      assert.equal(readVarint(cursor), integer);
      assert.equal(cursor.at, end);
      if (integer > 2 ** 52) return;
      for (const one of [integer, -integer]) assert.equal(unzigzag(zigzag(one)) + 0, one + 0);
    };
    for (const integer of boundaries.filter((one) => one <= 2 ** 53)) check(integer);
    fc.assert(fc.property(fc.maxSafeNat(), check));
    for (const bytes of [[], [0x80], new Array(20).fill(0x80)])
      assert.equal(readVarint({ bytes: Uint8Array.from(bytes), at: 0 }), Number.NaN);
  });

  test('of any size, alone or together, read back exactly, and no byte after them is used', () => {
    const close = fc.array(fc.integer({ min: 900, max: 1100 }), { minLength: 1, maxLength: 600 });
    const wide = fc.array(fc.integer({ min: -(2 ** 24), max: 2 ** 24 }), { minLength: 1, maxLength: 50 });
    const any = fc.array(anyValue, { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(
        fc.oneof(
          close,
          wide,
          any,
          anyRun.map((run) => entriesIn(run).map(([, value]) => value)),
        ),
        (values) => {
          const bytes = new Uint8Array(maxNumbersBytes(values.length)).fill(0xff);
          const end = writeNumbers(Float64Array.from(values), bytes, 0);
          bytes.fill(0xff, end);
          const read = new Float64Array(values.length);
          const cursor = { bytes, at: 0 };
          readNumbers(cursor, read);
          assert.equal(cursor.at, end);
          assert.deepEqual([...read], values);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('a line', () => {
  test('is a map of its timestamps, however it is merged', () => {
    const batch = fc.oneof({ weight: 2, arbitrary: anyRun }, { weight: 1, arbitrary: anyEntries });
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 6 }), fc.nat(), (batches, latest) => {
        const rows = new Rows(true);
        const parts = batches.map(entriesIn);
        for (const entries of parts) if (entries.length > 0) rows.merge(orderedPoints(entries));
        rows.assertSound();
        const expected = expectedEntries(...parts);
        sameEntries(rows.points, expected);
        for (const count of [1, 511, 512, 513, maxRunPoints + 1, 1 + (latest % (expected.length + 1))]) {
          const runs = Array.from(decodeLatest(rows.chunks, count), entriesOf);
          assert.ok(runs.every(({ length }) => length > 0 && length <= maxRunPoints));
          sameEntries(runs.flat(), expected.slice(-count));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('changes no row when it has the points already', () => {
    fc.assert(
      fc.property(fc.oneof(anyRun, anyEntries), fc.nat(), fc.nat(), (batch, a, b) => {
        const points = orderedPoints(entriesIn(batch));
        const pointCount = points.times.length;
        if (pointCount === 0) return;
        const rows = new Rows(true);
        rows.merge(points);
        const from = a % pointCount;
        const again = sliceColumns(points, from, from + 1 + (b % (pointCount - from)));
        assert.deepEqual(rows.merge(again), { removed: [], written: [] });
      }),
      { numRuns: 100 },
    );
  });

  test('that grows point by point takes the space of one written at once, 1.4 bytes a point if it is busy', () => {
    const points = busyLine(5000);
    const [grown, whole] = [new Rows(true), new Rows(true)];
    for (let index = 0; index < 5000; index++) grown.merge(sliceColumns(points, index, index + 1));
    whole.merge(points);
    sameEntries(grown.points, entriesOf(points));
    assert.ok(grown.sizeBytes <= 1.05 * whole.sizeBytes);
    assert.ok(whole.sizeBytes <= 1.4 * 5000, `${whole.sizeBytes / 5000} bytes a point`);
  });
});

/** Server counts around a thousand, with a daily rhythm. */
function busyLine(pointCount: number): Columns {
  const random = randomFrom(1);
  const timestamps = Float64Array.from({ length: pointCount }, (_, index) => start + index * halfHourMs);
  const values = timestamps.map((_, index) => {
    const noise = (random() + random() + random() - 1.5) * 2 * Math.sqrt(1000);
    return Math.round(1000 + 200 * Math.sin((index / 48) * 2 * Math.PI) + noise);
  });
  return lineOf(timestamps, values);
}

/** The content of histories: the shares that are not 0, by time. */
function saidBy(histories: Iterable<Columns>): Map<number, Map<string, number>> {
  const said = new Map<number, Map<string, number>>();
  for (const { times, series } of histories)
    for (const [index, time] of times.entries()) {
      const entry = series.map(
        ({ group, name, values }) => [JSON.stringify([group, name]), values[index] ?? 0] as const,
      );
      said.set(time, new Map(entry.filter(([, value]) => value !== 0)));
    }
  return new Map([...said].sort(([a], [b]) => a - b));
}

const anyName = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '', '__proto__', '1', '\uffff'),
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
);

function anyHistory(isGrouped: boolean): fc.Arbitrary<Columns> {
  const share = fc
    .tuple(isGrouped ? anyName : fc.constant(null), anyName)
    .map(([group, name]) => ({ group, name }));
  const value = fc.oneof(fc.nat(50), fc.constant(0), anyValue);
  return fc
    .tuple(
      fc.uniqueArray(share, { maxLength: 6, selector: (one) => JSON.stringify(one) }),
      fc.array(fc.oneof(fc.nat(3000), anyTimestamp), { minLength: 1, maxLength: 12 }),
    )
    .chain(([names, times]) => {
      const column = fc.array(value, { minLength: times.length, maxLength: times.length });
      return fc.array(column, { minLength: names.length, maxLength: names.length }).map((columns) =>
        orderColumns({
          times: Float64Array.from(times),
          series: names.map((one, rank) => ({ ...one, values: Float64Array.from(columns[rank] ?? []) })),
        }),
      );
    });
}

const someHistories = fc
  .boolean()
  .chain((isGrouped) => fc.array(anyHistory(isGrouped), { minLength: 1, maxLength: 5 }));

describe('a history', () => {
  test('says what its parts say, the last of them at a time that several have, however they are merged', () => {
    fc.assert(
      fc.property(someHistories, fc.integer({ min: 1, max: 5 }), (parts, atOnce) => {
        const rows = new Rows(false);
        for (let at = 0; at < parts.length; at += atOnce) {
          rows.merge(...parts.slice(at, at + atOnce));
          rows.assertSound();
        }
        const decoded = rows.chunks.map(decodeChunk);
        assert.deepEqual(saidBy(decoded), saidBy(parts));
        const rules = { isLine: false, maxTimes: 3, maxShares: 4, maxCells: 9, maxNames: 8 };
        assert.deepEqual([...mergeColumns(decoded, rules)], [...mergeColumns(parts, rules)]);
        assert.deepEqual(rows.merge(...decoded), { removed: [], written: [] });
      }),
    );
  });

  test('with names that are not well-formed, as 0.3.0 took them, is read with the escapes in their place', () => {
    const stored = ['\0', '\ud83d', '\ude00\ud83d', '😀', '\\ud800', 'é'];
    const read = ['\\u0000', '\\ud83d', '\\ude00\\ud83d', '😀', '\\ud800', 'é'];
    for (const group of [null, '\udfff'])
      assert.deepEqual(
        decodeChunk(
          encodeChunk(shares, {
            times: Float64Array.of(start),
            series: stored.map((name) => ({ group, name, values: Float64Array.of(1) })),
          }),
        ).series.map(({ values: _, ...name }) => name),
        read.map((name) => ({ group: group && '\\udfff', name })),
      );
  });

  test('that grows time by time takes the space of one written at once, 0.95 bytes a value', () => {
    const history = hourly(2000, 30, randomFrom(3));
    const [grown, whole] = [new Rows(false), new Rows(false)];
    for (const entry of mergeColumns([history], { ...chunkLimits, isLine: false, maxTimes: 1 }))
      grown.merge(entry);
    whole.merge(history);
    grown.assertSound();
    assert.deepEqual(saidBy(grown.chunks.map(decodeChunk)), saidBy([history]));
    assert.ok(grown.sizeBytes <= 1.05 * whole.sizeBytes);
    assert.ok(whole.sizeBytes <= 0.95 * 60_000, `${whole.sizeBytes / 60_000} bytes a value`);
  });
});

test('long names of a chunk are read back, whatever they end in', () => {
  const ends = [',', '[', '\\', '"', '","', '\\"', 'x', '\u20ac', ']'];
  for (const isGrouped of [false, true]) {
    const names = Array.from({ length: 5000 }, (_, rank) => ({
      group: isGrouped ? `${rank % 70}${ends[rank % 7]}` : null,
      name: `${ends[rank % 8]}${rank} ${'n'.repeat(rank % 200)}${ends[rank % 9]}`,
    }));
    const history = {
      times: Float64Array.of(7),
      series: names.map((one, rank) => ({ ...one, values: Float64Array.of(rank + 1) })),
    };
    assert.deepEqual(decodeChunk(encodeChunk({ uid: 1, isLine: false }, history)), history);
  }
  const commas = Array.from({ length: 9 }, () => ({ group: null, name: ','.repeat(50_000) }));
  const history = {
    times: Float64Array.of(7),
    series: commas.map((one) => ({ ...one, values: Float64Array.of(1) })),
  };
  assert.deepEqual(decodeChunk(encodeChunk({ uid: 1, isLine: false }, history)), history);
});

/** Counts that drift, each hour by a little. */
function hourly(timeCount: number, shareCount: number, random: () => number): Columns {
  const columns = Array.from({ length: shareCount }, (_, rank) => {
    let count = 2000 / (rank + 1);
    return Float64Array.from({ length: timeCount }, () => {
      count = Math.max(0, count + (random() - 0.5) * Math.sqrt(count + 1));
      return Math.round(count);
    });
  });
  return {
    times: Float64Array.from({ length: timeCount }, (_, index) => start + index * 2 * halfHourMs),
    series: columns.map((values, rank) => ({ group: null, name: `share ${rank}`, values })),
  };
}

test('cutting leaves the times before and after', () => {
  fc.assert(
    fc.property(
      fc.boolean().chain(anyHistory),
      fc.tuple(fc.integer({ min: 0, max: 3001 }), fc.integer({ min: 0, max: 3001 })),
      (history, [from, to]) => {
        for (const chunk of mergeIntoChunks(shares, [], [history]).written) {
          const { kept, keptCount, lostCount } = cutChunk(chunk, { from, to });
          const said = [...saidBy([decodeChunk(chunk)])].filter(([time]) => time < from || time >= to);
          assert.deepEqual([...saidBy(kept.map(decodeChunk))], said);
          assert.deepEqual([keptCount, countTimes(kept)], [said.length, said.length]);
          assert.equal(lostCount, timeCountOf(chunk) - said.length);
        }
      },
    ),
  );
});

describe('damage', () => {
  const line = pointsOf(Array.from({ length: 9 }, (_, index): Entry => [start + index * 10, index ** 3]));
  const doubles = pointsOf([
    [start, 0.1],
    [start + 1, 1e-9],
  ]);
  const grouped = columnsAt(start, [
    [{ group: 'Windows', name: 'Windows 11' }, 3],
    [{ group: 'Linux', name: 'Debian' }, 2],
  ]);
  const chunks = [
    ...[line, doubles].map((points) => encodeChunk(lines, points)),
    ...[grouped, hourly(40, 3, randomFrom(1))].map((history) => encodeChunk(shares, history)),
  ];

  test('of any bit, any cut, and bytes of another row are refused', () => {
    for (const chunk of chunks) {
      for (let bit = 0; bit < chunk.bytes.length * 8; bit++) {
        const bytes = Uint8Array.from(chunk.bytes);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.throws(() => decodeChunk({ ...chunk, bytes }), isDamage, `bit ${bit}`);
      }
      for (let end = 0; end < chunk.bytes.length; end++)
        assert.throws(() => decodeChunk({ ...chunk, bytes: chunk.bytes.subarray(0, end) }), isDamage);
      const moved = [
        { ...chunk, chartUid: 8 },
        { ...chunk, firstTimestamp: start + 1 },
        { ...chunk, chartUid: uid + 2 ** 32, firstTimestamp: start },
      ];
      for (const one of moved) assert.match(verifyChunk(one) ?? '', /is damaged: its checksum is wrong/);
    }
  });

  test('never hangs a read or a merge, whatever the bytes', () => {
    const noise = fc.uint8Array({ maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(...chunks), noise, fc.nat(), (chunk, bytes, at) => {
        const mixed = Uint8Array.from([...chunk.bytes.subarray(0, at % chunk.bytes.length), ...bytes]);
        const damaged = { ...chunk, bytes: mixed };
        const isSame = Buffer.compare(mixed, chunk.bytes) === 0;
        assert.equal(verifyChunk(damaged) === undefined, isSame);
        if (isSame) return;
        for (const read of [
          () => [...decodeLatest([damaged], 3)],
          () => mergeIntoChunks(shares, [damaged], [columnsAt(start + 1, [])]),
          () => cutChunk(damaged, { from: 1, to: 5 }),
        ])
          assert.throws(read, isDamage);
      }),
      { numRuns: 1000 },
    );
  });

  test('is named, and so is what no import writes', () => {
    const good = encodeChunk(lines, line);
    assert.equal(verifyChunk(good, start + 81), undefined);
    const reaches = `the chunk from ${start} on reaches to ${start + 80}, into the one from ${start + 80} on`;
    assert.equal(verifyChunk(good, start + 80), reaches);
    for (const timestamp of [-5, 8.64e15 + 2]) {
      const wrong = encodeChunk(lines, pointsOf([[timestamp, 1]]));
      assert.equal(verifyChunk(wrong), `the chunk from ${timestamp} on holds a timestamp out of range`);
    }
    const infinite = encodeChunk(lines, pointsOf([[start, Number.POSITIVE_INFINITY]]));
    assert.equal(verifyChunk(infinite), `the chunk from ${start} on holds a value that is no finite number`);
  });
});

function isDamage(error: unknown): boolean {
  return isAppError(error, 'unavailable') && /is damaged: ./.test(error.message);
}
