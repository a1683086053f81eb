// The JSON of lines, compared with the platform's JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxTimestamp, pointsOf } from '../../src/model/points.ts';
import { parsePoints, renderRuns } from '../../src/series/points-json.ts';
import { anyEntries, type Entry, entriesOf } from '../support/points.ts';
import { fc } from '../support/seed.ts';

const render = (entries: readonly Entry[]) => Buffer.concat([...renderRuns([pointsOf(entries)])]).toString();

function parse(text: string): Entry[] | undefined {
  const bytes = Buffer.from(text);
  const points = parsePoints(bytes, 0, bytes.length);
  return points && entriesOf(points);
}

test('a line is written exactly as JSON.stringify writes its pairs', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      assert.equal(render(entries), JSON.stringify(entries));
    }),
    { numRuns: 500 },
  );
});

test('numbers of every length are written as JSON.stringify writes them', () => {
  const powers = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
  const values = powers.flatMap((power) => [
    power - 1,
    power,
    power + 1,
    1 - power,
    -power,
    7 * power,
    0.3 * power,
  ]);
  const entries = values.map(
    (value): Entry => [Math.min(maxTimestamp, Math.abs(Math.round(value))), value + 0],
  );
  assert.equal(render(entries), JSON.stringify(entries));
});

test('no points are an empty array', () => {
  assert.equal(render([]), '[]');
  assert.deepEqual(parse('[]'), []);
});

test('a negative zero is written and read as 0', () => {
  assert.equal(render([[0, -0]]), '[[0,0]]');
  for (const text of ['[[1,-0]]', '[[1,-0.0]]', '[[1,-0e5]]', '[[1,-1e-999]]']) {
    assert.ok(Object.is(parse(text)?.[0]?.[1], 0), text);
  }
});

test('written points are read back', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      assert.deepEqual(parse(render(entries)), entries);
    }),
    { numRuns: 500 },
  );
});

test('a line is read from the middle of other bytes, and only within its bounds', () => {
  fc.assert(
    fc.property(anyEntries, fc.constantFrom('', '0', '[', ']', '[[1,2]]'), (entries, around) => {
      const text = render(entries);
      const bytes = Buffer.from(around + text + around);
      const start = around.length;
      const points = parsePoints(bytes, start, start + text.length);
      assert.deepEqual(points && entriesOf(points), entries);
      for (const cut of [1, 2, 3])
        assert.equal(parsePoints(bytes, start, start + text.length - cut), undefined);
    }),
  );
});

test('numbers in every form that JSON allows are read as JSON.parse reads them', () => {
  const values = [
    '1.0',
    '1e2',
    '1E+2',
    '12e-1',
    '-0.5',
    '0.1',
    '1e308',
    '5e-324',
    '1e-400',
    '123456789012345678901234567890',
    '0.00000000000000000000000000000001',
    '9007199254740993',
    '999999999999999',
    '1000000000000000',
    '-999999999999999.5',
    `1${'0'.repeat(300)}`,
    `0.${'1'.repeat(600)}`,
  ];
  for (const value of values) assert.deepEqual(parse(`[[5,${value}]]`), [[5, Number(value)]], value);
  for (const time of ['1.0', '1e3', '12.5E+1', '-0', '-0.0', '8.64e15', `1.${'0'.repeat(3000)}`])
    assert.deepEqual(parse(`[[${time},7]]`), [[Number(time) + 0, 7]], time);
});

