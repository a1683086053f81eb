/**
 * The contract of stores for writes on a damaged row: a write is refused and names the row, or everything is
 * right afterwards. The tests change each column of each table in one row.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { closeSlot } from '../../src/collect/close-slot.ts';
import { AppError } from '../../src/model/app-error.ts';
import { shareKey } from '../../src/model/columns.ts';
import type { Store } from '../../src/model/store.ts';
import type { ColumnType } from '../../src/store/statement.ts';
import type { Table } from '../../src/store/table.ts';
import { allTables } from '../../src/store/tables.ts';
import {
  chartLine,
  dataLine,
  eventLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
  windowsText,
} from '../support/archive-text.ts';
import { type Answers, everyKind, loadAnswers, wrongAnswers } from '../support/damaged-answers.ts';
import { allParts, loggedReport } from '../support/logged-report.ts';
import { runProgram } from '../support/run-program.ts';
import { pluginRoutes, serveRoutes } from '../upstream/dialect-server.ts';
import { mirrorOnce } from '../upstream/mirror-into.ts';
import { exportFrom, importInto } from './store-contract.ts';

const hourMs = 3_600_000;
const day = (count: number) => new Date(count * 24 * hourMs).toISOString();
const history = (start: number, count: number) =>
  JSON.stringify({
    record: 'history',
    pluginId: 7,
    chartId: 'versions',
    times: Array.from({ length: count }, (_, index) => (start + index) * hourMs),
    series: ['1.0', '2.0'].map((name, rank) => ({
      name,
      values: Array.from({ length: count }, (_, index) => ((start + index) % 97) + rank),
    })),
  });
const at = (line: string, hours: number) => line.replace(/\}$/, `,"at":${hours * hourMs}}`);
const line = (
  pluginId: number,
  chartId: string,
  uid: number,
  points: readonly (readonly [number, number])[],
) => [
  chartLine({ pluginId, chartId, uid, position: 9, title: chartId }),
  JSON.stringify({
    record: 'data',
    pluginId,
    chartId,
    data: points.map(([hours, value]) => [hours * hourMs, value]),
  }),
];

/** An archive with a row of every kind, and with latest numbers, trends, and shares in several chunks. */
const filled = windowsText([
  ...linesIn(everyKind),
  softwareLine({ id: 3, name: 'Unused', url: 'unused' }),
  pluginLine({ id: 9, name: 'Nine' }),
  pluginLine({ id: 11, name: 'Last' }),
  ...line(7, 'servers', 71, [[5, 900]]),
  ...line(8, 'servers', 80, [
    [5, 20],
    [200, 30],
  ]),
  ...line(8, 'players', 81, [[200, 90]]),
  ...line(9, 'servers', 90, [
    [100, 50],
    [201, 40],
  ]),
  ...line(11, 'servers', 95, [[1, 2]]),
  history(2, 600),
  at(dataLine('versions', '[{"name":"1.0","y":7}]'), 650),
  '{"record":"oldName","pluginId":8,"name":"Eighth"}',
  removalLine(1, { pluginId: 8 }),
]);
const targets = [
  '/api/v1/plugins/9',
  '/api/v2/plugins/9',
  '/api/v2/plugins/9/archive',
  '/api/v1/plugins/8/charts/servers/data',
  '/api/v2/series?charts=8:servers,9:servers&range=all',
];

/** Writes to a store; resolves to the message of the refusal, or to undefined. */
type Write = (store: Store) => Promise<string | undefined>;

const program =
  (command: string, input?: readonly string[]): Write =>
  async (store) => {
    const { code, stderr } = await runProgram(
      [...command.split(' '), '--store', store.givenName],
      input === undefined ? {} : { input: pastText(input) },
    );
    return code === 0 ? undefined : stderr;
  };
const importing = (...lines: readonly string[]) => program('import -', lines);

const slot = 1_782_864_000_000;
const close: Write = async (store) => {
  {
    await using reports = await store.openReports();
    await reports.openSlot(slot);
    await reports.append(
      slot,
      loggedReport(1, {
        8: { 'servers single_linechart': 1 },
        7: { 'versions simple_pie': [[shareKey({ group: null, name: '2.0' }), 1]] },
      }),
    );
  }
  try {
    await closeSlot({ start: slot, covered: allParts }, { store, slotMs: hourMs / 2, historyMs: hourMs });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof AppError, `${error instanceof Error ? error.stack : error}`);
    return error.message;
  }
};

const mirror: Write = async (store) => {
  await using server = await serveRoutes(pluginRoutes({ points: [[5000, 1]], listed: { isGlobal: true } }));
  try {
    const { failures } = await mirrorOnce({ path: store.givenName }, server.url, { store });
    return failures[0];
  } catch (error) {
    assert.ok(error instanceof AppError, `${error instanceof Error ? error.stack : error}`);
    return error.message;
  }
};

