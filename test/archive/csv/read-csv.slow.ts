// Large CSV files, and files that fail while they are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../../src/archive/csv/read-csv.ts';
import { AppError } from '../../../src/model/app-error.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../../support/archive-text.ts';
import { runProgram } from '../../support/run-program.ts';
import { exportText, importText } from '../../support/stores.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';
import { pointsIn } from './points-in.ts';

const directory = directoryOfFile();

test('more points than fit into one run are imported in any order, and compared with those of the store', async () => {
  const catalogue = [softwareLine(), pluginLine(), chartLine()];
  const [store, expected] = [directory.at('large.db'), directory.at('expected.db')];
  const entries = Array.from({ length: 150_000 }, (_, slot) => [
    1_479_799_800_000 + slot * 60_000,
    slot === 0 ? 5 : slot % 97,
  ]);
  const stored = entries.flatMap(([time, value], slot) =>
    slot % 3 === 0 ? [[time, slot % 2 === 0 ? value : 1000]] : [],
  );
  await importText(store, archiveText([...catalogue, dataLine('players', JSON.stringify(stored))]));
  await importText(expected, archiveText([...catalogue, dataLine('players', JSON.stringify(entries))]));
  const slots = entries.map((_, index) => (index * 7919) % entries.length);
  const rows = slots.map((slot) => `${1_479_799_800 + slot * 60},${slot % 97}\n`);
  const argv = ['import', '--store', store, '--csv', '--chart', '7/players', '-'];
  const { stdout, stderr } = await runProgram(argv, { input: `${rows.join('')}1479799800,5\n` });
  const counts = '100,000 new, 25,000 replaced, 25,000 unchanged';
  assert.deepEqual([stdout, stderr], [`7/players: ${counts}, 22 Nov 2016 to 6 Mar 2017\n`, '']);
  assert.ok((await exportText(store)) === (await exportText(expected)));
});

test('an unclosed quote in a large file is refused with its line, and so is a first line without an end', async () => {
  const rule = 'the row is longer than 1048576 bytes; perhaps a quote is not closed';
  const open = `2026-11-20,1\n2026-11-21,"1\n${'2026-11-22,1\n'.repeat(100_000)}`;
  await assert.rejects(pointsIn(Buffer.from(open), {}, 65_536), { place: 'a.csv:2', message: rule });
  await assert.rejects(pointsIn(Buffer.alloc(3_000_000, 'a,'), {}, 65_536), {
    place: 'a.csv:1',
    message: rule,
  });
});

test('an input that fails while it is read is refused at the line reached', async () => {
  const input = {
    name: 'a.csv',
    async *blocks() {
      yield Buffer.from('2026-11-20,1\n2026-11-21,1\n2026');
      throw new AppError('invalid', 'the data ends too early');
    },
  };
  await assert.rejects(Array.fromAsync(readCsv(input, {})), {
    place: 'a.csv:3',
    message: 'the data ends too early',
  });
});
