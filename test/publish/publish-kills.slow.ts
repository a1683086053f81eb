// Kills publish at any moment, and fills its disk: the folder is as before, or whole after the next run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { before, test } from 'node:test';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { durationOf, killAfter } from '../support/killed-program.ts';
import { randomFrom } from '../support/points.ts';
import { mainPath } from '../support/run-program.ts';
import { seed } from '../support/seed.ts';
import '../support/without-coverage.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { filesIn, publicUrl, publishTo } from './support/published.ts';

const directory = directoryOfFile();
const [first, second] = [directory.at('first.db'), directory.at('second.db')];
const [one, other, folder] = [directory.at('one'), directory.at('other'), directory.at('folder')];
const argv = ['publish', '--store', second, '--all', '--public-url', publicUrl, folder];
let old = new Map<string, string>();
let changed = new Map<string, string>();

/** Lines of plugins with two charts. */
function linesOf(ids: readonly number[], value: number): string[] {
  return [
    softwareLine(),
    ...ids.map((id) => pluginLine({ id, name: `Plugin ${id}` })),
    ...ids.flatMap((pluginId) =>
      ['servers', 'players'].map((chartId, position) =>
        chartLine({ pluginId, chartId, uid: pluginId * 10 + position, position }),
      ),
    ),
    ...(ids.includes(7) ? [dataLine('players', `[[1782777600000,${value}]]`)] : []),
  ];
}

before(async () => {
  await importText(first, archiveText(linesOf([5, 6, 7], 1)));
  await importText(second, archiveText(linesOf([6, 7, 8, 9], 2)));
  await publishTo(one, first, '--all');
  await publishTo(other, second, '--all');
  old = filesIn(one);
  changed = filesIn(other);
});

/** Asserts that each file is whole, in one state or the other. */
function checkFiles(files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files)
    if (!file.startsWith('.publish'))
      assert.ok(
        text === old.get(file) || text === changed.get(file),
        `${file} is neither old nor new (seed ${seed})`,
      );
}

test('a killed run leaves whole files, and the next one completes it', async () => {
  const random = randomFrom(seed);
  cpSync(one, folder, { recursive: true });
  let usualMs = await durationOf(argv);
  assert.deepEqual(filesIn(folder), changed);
  let killedCount = 0;
  for (let round = 0; round < 16 || (killedCount < 6 && round < 100); round++) {
    rmSync(folder, { recursive: true });
    cpSync(one, folder, { recursive: true });
    // The files move at the end.
    const ms = usualMs * (round % 2 === 0 ? random() : 0.8 + 0.2 * random());
    if (await killAfter(argv, ms)) killedCount++;
    checkFiles(filesIn(folder));
    if (round % 3 > 0) continue;
    // Measured again, because the machine may become faster, and later kills would come too late.
    usualMs = await durationOf(argv);
    assert.deepEqual(filesIn(folder), changed);
  }
  assert.ok(killedCount > 5, `${killedCount} were killed`);
});

test('a full disk changes nothing', () => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(one, folder, { recursive: true });
  const limited = ['-c', 'ulimit -f 8; exec "$@"', '', process.execPath, mainPath, ...argv];
  const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' });
  assert.match(stderr, /^error: \S+\/folder: cannot be written: EFBIG: file too large, write\n$/);
  assert.equal(status, 1);
  assert.deepEqual(filesIn(folder), old);
  assert.ok(!readdirSync(folder).includes('.publishing'));
});
