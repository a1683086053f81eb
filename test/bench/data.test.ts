// The generated data of the bench: repeatable, well formed, with the documented activity.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { besideArchive, histories, tickArchive } from '../../bench/beside/data.ts';
import { catalogueArchive, laterArchive, renameArchive } from '../../bench/data/archive.ts';
import { type Catalogue, fullLines, lastTimestamp, slotMs } from '../../bench/data/catalogue.ts';
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
      besideArchive(catalogue, { ...histories, timeCount: 3 }),
      tickArchive(0),
    ];
    for (const [index, blocks] of archives.entries()) {
      const records = recordsOf(blocks);
      assert.deepEqual(records[0], { record: 'archive', version: index < 3 ? 1 : 2 });
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
