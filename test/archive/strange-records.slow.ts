// Archives of records with values at and beyond every bound, in any order: refused with nothing stored, or stored
// completely.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { importArchives } from '../../src/cli/commands/import.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';
import { removeLog } from '../../src/store/sqlite/remove-database.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { archiveText } from '../support/archive-text.ts';
import { fc } from '../support/seed.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const archiveCount = Number(process.env['PLUGIN_METRICS_TEST_MUTATIONS'] ?? 100);

/** JSON texts, each valid in at least one place. */
const strange = fc.constantFrom(
  ...[
    'null',
    'true',
    '{}',
    '[]',
    '""',
    '"a"',
    '0',
    '-0',
    '-1',
    '1.5',
    '1.0',
    '1e3',
    '1E-2',
    '1e400',
    '5e-324',
  ],
  ...['9007199254740991', '9007199254740993', '1.7976931348623157e308', '8.64e15', '8640000000000001'],
  ...['"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"__proto__"', '"\\u202e"', '" "', '"1"', '"ä"'],
  ...[`"${'x'.repeat(200)}"`, `"${'x'.repeat(201)}"`, `"${'😀'.repeat(100)}"`, `"${'😀'.repeat(101)}"`],
  ...['{"__proto__":1}', '{"a":1,"a":2}', '{"2":1,"1":2}', '[[1,1]]', '[[1]]', '[[1,null]]', '[[1,2,3]]'],
);

/** Mostly valid values; otherwise no archive of several records would ever be stored. */
const mostly = (good: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 60, arbitrary: good }, { weight: 1, arbitrary: strange });
const oneOf = (...texts: readonly string[]) => mostly(fc.constantFrom(...texts));
const id = oneOf('1', '1', '1', '2', '9007199254740991');
const name = oneOf('"A"', '"Ä"', '"\\u0041\\u0301"', '"😀"', `"${'x'.repeat(200)}"`);
const chartId = oneOf('"a"', '"a"', '"b"', '"12"', '"__proto__"', '"constructor"');
const uid = oneOf('1', '2', '3', '9007199254740991');
const isSo = oneOf('true', 'false');
const settings = oneOf(
  '{}',
  '{"lineName":"L","filter":{"enabled":false,"maxValue":null,"minValue":1.50}}',
  '{"2":1,"1":[]}',
);
const type = oneOf(
  ...[
    '"single_linechart"',
    '"single_linechart"',
    '"single_linechart"',
    '"simple_pie"',
    '"drilldown_pie"',
    '"simple_map"',
  ],
  ...['"advanced_bar"', '"own_type"'],
);
const timestamp = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((slot) => String(slot * 1_800_000)),
  fc.constantFrom('0', '1', '8640000000000000'),
);
const value = fc.oneof(
  fc.integer().map(String),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => JSON.stringify(number)),
  fc.constantFrom(
    '-0',
    '0.1',
    '1e3',
    '5e-324',
    '1.7976931348623157e308',
    '9007199254740993',
    '123456789012345678901',
  ),
);
const points = fc
  .array(fc.tuple(timestamp, value), { maxLength: 40 })
  .map((pairs) => `[${pairs.map(([time, number]) => `[${time},${number}]`).join()}]`);
const data = mostly(
  fc.oneof(
    { weight: 5, arbitrary: points },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...['[]', '[{"name":"a","y":1}]', '[{"code":"DE","value":1.0}]', '[{"name":"a","data":[1,2]}]'],
        '{"drilldownData":[{"name":"a","id":"a","data":[["x",1]]}],"seriesData":[{"name":"a","y":1,"drilldown":"a"}]}',
      ),
    },
  ),
);

function line(record: string, fields: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  return fc
    .record(fields)
    .map((texts) => [
      `"record":"${record}"`,
      ...Object.entries(texts).map(([key, text]) => `"${key}":${text}`),
    ])
    .map((members) => `{${members.join()}}`);
}

const owner = mostly(
  fc.tuple(id, name).map(([ownerId, ownerName]) => `{"id":${ownerId},"name":${ownerName}}`),
);
const url = oneOf('"a"', '"a"', '"b"', '"c.d-e_f"');
const software = line('software', { id, name, url, globalPluginId: oneOf('null', '1', '2') });
const plugin = line('plugin', { id, name, owner, softwareId: id, isGlobal: isSo });
const chart = line('chart', {
  ...{ pluginId: id, chartId, uid, type, position: oneOf('0', '-3', '1', '9007199254740991') },
  ...{ title: name, isDefault: isSo, data: settings },
});
const dataLine = line('data', { pluginId: id, chartId, data });
const good = [
  '{"record":"software","id":1,"name":"S","url":"a","globalPluginId":null}',
  '{"record":"plugin","id":1,"name":"P","owner":{"id":1,"name":"O"},"softwareId":1,"isGlobal":false}',
  '{"record":"chart","pluginId":1,"chartId":"a","uid":1,"type":"single_linechart","position":0,"title":"T","isDefault":true,"data":{}}',
];
const anyLine = fc.oneof(software, plugin, chart, { weight: 3, arbitrary: dataLine });
const archive = fc
  .tuple(fc.constantFrom([], good), fc.array(anyLine, { maxLength: 5 }))
  .map(([first, lines]) => archiveText([...first, ...lines]));

test('an archive of strange records is refused with nothing stored, or stored completely', async (t) => {
  const outcomes = { refused: 0, stored: 0 };
  const path = directory.at('store.db');
  await fc.assert(
    fc.asyncProperty(fc.array(archive, { minLength: 1, maxLength: 3 }), async (archives) => {
      remove(path);
      let before = '';
      for (const text of archives) {
        const isStored = await isImported(path, text);
        outcomes[isStored ? 'stored' : 'refused']++;
        const now = existsSync(path) ? await exportText(path) : '';
        if (isStored) await assertLasting(path, { text, exported: now });
        else assert.equal(now, before, 'a refused archive changes nothing');
        before = now;
      }
    }),
    { numRuns: archiveCount },
  );
  t.diagnostic(`${outcomes.refused} refused, ${outcomes.stored} stored`);
  assert.ok(outcomes.stored > outcomes.refused / 10, 'most are refused');
});

/** Imports as the command does; a refusal must name the line. */
async function isImported(path: string, text: string): Promise<boolean> {
  const file = directory.at('strange');
  writeFileSync(file, text);
  try {
    await importArchives(parseStoreName(path), [file], true);
    return true;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.match(error.place ?? '', /strange:\d+$/);
    return false;
  }
}

/** Asserts that the store has no faults, and that its export gives the same in another store and when imported again. */
async function assertLasting(
  path: string,
  { text, exported }: { readonly text: string; readonly exported: string },
): Promise<void> {
  assert.deepEqual(await Array.fromAsync(checkSqliteStore(path, recordChecker())), []);
  const other = directory.at('other.db');
  remove(other);
  await importText(other, exported);
  assert.equal(await exportText(other), exported);
  removeLog(path);
  remove(other);
  copyFileSync(path, other);
  // An archive that moves a url from one software to another may now be refused: the url is taken when the first line is
  // repeated.
  await isImported(other, text);
  assert.equal(await exportText(other), exported, 'imported twice is imported once');
}

function remove(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}
