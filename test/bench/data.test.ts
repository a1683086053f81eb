// The generated data of the bench: repeatable, well formed, with the documented activity and entropy.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catalogueArchive, laterArchive, renameArchive } from '../../bench/data/archive.ts';
import { type Catalogue, fullLines, lastTimestamp, slotMs, slots } from '../../bench/data/catalogue.ts';
import { driftBits, entropyBitsPerPoint, noiseBits } from '../../bench/data/entropy.ts';
import { lineValues, missingValue } from '../../bench/data/line-values.ts';

const catalogue: Catalogue = {
  name: 'test',
  pluginCount: 30,
  linesPerPlugin: 10,
  snapshotsPerPlugin: 10,
  slotCount: 6000,
  fullHistoryEvery: 3,
};

describe('the data of the bench', () => {
  it('is the same every time', () => {
    const [once, again] = [1, 2].map(() => [...catalogueArchive(catalogue)].join(''));
    // Not assert.equal: its diff of megabytes takes minutes to print.
    assert.ok(once === again);
  });

  it('is an archive whose end record has the right count', () => {
    const archives = [
      catalogueArchive(catalogue),
      laterArchive(catalogue, { firstSlot: 0, slotCount: 5 }),
      renameArchive(1, 'Renamed'),
    ];
    for (const blocks of archives) {
      const records = recordsOf(blocks);
      assert.deepEqual(records[0], { record: 'archive', version: 1 });
      assert.deepEqual(records.at(-1), { record: 'end', records: records.length - 2 });
    }
  });

  it('has lines that end at the same time, with a point every half-hour except a few', () => {
    const points = recordsOf(catalogueArchive(catalogue))
      .filter(({ record, pluginId, chartId }) => record === 'data' && pluginId === 1 && chartId === 'servers')
      .flatMap((record) => record.data as [number, number][]);
    const times = points.map(([timestamp]) => timestamp);
    assert.ok(points.length > 5900 && points.length <= 6000, `${points.length} points`);
    assert.ok(times.every((time) => (lastTimestamp - time) % slotMs === 0 && time <= lastTimestamp));
    assert.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)));
  });

  it('has charts only for the first plugins if the catalogue says so', () => {
    const records = recordsOf(catalogueArchive({ ...catalogue, chartedPluginCount: 2 }));
    const charted = records.filter(({ record }) => record === 'chart').map(({ pluginId }) => pluginId);
    assert.deepEqual([...new Set(charted)], [1, 2]);
    assert.equal(records.filter(({ record }) => record === 'plugin').length, 30);
  });

  it('is one fifth busy, three tenths small and half dead lines', () => {
    const kinds = fullLines({ ...catalogue, pluginCount: 9000 }).map(({ kind }) => kind);
    for (const [kind, share] of Object.entries({ busy: 0.2, small: 0.3, dead: 0.5 })) {
      const found = kinds.filter((one) => one === kind).length / kinds.length;
      assert.ok(Math.abs(found - share) < 0.02, `${kind} ${found}`);
    }
  });

  it('keeps values in the range of their kind, with one of 2,000 slots empty', () => {
    const ranges = { busy: [0, 100_000], small: [0, 20], dead: [0, 0] } as const;
    for (const [kind, [min, max]] of Object.entries(ranges)) {
      const values = lineValues({ seed: 7, kind: kind as keyof typeof ranges, slotCount: 400_000 });
      const present = values.filter((value) => value !== missingValue);
      const missingCount = values.length - present.length;
      assert.ok(
        present.every((value) => value >= min && value <= max),
        kind,
      );
      assert.ok(missingCount > 140 && missingCount < 260, `${missingCount} missing`);
    }
  });
});

describe('the entropy of busy lines', () => {
  it('is that of a rounded normal distribution if the table of 4096 steps is fine enough', () => {
    for (const mean of [30, 300, 3000]) {
      const continuous = Math.log2(2 * Math.PI * Math.E * mean) / 2;
      assert.ok(Math.abs(noiseBits(mean) - continuous) < 0.03, `${noiseBits(mean)}, ${continuous}`);
    }
  });

  it('is at most that of the table, and zero if all values are clamped', () => {
    assert.ok(noiseBits(90_000) < 12);
    assert.equal(noiseBits(1e7), 0);
  });

  it('includes the information of the unknown drift, which grows as the noise shrinks', () => {
    // A mean at which the noise of a day is as large as a step of the drift.
    const level = 1 / (48 * 0.01 ** 2);
    const goldenRatio = (1 + Math.sqrt(5)) / 2;
    assert.ok(Math.abs(driftBits(level) - Math.log2(1 + goldenRatio) / 2 / 48) < 1e-12);
    assert.ok(driftBits(50_000) > driftBits(500));
  });

  it('is the mean over the stored points', () => {
    const line = { seed: 3, kind: 'busy', slotCount: slots.year } as const;
    const bits = entropyBitsPerPoint([line]);
    const values = lineValues(line).filter((value) => value !== missingValue);
    const level = values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.ok(Math.abs(bits - noiseBits(level)) < 0.2, `${bits} bits around ${level}`);
    assert.ok(Math.abs(entropyBitsPerPoint([line, line]) - bits) < 1e-9);
  });
});

interface ArchiveRecord {
  readonly record: string;
  readonly pluginId?: number;
  readonly chartId?: string;
  readonly data?: unknown;
}

function recordsOf(blocks: Iterable<string>): ArchiveRecord[] {
  const lines = [...blocks].join('').trimEnd().split('\n');
  return lines.map((line): ArchiveRecord => JSON.parse(line));
}