const writes: Readonly<Record<string, Write>> = {
  'an import of a point': importing(line(9, 'servers', 90, [[202, 45]])[1] ?? ''),
  'an import of a point of another chart': importing(dataLine('players', '[[7200000,4]]')),
  'an import of a lower number': importing(line(8, 'servers', 80, [[201, 1]])[1] ?? ''),
  'an import of data with a time': importing(at(dataLine('versions', '[{"name":"1.0","y":8}]'), 700)),
  'an import of data with an earlier time': importing(
    at(dataLine('versions', '[{"name":"1.0","y":9}]'), 640),
  ),
  'an import of a history': importing(history(100, 3)),
  'an import of a catalogue': importing(
    softwareLine({ id: 2, name: 'Two', url: 'bungee' }),
    pluginLine({ id: 8, name: 'Eight', owner: { id: 43, name: 'Forty' }, softwareId: 1 }),
    chartLine({ title: 'Renamed' }),
  ),
  'an import of an event, a name and a removal': importing(
    '{"record":"oldName","pluginId":7,"name":"Once"}',
    eventLine(5, '2.0'),
    removalLine(4, { pluginId: 8 }),
  ),
  'a prune of what is old': program(`prune --before ${day(7)}`),
  'a prune of what is new': program(`prune --after ${day(26)} --chart 7/versions`),
  'a removal of a plugin': program('remove plugin 9'),
  'a removal of a chart': program('remove chart 8/servers'),
  'a removal of a point': program(`remove point 8/servers --time ${new Date(200 * hourMs).toISOString()}`),
  'a removal of an event': program(`remove event 7 --time ${day(0)}`),
  'a removal of a software': program('remove software unused'),
  'a renaming': program('rename plugin 8 --name Second-2 --owner Ünlü'),
  'a new plugin': program('add plugin --name New --owner ExampleUser --software bukkit'),
  'a new chart': program('add chart 9/modes --type simple_pie --title Modes'),
  'the closing of a slot': close,
  'a mirror': mirror,
};

/** Conditions for the rows to change, by table; tables not listed have every row changed. */
const rows: Readonly<Record<string, readonly string[]>> = {
  software: ['id = 1', 'id = 2', "url = 'unused'"],
  owner: ['id = 43'],
  plugin: ['id = 8', 'id = 9'],
  old_name: ['plugin_id = 8'],
  chart: ['uid = 80', 'uid = 72', 'uid = 90'],
  snapshot: ['chart_uid = 72'],
  chunk: [`chart_uid = 72 and first_timestamp > ${400 * hourMs}`, 'chart_uid = 80'],
  event: ['time = 0'],
  removal: ['plugin_id = 8'],
  chart_now: ['chart_uid = 80', 'chart_uid = 72', 'chart_uid = 90'],
  chart_shares: ['chart_uid = 72'],
  plugin_now: ['plugin_id = 8', 'plugin_id = 9'],
  plugin_trend: ['plugin_id = 8'],
  software_now: ['software_id = 1', 'software_id = 2'],
};

const changes: Readonly<Record<ColumnType, (column: string) => readonly string[]>> = {
  integer: (column) => [`coalesce(${column}, 0) + 1`, `coalesce(${column}, 0) - 1`],
  number: (column) => [`coalesce(${column}, 0) + 1`, `-1 - coalesce(${column}, 0)`],
  text: (column) => [`coalesce(${column}, '') || 'x'`],
  flag: (column) => [`not ${column}`],
  bytes: (column) => [`set_byte(${column}, 9, 255 - get_byte(${column}, 9))`],
  serial: (column) => [`${column} + 1`],
  checksum: (column) => [`${column} + 1`],
};

/** A change to one column of one row. */
interface Flip {
  readonly sql: string;
  readonly isKey: boolean;
  /** True for the first change of a column in the first row. */
  readonly isFirst: boolean;
}

function flipsOf({ name: table, columns, keys }: Table): readonly Flip[] {
  return columns.flatMap(({ name, sqlName: column, kind }) => {
    const values = [...changes[kind.type](column)];
    if (kind.isNullable) values.push('null');
    if (column === 'type') values.push("'simple_bar'", "'single_linechart'");
    return values.flatMap((value, change) =>
      (rows[table] ?? ['true']).map((where, row) => ({
        sql: `update ${table} set ${column} = ${value} where ${where}`,
        isKey: keys.includes(name),
        isFirst: change === 0 && row === 0,
      })),
    );
  });
}

/** A damaged store, the rows that the damage has removed, and those that have replaced them. */
interface Damaged {
  readonly store: Store;
  readonly lost: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
}

/** Operations on stores in files: copying them, and reading their rows as text. */
interface StoreFiles {
  readonly copyStore: (store: Store) => Store;
  readonly rowsOf: (store: Store) => ReadonlySet<string>;
}

/**
 * Declares the tests for one kind of store.
 * @param files if given, every write is tested on every change; otherwise, one write on each change.
 */
