/** Question 11: what a point costs on disk. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import { type Catalogue, fullLines, slots } from '../data/catalogue.ts';
import { type LineKind, lineValues, missingValue } from '../data/line-values.ts';
import { importBlocks } from '../harness/stores.ts';
import type { Bench, Finding, Question } from '../question.ts';

export const bytesPerPoint: Question = {
  id: '11',
  title: 'bytes per point on disk',
  programs: [],
  measure: async (bench) => [
    await measureKind(bench, { kind: 'busy', what: 'busy lines', must: 1.3, aim: 0.9 }),
    await measureKind(bench, { kind: 'constant', what: 'constant lines', must: 0.1, aim: 0.02 }),
    await measureKind(bench, { kind: 'dead', what: 'all-zero lines', must: 0.1, aim: 0.02 }),
  ],
};

async function measureKind(
  bench: Bench,
  asked: { readonly kind: LineKind; readonly what: string; readonly must: number; readonly aim: number },
): Promise<Finding> {
  const { kind, what, must, aim } = asked;
  const catalogue: Catalogue = {
    name: `only-${kind}`,
    kind,
    pluginCount: 100,
    linesPerPlugin: 3,
    snapshotsPerPlugin: 0,
    slotCount: slots.year,
    fullHistoryEvery: 1,
  };
  const withPoints = await storeBytes(bench, catalogue);
  const without = await storeBytes(bench, { ...catalogue, name: `no-${kind}`, slotCount: 0 });
  return {
    what,
    unit: 'bytes/point',
    ours: (withPoints - without) / pointCount(catalogue),
    demand: { of: 'ours', kind: 'at most', must, aim },
  };
}

async function storeBytes(bench: Bench, catalogue: Catalogue): Promise<number> {
  const store = join(bench.folder, `${catalogue.name}.db`);
  await importBlocks(bench, store, catalogueArchive(catalogue));
  // The last connection to close leaves nothing in the write-ahead log.
  const { size } = await stat(store);
  return size;
}

function pointCount(catalogue: Catalogue): number {
  let count = 0;
  for (const line of fullLines(catalogue)) {
    for (const value of lineValues({ ...line, seed: line.uid })) if (value !== missingValue) count++;
  }
  return count;
}
