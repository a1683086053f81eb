/**
 * Measures imports by CPU time: an archive of many plugins, and ticks; also the size of the imported data.
 */
import { statSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archive } from '../../catalogues/records.ts';
import { type Catalogue, pointCountOf } from '../data/catalogue.ts';
import type { ChildResult } from '../harness/child.ts';
import { runProgram } from '../harness/server.ts';
import { keptArchive, keptLines } from '../harness/stores.ts';
import type { Bench } from '../question.ts';
import { besideArchive, catalogue, histories, tickArchive, wholeStore } from './data.ts';
import { onBoth, type Part, pairOf } from './part.ts';

/** Import of an archive of many plugins into a new store. */
export const imports: Part = {
  rows: [
    {
      id: 'import',
      what: 'an import of 30,000 plugins with six million points',
      unit: '/CPU s',
    },
  ],
  prepare: async (sides) => {
    const key = { name: catalogue.name, catalogue, histories };
    const file = await keptArchive(sides.present, key, () => besideArchive(catalogue, histories));
    const importOnce = async (side: Bench) => {
      const store = join(side.folder, 'imported.db');
      const result = await importInto(side, store, file);
      await rm(store);
      return result;
    };
    return (measure) =>
      measure('import', async () =>
        pairOf(await onBoth(sides, importOnce), ({ cpuSeconds }) => 1 / cpuSeconds),
      );
  },
};

const tickCount = 20;

/** New points and shares, as they arrive every half-hour, each tick in its own import. */
export const ticks: Part = {
  rows: [
    {
      id: 'tick',
      what: 'a tick: a point for each of 1,500 lines, a moment for each of 40 pies',
      unit: '/CPU s',
    },
    { id: 'tick-bytes', what: 'bytes that a tick writes', unit: ' MB' },
  ],
  prepare: async (sides) => {
    const stores = await onBoth(sides, wholeStore);
    const pathOf = (name: string) => join(sides.present.folder, `${name}.ndjson`);
    await writeFile(pathOf('no-tick'), archive([]));
    for (let index = 0; index < tickCount; index++)
      await writeFile(pathOf(`tick-${index}`), tickArchive(index));
    return async (measure) => {
      const ticked = await onBoth(sides, async (side, name) => {
        const store = join(side.folder, `ticks-${name}.db`);
        await copyFile(stores[name], store);
        return { store, cpuSeconds: 0, writtenBytes: 0 };
      });
      for (let index = 0; index < tickCount; index++)
        await onBoth(sides, async (side, name) => {
          const sums = ticked[name];
          // The CPU time of starting the program is not part of a tick, so an empty import is subtracted.
          const start = await importInto(side, sums.store, pathOf('no-tick'));
          const tick = await importInto(side, sums.store, pathOf(`tick-${index}`));
          sums.cpuSeconds += tick.cpuSeconds - start.cpuSeconds;
          sums.writtenBytes += tick.writtenBytes - start.writtenBytes;
        });
      for (const { store } of [ticked.present, ticked.earlier]) await rm(store);
      await measure('tick', async () => pairOf(ticked, ({ cpuSeconds }) => tickCount / cpuSeconds));
      await measure('tick-bytes', async () =>
        pairOf(ticked, ({ writtenBytes }) => writtenBytes / tickCount / 1e6),
      );
    };
  },
};

/**
 * Sizes of compacted stores; each store contains more than the one before, and the rows are the differences.
 */
export const bytes: Part = {
  rows: [
    { id: 'bytes-points', what: 'bytes of a point', unit: ' B' },
    { id: 'bytes-histories', what: 'bytes of a value of a history', unit: ' B' },
    {
      id: 'bytes-rest',
      what: 'bytes of a plugin without its past: one point a line, one moment a pie',
      unit: ' B',
    },
  ],
  prepare: async (sides) => {
    const now: Catalogue = { ...catalogue, slotCount: 1 };
    const nowPies = { ...histories, timeCount: 1 };
    const compacted = async (side: Bench, store: string) => {
      // Without compaction, the unused space would depend on the order of the imported rows.
      await runProgram(side, ['compact', '--store', store], { cores: side.cores.server });
      return statSync(store).size;
    };
    const sizeOf = async (side: Bench, name: string, lines: Catalogue) =>
      compacted(
        side,
        await keptLines(side, `beside-${name}`, { lines, nowPies }, () => besideArchive(lines, nowPies)),
      );
    const sizes = await onBoth(sides, async (side) => {
      const [rest, points] = [await sizeOf(side, 'rest', now), await sizeOf(side, 'points', catalogue)];
      return {
        rest,
        points: points - rest,
        histories: (await compacted(side, await wholeStore(side))) - points,
      };
    });
    const pointCount = pointCountOf(catalogue) - pointCountOf(now);
    const valueCount = histories.chartCount * histories.shareCount * (histories.timeCount - 1);
    return async (measure) => {
      await measure('bytes-points', async () => pairOf(sizes, ({ points }) => points / pointCount));
      await measure('bytes-histories', async () => pairOf(sizes, (size) => size.histories / valueCount));
      await measure('bytes-rest', async () => pairOf(sizes, ({ rest }) => rest / catalogue.pluginCount));
    };
  },
};

/** Runs an import on the server core. */
function importInto(side: Bench, store: string, archivePath: string): Promise<ChildResult> {
  return runProgram(side, ['import', '--store', store, archivePath], { cores: side.cores.server });
}
