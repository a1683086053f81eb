/**
 * An import that is interrupted again and again, and the check that it leaves the state before or the state
 * after.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordChecker } from '../../../src/archive/check-record.ts';
import { checkSqliteStore } from '../../../src/store/sqlite/sqlite-check.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../../support/archive-text.ts';
import { exportText, importText } from '../../support/stores.ts';

/** The state that an interrupted import left. */
export type Outcome = 'before' | 'after';

/** An import into an existing store, or into none. */
export interface ImportCase {
  readonly archiveFile: string;
  /** Makes a directory with the store as it is before the import. */
  readonly prepare: (name: string) => string;
  /**
   * Throws unless the store is good and complete, and repeating the import undisturbed gives the state after.
   */
  readonly examine: (store: string) => Promise<Outcome>;
}

/** Makes the case in an empty folder. */
export async function importCase(folder: string, isNew: boolean): Promise<ImportCase> {
  mkdirSync(folder);
  const archive = changedArchive();
  const archiveFile = join(folder, 'changed.ndjson');
  writeFileSync(archiveFile, archive);
  const first = join(folder, 'first.db');
  const last = join(folder, 'last.db');
  if (!isNew) {
    await importText(first, firstArchive());
    copyFileSync(first, last);
  }
  await importText(last, archive);
  const before = isNew ? undefined : await exportText(first);
  const after = await exportText(last);
  return {
    archiveFile,
    prepare(name) {
      const place = join(folder, name);
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      if (!isNew) copyFileSync(first, join(place, 'store.db'));
      return join(place, 'store.db');
    },
    async examine(store) {
      const found = existsSync(store) ? await exportGood(store) : undefined;
      assert.ok(found === before || found === after, 'the store is neither as before nor as after');
      await importText(store, archive);
      assert.equal((await exportGood(store)) === after, true, 'the next import');
      const left = readdirSync(join(store, '..')).filter((entry) => !/^store\.db(-wal|-shm)?$/.test(entry));
      assert.deepEqual(left, [], 'nothing is left behind by the next import');
      return found === before ? 'before' : 'after';
    },
  };
}

/** Reads the content of a store, which must pass its check. */
export async function exportGood(store: string): Promise<string> {
  assert.deepEqual(await Array.fromAsync(checkSqliteStore(store, recordChecker())), []);
  return exportText(store);
}

const chartIds = Array.from({ length: 40 }, (_, index) => `line${index}`);

function firstArchive(): string {
  const lines = chartIds.slice(0, 30).flatMap((chartId, index) => lineOf(chartId, index, 700));
  return archiveText([softwareLine(), pluginLine(), ...lines]);
}

/** Renames, adds charts, adds points before, between and after the existing ones, and replaces a pie. */
function changedArchive(): string {
  const lines = chartIds.flatMap((chartId, index) => lineOf(chartId, index, 1100));
  return archiveText([
    softwareLine({ name: 'After', globalPluginId: 7 }),
    pluginLine({ name: 'After', isGlobal: true }),
    ...lines,
    chartLine({ chartId: 'pie', uid: 9, type: 'simple_pie' }),
    dataLine('pie', '[{"name":"a","y":1}]'),
  ]);
}

function lineOf(chartId: string, index: number, count: number): string[] {
  const points = Array.from({ length: count }, (_, slot) => [
    slot * (count < 1000 ? 5000 : 1800),
    (slot * 7919 * (index + count)) % 100_003,
  ]);
  return [chartLine({ chartId, uid: 100 + index }), dataLine(chartId, JSON.stringify(points))];
}
