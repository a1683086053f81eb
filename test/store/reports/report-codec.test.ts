// What reports add to charts, coded and decoded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartValue, ReportedShare, ReportedValue } from '../../../src/model/reported-value.ts';
import { collectNames, encodeReport, ReportDecoder } from '../../../src/store/reports/report-codec.ts';
import { fc } from '../../support/seed.ts';

/** Encodes values with the numbers 1, 2, 3 … for their texts. */
function encode(values: readonly ChartValue[]) {
  const names = new Set<string>();
  collectNames(values, names);
  const texts = [...names];
  const bytes = encodeReport(values, (text) => texts.indexOf(text) + 1);
  return { bytes, nameOf: (number: number) => texts[number - 1] ?? assert.fail(`no text ${number}`) };
}

const name = fc.string({ unit: 'binary' });
const count = fc.oneof(fc.nat(3), fc.nat(2 ** 31 - 1));
const shares = (group: fc.Arbitrary<string | null>, values: fc.Arbitrary<readonly number[]>) =>
  fc.array(fc.record({ group, name, values }, { noNullPrototype: true }), { maxLength: 5 }) as fc.Arbitrary<
    readonly ReportedShare[]
  >;
const one = fc.tuple(count);
const value: fc.Arbitrary<ReportedValue> = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  shares(fc.constant(null), one),
  shares(name, one),
  shares(fc.constant(null), fc.array(count, { minLength: 1, maxLength: 25 })),
);

test('values are the same after they were coded', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (values) => {
      const { bytes, nameOf } = encode(values);
      const decoder = new ReportDecoder(nameOf);
      assert.deepEqual(decoder.decode(bytes), values);
      // The second time some of them are known.
      assert.deepEqual(decoder.decode(bytes), values);
    }),
    { numRuns: 1000 },
  );
});

test('a usual report takes about 40 bytes', () => {
  const pie = (chartId: string, share: string): ChartValue => [
    chartId,
    [{ group: null, name: share, values: [1] }],
  ];
  const { bytes } = encode([
    ['servers', 1],
    ['players', 7],
    pie('onlineMode', 'online'),
    pie('minecraftVersion', '1.21'),
    pie('serverSoftware', 'Paper'),
    pie('pluginVersion', '1.4'),
    pie('coreCount', '8'),
    pie('osArch', 'amd64'),
    ['os', [{ group: 'Linux', name: '6.1.0', values: [1] }]],
    ['javaVersion', [{ group: 'Java 21', name: '21.0.8', values: [1] }]],
  ]);
  assert.ok(bytes.length <= 40, `${bytes.length} bytes`);
});

test('a name that is not known yet is asked for again', () => {
  const values: ChartValue[] = [['os', [{ group: 'Linux', name: '6.1.0', values: [1] }]]];
  const { bytes, nameOf } = encode(values);
  const known = new Set<number>();
  const decoder = new ReportDecoder((number) => (known.has(number) ? nameOf(number) : undefined));
  for (const number of [1, 2, 3]) {
    assert.notDeepEqual(decoder.decode(bytes), values);
    known.add(number);
  }
  assert.deepEqual(decoder.decode(bytes), values);
});

test('bytes that end too early are not decoded', () => {
  const values: ChartValue[] = [
    ['a', 0.5],
    ['b', [{ group: null, name: 'x', values: [300, 2] }]],
  ];
  const { bytes, nameOf } = encode(values);
  for (let length = 1; length < bytes.length; length++) {
    let decoded: readonly ChartValue[] | undefined;
    try {
      decoded = new ReportDecoder(nameOf).decode(bytes.subarray(0, length));
    } catch {
      continue;
    }
    assert.ok(decoded.length < values.length);
  }
});
