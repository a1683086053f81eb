// Flipped bits in the file of a store: the check finds them, unless the export is unchanged.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { AppError } from '../../src/model/app-error.ts';
import { removeLog } from '../../src/store/sqlite/database-files.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { randomFrom } from '../support/points.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const flipCount = Number(process.env['PLUGIN_METRICS_TEST_FLIPS'] ?? 800);

test('no flipped bit changes an export without a fault that the check finds', async (t) => {
  const path = directory.at('store.db');
  await importText(path, smallStore());
  const expected = await exportText(path);
  const good = readFileSync(path);
  const bits = bitsOf(good);
  const random = randomFrom(20);
  const outcomes = { found: 0, harmless: 0 };
  const missed: number[] = [];
  const isAll = flipCount >= bits.length;
  for (let turn = 0; turn < Math.min(flipCount, bits.length); turn++) {
    const bit = bits[isAll ? turn : Math.floor(random() * bits.length)] ?? 0;
    const damaged = Buffer.from(good);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    removeLog(path);
    writeFileSync(path, damaged);
    if (await hasFault(path)) outcomes.found++;
    else if ((await exportText(path)) === expected) outcomes.harmless++;
    else missed.push(bit);
  }
  t.diagnostic(`${outcomes.found} found, ${outcomes.harmless} without an effect`);
  assert.deepEqual(missed, []);
  assert.ok(outcomes.found > outcomes.harmless);
});

/**
 * Makes an archive with records of every kind, charts whose uids differ in one bit, and series of one and of
 * several chunks.
 */
function smallStore(): string {
  const entries = (count: number, start: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => [start + index * 1_800_000, (index * 37) % 101]),
    );
  return archiveText([
    softwareLine({ globalPluginId: 7 }),
    softwareLine({ id: 2, name: 'Bungee — Ö 😀', url: 'bungee' }),
    pluginLine({ isGlobal: true }),
    pluginLine({ id: 8, name: 'Second', owner: { id: 43, name: 'Ünlü' }, softwareId: 2 }),
    chartLine(),
    dataLine('players', entries(1100, 0)),
    chartLine({ chartId: 'servers', uid: 71, position: 1, title: 'Servers' }),
    dataLine('servers', entries(3, 1_700_000_000_000)),
    chartLine({ chartId: 'empty', uid: 66, position: 1, title: 'Empty' }),
    chartLine({ chartId: 'versions', uid: 72, type: 'simple_pie', title: 'Versions', data: {} }),
    dataLine('versions', '[{"name":"1.0","y":1},{"name":"ü","y":2.50}]'),
    chartLine({ pluginId: 8, chartId: 'map', uid: 73, type: 'simple_map', position: -3, title: 'Map' }),
  ]);
}

/** Lists the bits of every byte that is not zero or is next to such a byte: most of the file is empty. */
function bitsOf(file: Uint8Array): number[] {
  const isUsed = (at: number) => (file[at] ?? 0) !== 0;
  const bits: number[] = [];
  for (let at = 0; at < file.length; at++) {
    if (!isUsed(at) && !isUsed(at - 1) && !isUsed(at + 1)) continue;
    for (let bit = 0; bit < 8; bit++) bits.push(at * 8 + bit);
  }
  return bits;
}

async function hasFault(path: string): Promise<boolean> {
  try {
    for await (const fault of checkSqliteStore(path, recordChecker())) return fault !== '';
    return false;
  } catch (error) {
    assert.ok(error instanceof AppError, `bit: ${error instanceof Error ? error.stack : error}`);
    return true;
  }
}