export function damagedWritesContract(
  name: string,
  {
    makeStore,
    runSql,
    files,
  }: {
    readonly makeStore: () => Promise<Store>;
    readonly runSql: (store: Store, sql: string) => Promise<void>;
    readonly files?: StoreFiles;
  },
): void {
  const fill = async () => {
    const store = await makeStore();
    await importInto(store, filled);
    return store;
  };
  const rowsOf = (store: Store) => files?.rowsOf(store) ?? new Set<string>();
  let good: Promise<Store> | undefined;
  const make = async (sql?: string) => {
    good ??= fill();
    const store = files === undefined ? await fill() : files.copyStore(await good);
    if (sql !== undefined) await runSql(store, sql);
    return store;
  };
  const answersOf = (store: Store) => loadAnswers(store, targets);
  const rightAfter = new Map<string, Answers>();
  const rowsAfter = new Map<string, ReadonlySet<string>>();
  const all = Object.entries(writes);

  describe(`${name}: a write on a damaged row`, () => {
    let rowsBefore: ReadonlySet<string> = new Set();
    test('is done where nothing is damaged', async () => {
      rowsBefore = rowsOf(await make());
      for (const [what, write] of all) {
        const store = await make();
        assert.equal(await write(store), undefined, what);
        rightAfter.set(what, await answersOf(store));
        rowsAfter.set(what, rowsOf(store));
        assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), [], what);
      }
    });

    test('makes nothing that a row without a plugin or a chart would belong to', async () => {
      const store = await make(
        'update plugin_now set plugin_id = 12 where plugin_id = 9; update chart_now set chart_uid = 96 where chart_uid = 90',
      );
      assert.equal(await writes['a new plugin']?.(store), undefined);
      const records = await exportFrom(store);
      assert.match(records, /"plugin","id":13,/);
      assert.match(records, /"pluginId":13,"chartId":"servers","uid":97,/);
    });

    /**
     * Makes a store with a change; undefined if another row has this key, or the column cannot contain the
     * value.
     */
    const damage = async (sql: string): Promise<Damaged | undefined> => {
      const store = await make(sql).catch(() => undefined);
      if (store === undefined) return undefined;
      const rows = rowsOf(store);
      return { store, lost: rowsBefore.difference(rows), added: rows.difference(rowsBefore) };
    };

    /**
     * True if the rows after a write equal those after the same write to an undamaged store, except for rows
     * that are still damaged.
     */
    const leftDamageAlone = (what: string, store: Store, { lost, added }: Damaged) => {
      const [right, after] = [rowsAfter.get(what) ?? assert.fail(), rowsOf(store)];
      return after.difference(right).isSubsetOf(added) && right.difference(after).isSubsetOf(lost);
    };

    /** Describes what is wrong after a write. */
    const faultAfter = async (
      [what, write]: readonly [string, Write],
      { sql, isKey }: Flip,
      damaged: Damaged,
    ) => {
      const store = files?.copyStore(damaged.store) ?? damaged.store;
      // The changed key has moved the row to a chart for which no server reports, and closing a slot replaces
      // the data of that chart.
      if (write === close && sql.startsWith('update snapshot set chart_uid')) return [];
      const refused = await write(store);
      if (refused !== undefined)
        return isKey || /is damaged: .*: restore a backup, or .*import/.test(refused)
          ? []
          : [`${sql}, ${what}: ${refused}`];
      if (files !== undefined && leftDamageAlone(what, store, damaged)) return [];
      const right = rightAfter.get(what) ?? assert.fail();
      const answers = await answersOf(store);
      const wrong = [...wrongAnswers(answers, right)];
      // A changed key hides its row, even before the write.
      const known =
        wrong.length > 0 && isKey
          ? wrongAnswers(await answersOf(await make(sql)), await answersOf(await make()))
          : [];
      const faults = await Array.fromAsync(store.check(recordChecker()));
      if (faults.length === 0)
        wrong.push(...[...right.keys()].filter((target) => answers.get(target) === undefined));
      const added = wrong.filter((target) => faults.length === 0 || !known.includes(target));
      return added.length === 0 ? [] : [`${sql}, ${what}: ${added} (${faults})`];
    };

    let turn = 0;
    for (const description of allTables) {
      const table = description.name;
      // These tables have one row, and no data.
      if (table === 'generation' || table === 'collection') continue;
      test(`of ${table} is refused, or everything is right afterwards`, async () => {
        const faults: string[] = [];
        for (const flip of flipsOf(description).filter(({ isFirst }) => isFirst || files !== undefined)) {
          const damaged = await damage(flip.sql);
          const some = files === undefined ? [all[turn++ % all.length] ?? assert.fail()] : all;
          if (damaged === undefined) continue;
          for (const write of some) faults.push(...(await faultAfter(write, flip, damaged)));
        }
        assert.deepEqual(faults, []);
      });
    }
  });
}
