// The faults that the check of a SQLite store finds.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { AppError } from '../../src/model/app-error.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { allTables, tables } from '../../src/store/tables.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const goodPath = directory.at('good.db');

before(async () => {
  const entries = Array.from({ length: 1500 }, (_, index) => [index * 10, (index * 37) % 101]);
  await importText(
    goodPath,
    archiveText([
      softwareLine(),
      pluginLine(),
      chartLine(),
      chartLine({ chartId: 'pie', uid: 71, type: 'advanced_pie', data: {} }),
      dataLine('players', JSON.stringify(entries)),
      dataLine('pie', '[{"name":"a","y":1}]'),
    ]),
  );
});

/** Damage to a good store, and the faults that the check finds. */
const damages: ReadonlyArray<readonly [what: string, sql: string, faults: readonly (string | RegExp)[]]> = [
  ['nothing', '', []],
  [
    'the row by which readers see changes, and another row',
    "delete from generation; update plugin set name = 'Other'",
    [
      'the table generation must have one row: readers see no changes; the next import restores it',
      'plugin 7: its checksum is wrong',
    ],
  ],
  [
    'the table by which readers see changes',
    'drop table generation; drop table snapshot',
    [
      'the table generation is not defined as it should be',
      'the table snapshot is not defined as it should be',
    ],
  ],
  [
    'a chunk that reaches into the next',
    'update chunk set first_timestamp = 5100 where first_timestamp = 5120',
    [
      'plugin 7, chart players: the chunk from 0 on reaches to 5110, into the one from 5100 on',
      'plugin 7, chart players: the chunk from 5100 on is damaged: its checksum is wrong',
    ],
  ],
  [
    'points of a chart that has no series',
    "update chart set type = 'simple_map' where uid = 70",
    [
      'plugin 7, chart players: its checksum is wrong',
      'plugin 7, chart players: a simple_map has points',
      'plugin 7, chart players: its row in chart_shares is missing',
    ],
  ],
  [
    'data of the wrong shape',
    `update snapshot set json = '[{"name":"a","y":"1"}]'`,
    ['plugin 7, data of chart pie: data[0].y must be a finite number, got "1"'],
  ],
  [
    'a plugin id out of range',
    "pragma foreign_keys = off; insert into plugin values (-1, 'a', 42, 1, 0, 'a', 0)",
    ['plugin -1: id must be an integer from 1 to 9007199254740991, got -1'],
  ],
  [
    'a removal of another plugin',
    "insert into removal values (9, '', null, 1), (9, 'players', 5, 1), (0, '', 5, 1)",
    [
      'the removal of points of every plugin: its checksum is wrong',
      'the removal of plugin 9: its checksum is wrong',
      'the removal of chart 9/players: its checksum is wrong',
    ],
  ],
  [
    'a removal of a chart of no plugin',
    `insert into removal values (0, 'players', 5, ${tables.removal.checksumOf([0, 'players', 5])})`,
    ['the removal of points of every plugin: the field "pluginId" is missing, which "chartId" needs'],
  ],
  [
    'a global plugin beyond 2^53, and another row',
    "update software set global_plugin_id = 9007199254740993; update plugin set name = 'Other'",
    [
      'software 1: its global plugin 9007199254740993 does not exist',
      'software 1: the store is damaged: a row has 9007199254740993 where an integer of at most 2^53-1 belongs',
      'plugin 7: its checksum is wrong',
    ],
  ],
  [
    'integers beyond 2^53',
    'update chart set position = 9007199254740993 where uid = 71; update chart set position = 9223372036854775807 where uid = 70',
    [/^plugin 7, chart pie: the store is damaged/, /^plugin 7, chart players: the store is damaged/],
  ],
  [
    'an entry of an index that the row does not have, which the place of a plugin counts',
    `pragma writable_schema = on;
    create temp table index_now as select * from sqlite_schema where name = 'plugin_now_software_id_servers_plugin_id';
    delete from sqlite_schema where name = 'plugin_now_software_id_servers_plugin_id';
    pragma writable_schema = reset;
    update plugin_now set servers = 9;
    pragma writable_schema = on;
    insert into sqlite_schema select * from index_now;
    pragma writable_schema = reset;`,
    [/in the table plugin_now: row 1 missing from index plugin_now_software_id_servers_plugin_id/],
  ],
  [
    'data of a missing chart',
    'pragma foreign_keys = off; delete from chart where uid = 71',
    ['a row of snapshot refers to a row of chart that does not exist'],
  ],
  [
    'a missing global plugin',
    'pragma foreign_keys = off; update software set global_plugin_id = 99',
    ['software 1: its global plugin 99 does not exist', 'software 1: its checksum is wrong'],
  ],
];

for (const [index, [what, sql, faults]] of damages.entries()) {
  test(`the check of a store with ${what} finds ${faults.length === 0 ? 'nothing' : 'it'}`, async () => {
    const path = directory.at(`damaged-${index}.db`);
    copyFileSync(goodPath, path);
    using db = new DatabaseSync(path, { defensive: false });
    db.exec(sql);
    const found = [...new Set(await faultsOf(path))];
    assert.equal(found.length, faults.length, found.join('\n'));
    for (const [at, fault] of faults.entries()) {
      if (typeof fault === 'string') assert.equal(found[at], fault);
      else assert.match(found[at] ?? '', fault);
    }
  });
}

test('the check finds a truncated store, and names the command that restores it', async () => {
  const path = directory.at('truncated.db');
  copyFileSync(goodPath, path);
  truncateSync(path, Math.floor(statSync(path).size / 2));
  // The fault is so early in the file that the store cannot even be opened.
  await assert.rejects(
    faultsOf(path),
    (error) =>
      error instanceof AppError &&
      error.message ===
        `the store ${path} is damaged: database disk image is malformed; move it away, and "plugin-metrics restore" makes it again from a backup`,
  );
});

test('the check of an overwritten page names the table and the way out in one line', async () => {
  const good = readFileSync(goodPath);
  const named = new Set<string | undefined>();
  for (let page = 1; page < good.length / 4096; page++) {
    const path = directory.at('overwritten.db');
    writeFileSync(path, Buffer.from(good).fill(0x5a, page * 4096, (page + 1) * 4096));
    // If the page belongs to the schema, the store cannot be opened.
    const [fault, ...more] = await faultsOf(path).catch((error) => [
      error instanceof AppError ? error.message : assert.fail(),
    ]);
    assert.match(fault ?? '', /^the store .+ "plugin-metrics restore" makes it again from a backup$/);
    assert.deepEqual(more, []);
    named.add(/broken page in the table (\w+): /.exec(fault ?? '')?.[1]);
  }
  assert.deepEqual([...named].sort(), [...allTables.map(({ name }) => name).sort(), undefined]);
});

test('the check of an inaccessible path reports that there is no store', async () => {
  const path = directory.at('x'.repeat(300));
  await assert.rejects(Array.fromAsync(checkSqliteStore(path, recordChecker())), { code: 'not_found' });
});

async function faultsOf(path: string): Promise<string[]> {
  return await Array.fromAsync(checkSqliteStore(path, recordChecker()));
}
