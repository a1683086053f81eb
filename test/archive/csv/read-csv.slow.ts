// CSV files: which points are read, which files are refused with which message, and that a refused file stores nothing.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type CsvOptions, readCsv } from '../../../src/archive/csv/read-csv.ts';
import { AppError } from '../../../src/model/app-error.ts';
import { copyRecords, noCounts } from '../../../src/model/copy-records.ts';
import { maxTimestamp } from '../../../src/model/points.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../../support/archive-text.ts';
import type { Entry } from '../../support/points.ts';
import { exportText, importText, openSqliteWriter } from '../../support/stores.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';
import { refusedCsvFiles } from './refused-csv.ts';

const directory = directoryOfFile();
const store = directory.at('store.db');
const pie = chartLine({ chartId: 'versions', uid: 71, type: 'simple_pie', position: 1 });
const catalogue = [softwareLine(), pluginLine(), chartLine(), pie];
before(() => importText(store, archiveText(catalogue)));

const noon = Date.UTC(2026, 10, 20, 12);

const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text);

/** The points of a file in its order, as the store receives them. */
async function pointsIn(text: string | Uint8Array, options: Partial<CsvOptions> = {}): Promise<Entry[]> {
  const input = inBlocks(bytesOf(text));
  const batches = await Array.fromAsync(readCsv(input, { pluginId: 7, chartId: 'players', ...options }));
  return batches.flat().flatMap((record) => {
    if (record.kind !== 'data') return [];
    const data = record.dataFor('single_linechart');
    assert.ok(data.storage === 'series');
    return Array.from(
      data.points.timestamps,
      (time, index) => [time, data.points.values[index] ?? Number.NaN] as const,
    );
  });
}

function inBlocks(bytes: Uint8Array, size = 7) {
  return {
    name: 'a.csv',
    async *blocks() {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
    },
  };
}

async function importCsv(path: string, text: string, options: Partial<CsvOptions> = {}): Promise<void> {
  await using writer = await openSqliteWriter(path, { latestTimestamp: maxTimestamp });
  const records = () =>
    readCsv(inBlocks(Buffer.from(text), 65_536), { pluginId: 7, chartId: 'players', ...options });
  await copyRecords({ records }, writer, noCounts());
  await writer.commit();
}

/** Texts for the same two points. */
const sameTwoPoints: ReadonlyArray<readonly [what: string, text: string | Uint8Array]> = [
  ['with a header', 'timestamp,value\n2026-11-20T12:00:00Z,12\n2026-11-21,-3.5\n'],
  [
    'with a header in capitals, in another order, with more columns',
    'Note,VALUE, Timestamp\n,12,2026-11-20T12:00Z\n"a ""b"", c",-3.5,2026-11-21',
  ],
  ['with CRLF and without a last line end', 'timestamp,value\r\n2026-11-20T12:00:00Z,12\r\n2026-11-21,-3.5'],
  ['with quotes and blanks', '"timestamp","value"\n"2026-11-20T12:00:00Z", 12\n 2026-11-21 ,"-3.50 "\n'],
  ['with blank rows', '\n\ntimestamp,value\n\n2026-11-20T12:00:00Z,12\n,\n  \n2026-11-21,-3.5\n\n'],
  ['in Unix seconds', `${noon / 1000},12\n${noon / 1000 + 43_200},-3.5\n`],
  ['in Unix milliseconds', `${noon},12\n${noon + 43_200_000},-3.5\n`],
  [
    'with offsets of hours, blanks and small letters',
    '2026-11-20 11:00:00.0-01,12\n2026-11-21 00:00:00.000000 +00:00,-3.5\n',
  ],
  ['with other forms of times and numbers', '2026-11-20t12:00:00z,1.2e1\n2026-11-21,-35E-1\n'],
];

describe('a CSV file', () => {
  for (const [what, text] of sameTwoPoints) {
    test(`${what} is read`, async () => {
      assert.deepEqual(await pointsIn(text), [
        [noon, 12],
        [noon + 43_200_000, -3.5],
      ]);
    });
  }

  test('may have numbers of any length with --time-unit', async () => {
    assert.deepEqual(await pointsIn('0,1\n1479799800,2\n', { timeUnit: 's' }), [
      [0, 1],
      [1_479_799_800_000, 2],
    ]);
    assert.deepEqual(await pointsIn('0,1\n1479799800,2\n8640000000000000,3\n', { timeUnit: 'ms' }), [
      [0, 1],
      [1_479_799_800, 2],
      [8.64e15, 3],
    ]);
  });

  test('may have more points than fit into one run, in any order', async () => {
    const path = directory.at('large.db');
    await importText(path, archiveText(catalogue));
    const times = Array.from({ length: 150_000 }, (_, index) => (index * 7919) % 150_000);
    const rows = times.map((slot) => `${1_479_799_800 + slot * 60},${slot % 97}\n`);
    await importCsv(path, `${rows.join('')}1479799800,5\n`);
    const entries = Array.from({ length: 150_000 }, (_, slot) => [
      1_479_799_800_000 + slot * 60_000,
      slot === 0 ? 5 : slot % 97,
    ]);
    const expected = directory.at('expected.db');
    await importText(expected, archiveText([...catalogue, dataLine('players', JSON.stringify(entries))]));
    assert.ok((await exportText(path)) === (await exportText(expected)));
  });
});

describe('a CSV file is refused with its line:', () => {
  for (const [what, text, line, said, options] of refusedCsvFiles) {
    test(what, async () => {
      await assert.rejects(pointsIn(text, options), (error) => {
        assert.ok(error instanceof AppError, String(error));
        assert.deepEqual([error.code, error.place, error.message], ['invalid', `a.csv:${line}`, said]);
        return true;
      });
    });
  }

  test('an input that fails while it is read, at the line reached', async () => {
    const input = {
      name: 'a.csv',
      async *blocks() {
        yield Buffer.from('2026-11-20,1\n2026-11-21,1\n2026');
        throw new AppError('invalid', 'the data ends too early');
      },
    };
    const options = { pluginId: 7, chartId: 'players' };
    await assert.rejects(Array.fromAsync(readCsv(input, options)), {
      place: 'a.csv:3',
      message: 'the data ends too early',
    });
  });
});

describe('a CSV import', () => {
  test('into a chart that is not a line is refused, whatever the file contains', async () => {
    const before = await exportText(store);
    for (const [options, message] of [
      [{ chartId: 'nothing' }, 'plugin 7 has no chart "nothing"'],
      [{ pluginId: 8 }, 'there is no plugin with the id 8'],
      [{ chartId: 'versions' }, 'only a line chart takes points from a CSV file, this one is a simple_pie'],
    ] as const) {
      for (const text of ['', 'garbage', '2026-11-20,1\n'])
        await assert.rejects(importCsv(store, text, options), { code: 'invalid', place: 'a.csv', message });
    }
    assert.equal(await exportText(store), before);
  });
});
