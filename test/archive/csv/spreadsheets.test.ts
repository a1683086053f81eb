// Files as spreadsheets and programs of several countries write them, those that may mean two things, and
// what this program writes itself.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { AppError } from '../../../src/model/app-error.ts';
import { pointsOf } from '../../../src/model/columns.ts';
import { byteOrderMark } from '../../../src/model/csv-row.ts';
import { renderSeriesCsv } from '../../../src/series/series-csv.ts';
import { anyEntries } from '../../support/points.ts';
import { fc } from '../../support/seed.ts';
import { csvFiles, csvFolder } from './csv-files.ts';
import { pointsIn } from './points-in.ts';

describe('a CSV file', () => {
  for (const { name, bytes, options, points, line, says = '' } of csvFiles)
    test(`${name} is ${points === undefined ? 'refused' : 'read'}`, async () => {
      if (points !== undefined) {
        const expected = points.map(([time, value]) => [Date.parse(time), value]);
        assert.deepEqual(await pointsIn(bytes, options), expected);
        return;
      }
      await assert.rejects(pointsIn(bytes, options), (error) => {
        assert.ok(error instanceof AppError, String(error));
        assert.deepEqual([error.code, error.place], ['invalid', `a.csv:${line}`]);
        assert.ok(error.message.includes(says), error.message);
        return true;
      });
    });

  test('has an expectation', () => {
    const listed = ['expected.json', ...csvFiles.flatMap(({ file }) => file ?? [])];
    assert.deepEqual(readdirSync(csvFolder).sort(), listed.sort());
  });
});

test('the CSV that this program writes for any line is read back as it was, whatever the line is called', async () => {
  const anyName = fc.string({
    unit: fc.constantFrom('a', ' ', ',', ';', '\t', '"', '\n', '1', '=', 'é'),
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(anyEntries, anyName, fc.boolean(), async (entries, name, isMarked) => {
      for (const names of [
        ['timestamp', 'value'],
        ['time', name],
      ]) {
        const text = [...renderSeriesCsv(pointsOf(entries), names)].join('');
        assert.deepEqual(await pointsIn(Buffer.from((isMarked ? byteOrderMark : '') + text)), entries);
      }
    }),
  );
});
