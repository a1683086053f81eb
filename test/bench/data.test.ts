// The data that questions of speed are asked of: always the same, well formed, and as busy as it is said to be.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { catalogueArchive, laterArchive } from '../../bench/data/archive.ts';
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

describe('the made-up data', () => {
  it('is the same bytes every time', () => {
    assert.equal(digest(catalogueArchive(catalogue)), digest(catalogueArchive(catalogue)));
  });

  it('is an archive whose end counts its records', () => {
    for (const blocks of [
      catalogueArchive(catalogue),
      laterArchive(catalogue, { firstSlot: 0, slotCount: 5 }),
    ]) {
      const records = recordsOf(blocks);
      assert.deepEqual(records[0], { record: 'archive', version: 1 });
      assert.deepEqual(records.at(-1), { record: 'end', records: records.length - 2 });
    }
  });

  it('has lines that end at one time, with a point every half-hour but for a few', () => {
    const [plugin, chartId] = [1, 'servers'];
    const points = recordsOf(catalogueArchive(catalogue))
      .filter(
        (record) => record.record === 'data' && record.pluginId === plugin && record.chartId === chartId,
      )
      .flatMap((record) => record.data as [number, number][]);
    const times = points.map(([timestamp]) => timestamp);
    assert.ok(points.length > 5900 && points.length <= 6000, `${points.length} points`);
    assert.ok(times.every((time) => (lastTimestamp - time) % slotMs === 0 && time <= lastTimestamp));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });

  it('is a fifth busy, three tenths small and half dead', () => {
    const kinds = fullLines({ ...catalogue, pluginCount: 9000 }).map(({ kind }) => kind);
    const share = (wanted: string) => kinds.filter((kind) => kind === wanted).length / kinds.length;
    assert.ok(Math.abs(share('busy') - 0.2) < 0.02, `busy ${share('busy')}`);
    assert.ok(Math.abs(share('small') - 0.3) < 0.02, `small ${share('small')}`);
    assert.ok(Math.abs(share('dead') - 0.5) < 0.02, `dead ${share('dead')}`);
  });

  it('keeps values in the range of their kind, and one slot in 2,000 empty', () => {
    const ranges = { busy: [0, 100_000], small: [0, 20], dead: [0, 0] } as const;
    for (const [kind, [min, max]] of Object.entries(ranges)) {
      const slotCount = 400_000;
      const values = lineValues({ seed: 7, kind: kind as keyof typeof ranges, slotCount });
      const present = values.filter((value) => value !== missingValue);
      const missingCount = slotCount - present.length;
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

function recordsOf(blocks: Iterable<Uint8Array>): ArchiveRecord[] {
  const lines = Buffer.concat([...blocks])
    .toString('utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line): ArchiveRecord => JSON.parse(line));
}

function digest(blocks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const block of blocks) hash.update(block);
  return hash.digest('hex');
}