test('anything but an array of compact pairs in range is not read', () => {
  const texts = [
    '',
    '[',
    ']',
    '[[',
    '[]]',
    '[[]]',
    '[,]',
    '[[1]]',
    '[[1,]]',
    '[[,1]]',
    '[[1,2,3]]',
    '[[1,2],]',
    '[[1,2]',
    '[[1,2]]]',
    '[[1,2]],',
    '[[1,2][3,4]]',
    '[[1 ,2]]',
    '[[1, 2]]',
    ' [[1,2]]',
    '[[1,2]] ',
    '[ ]',
    '{}',
    'null',
    '[null]',
    '[["1",2]]',
    '[[1,"2"]]',
    '[[1,null]]',
    '[[1,true]]',
    '[[1,[2]]]',
    '[[1,NaN]]',
    '[[1,Infinity]]',
    '[[1,-Infinity]]',
    '[[01,2]]',
    '[[00,2]]',
    '[[1,02]]',
    '[[1,00]]',
    '[[1,-02]]',
    '[[1,-]]',
    '[[1,--2]]',
    '[[1,+2]]',
    '[[+1,2]]',
    '[[-1,2]]',
    '[[1,2.]]',
    '[[1,.5]]',
    '[[1,2.e1]]',
    '[[1,2e]]',
    '[[1,2e+]]',
    '[[1,0x10]]',
    '[[1,1_000]]',
    '[[1,1e400]]',
    '[[1,-1e400]]',
    '[[1.5,2]]',
    '[[5e-1,2]]',
    '[[-1e0,2]]',
    '[[8640000000000001,2]]',
    '[[8.64000000000001e15,2]]',
    `[[${'9'.repeat(400)},2]]`,
    '[[1,2,]]',
    '[[1,2 3]]',
    '[[1,٣]]',
    '[[1,2]]\u0000',
  ];
  for (const text of texts) assert.equal(parse(text), undefined, text);
});

test('randomly changed bytes are read as JSON.parse reads them, or not at all', () => {
  const alphabet = [...'[[]],,0123456789.-+eE "\n\0'];
  const change = fc.record({
    at: fc.nat(),
    deleted: fc.nat(2),
    inserted: fc.array(fc.constantFrom(...alphabet), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(anyEntries, fc.array(change, { minLength: 1, maxLength: 3 }), (entries, changes) => {
      let text = render(entries.slice(0, 4));
      for (const { at, deleted, inserted } of changes) {
        const from = at % text.length;
        text = text.slice(0, from) + inserted.join('') + text.slice(from + deleted);
        if (text === '') return;
      }
      const parsed = parse(text);
      if (parsed === undefined) return;
      const positive = JSON.parse(text).map(([timestamp, value]: Entry) => [timestamp + 0, value + 0]);
      assert.deepEqual(parsed, positive);
      assert.ok(parsed.every(([timestamp]) => timestamp <= maxTimestamp));
    }),
    { numRuns: 3000 },
  );
});

test('points in runs are one JSON text, however the runs are split', () => {
  for (const count of [1, 9_999, 10_000, 10_001, 25_000]) {
    const entries = Array.from({ length: count }, (_, index): Entry => [index * 1_800_000, index % 977]);
    const runs = [0, 1, 2].map((part) => entries.slice(part * 10_000, (part + 1) * 10_000));
    const slices = Array.from(renderRuns(runs.filter((run) => run.length > 0).map(pointsOf)), (slice) =>
      Buffer.from(slice).toString(),
    );
    assert.equal(slices.join(''), JSON.stringify(entries));
    assert.equal(render(entries), JSON.stringify(entries));
  }
});

test('two renderings that take turns do not disturb each other', () => {
  const entriesOf = (first: number) =>
    Array.from({ length: 20_000 }, (_, index): Entry => [first + index, first + index / 8]);
  const inRuns = (entries: readonly Entry[]) =>
    renderRuns([0, 1, 2, 3].map((run) => pointsOf(entries.slice(run * 5000, (run + 1) * 5000))));
  const all = [entriesOf(0), entriesOf(1_000_000)];
  const renderings = all.map(inRuns);
  const parts: Uint8Array[][] = all.map(() => []);
  for (let turn = 0; turn < 4; turn++)
    for (const [index, rendering] of renderings.entries())
      parts[index]?.push(rendering.next().value ?? Buffer.of());
  assert.deepEqual(
    parts.map((each) => Buffer.concat(each).toString()),
    all.map((entries) => JSON.stringify(entries)),
  );
});

test('a rendered part does not change while later runs are rendered, in the room of the run before', () => {
  for (const count of [100, 8000, 9000]) {
    const runs = [0, 1, 2].map((run) =>
      Array.from({ length: count }, (_, index): Entry => [run * count + index, index]),
    );
    const [timestamps, values] = [new Float64Array(count), new Float64Array(count)];
    function* inOneRoom() {
      for (const run of runs) {
        const points = pointsOf(run);
        timestamps.set(points.timestamps);
        values.set(points.values);
        yield { timestamps, values };
      }
    }
    const parts = [...renderRuns(inOneRoom())];
    assert.equal(Buffer.concat(parts).toString(), JSON.stringify(runs.flat()));
    assert.ok(parts.every((part) => part.length === part.buffer.byteLength || count < 8000));
  }
});
