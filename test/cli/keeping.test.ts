// The commands that maintain a store, run as users run them: their output, their refusals, and their effect
// on a running server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { parseMetrics } from '../admin/metrics-text.ts';
import { serveStore } from '../http/support/test-server.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  eventLine,
  pastText,
  pluginLine,
  softwareLine,
  windowLine,
  windowsText,
} from '../support/archive-text.ts';
import { mainPath, messagesIn, type Run, runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile, temporaryDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import '../support/without-coverage.ts';

const directory = directoryOfFile();

const text = archiveText([
  softwareLine({ globalPluginId: 7 }),
  pluginLine(),
  chartLine(),
  dataLine('players', '[[0,1],[1800000,2],[3600000,3]]'),
]);
const path = directory.at('store.db');

before(() => importText(path, text));

/** Runs a command on the store of these tests, from within its folder. */
function run(...argv: string[]): Promise<Run> {
  return runProgram(argv, { cwd: directory.path, env: { PLUGIN_METRICS_STORE: 'store.db' } });
}

function assertRun(actual: Run, expected: Partial<Run>): void {
  assert.deepEqual(actual, { code: 0, signal: null, stdout: '', stderr: '', ...expected });
}

describe('on a terminal', () => {
  /**
   * Runs a command with standard error on a terminal, and returns the status lines and what replaced them.
   */
  async function statusLines(...argv: string[]): Promise<string[]> {
    const { code, stderr } = await runProgram(argv, { isTerminal: true });
    assert.equal(code, 0, stderr);
    assert.ok(stderr.endsWith('\r\u001b[K'), 'the last one is cleared');
    return [...new Set(stderr.split('\r\u001b[K').filter((line) => line !== ''))];
  }

  test('check says what it is doing, since SQLite blocks any timer', async () => {
    assert.deepEqual(await statusLines('check', '--store', path), [
      `checking ${path}`,
      'checking 7/players; 0 %',
    ]);
  });

  test('restore shows how much it has copied, and that it is checking', async () => {
    const restored = directory.at('watched.db');
    assert.deepEqual(await statusLines('restore', path, '--store', restored), [
      `copying ${path}`,
      `checking ${restored}; 0 %`,
      'checking 7/players; 0 %',
    ]);
    rmSync(restored);
  });
});

test('removing and pruning name the snapshots and the events that they take', async () => {
  using own = temporaryDirectory();
  const [store, archive] = [own.at('past.db'), own.at('past.ndjson')];
  const history = (chartId: string) =>
    `{"record":"history","pluginId":7,"chartId":"${chartId}","times":[0,3600000,7200000],"series":[{"name":"a","values":[1,2,3]}]}`;
  const charts = ['a', 'b'].map((chartId, index) =>
    chartLine({ chartId, uid: 80 + index, type: 'simple_pie' }),
  );
  writeFileSync(
    archive,
    pastText([
      softwareLine(),
      pluginLine(),
      ...charts,
      history('a'),
      history('b'),
      eventLine(0, '1.0'),
      eventLine(1, '1.0'),
    ]),
  );
  await runProgram(['import', '--store', store, archive]);
  const said = async (command: string) =>
    (await runProgram([...command.split(' '), '--store', store])).stdout.trim();
  assert.equal(
    await said('prune --before 1970-01-01T01:00:00Z'),
    'pruned points before 1970-01-01T01:00:00.000Z: 2 charts, 0 points, 2 snapshots',
  );
  assert.equal(await said('remove chart 7/a'), 'removed chart 7/a: 1 chart, 0 points, 2 snapshots');
  assert.equal(await said('remove plugin 7'), 'removed plugin 7: 1 chart, 0 points, 2 snapshots, 2 events');
});

test('a point goes, or what a history has at a time, and the newest that is left is shown', async () => {
  using own = temporaryDirectory();
  const store = own.at('points.db');
  const pie = chartLine({ chartId: 'os', uid: 71, type: 'simple_pie', position: 1 });
  const catalogue = [softwareLine(), pluginLine()];
  const os = (at: number, share: string) => dataLine('os', `[{"name":"${share}","y":1}],"at":${at}`);
  const past =
    '{"record":"history","pluginId":7,"chartId":"os","times":[0],"series":[{"name":"a","values":[1]}]}';
  const players = (points: string) => dataLine('players', points);
  await importText(
    store,
    pastText([
      ...catalogue,
      pie,
      past,
      os(3_600_000, 'x'),
      chartLine(),
      players('[[0,1],[1800000,1e30],[3600000,3]]'),
    ]),
  );
  const remove = (point: string, ...options: string[]) =>
    run('remove', 'point', ...point.split(' at '), '--store', store, ...options);
  const left = [chartLine(), players('[[0,1],[3600000,3]]')];
  const before = await exportText(store);
  const dry = await remove('7/players at --time=1970-01-01T00:30Z', '--dry-run');
  const removed = 'removed point 7/players at 1970-01-01T00:30:00.000Z: 1 point\n';
  assertRun(dry, { stdout: `would remove${removed.slice('removed'.length)}` });
  assert.equal(await exportText(store), before);
  assertRun(await remove('7/players at --time=1970-01-01T00:30Z'), { stdout: removed });
  assertRun(await remove('7/players at --time=1970-01-01T00:30Z'), {
    code: 1,
    stderr: 'error: chart 7/players has no point at 1970-01-01T00:30:00.000Z\n',
  });
  assertRun(await remove('7/os at --time=3600000000000'), {
    code: 1,
    stderr: 'error: chart 7/os has no point at 2084-01-29T16:00:00.000Z\n',
  });
  assertRun(await remove('7/os at --time=1970-01-01T01:00Z'), {
    stdout: 'removed point 7/os at 1970-01-01T01:00:00.000Z: 1 snapshot\n',
  });
  const gone = windowLine([1_800_000, 1_800_001]);
  const goneOf = (time: number) => windowLine([time, time + 1], { chartId: 'os' });
  assert.equal(
    await exportText(store),
    windowsText([...catalogue, pie, os(0, 'a'), past, ...left, goneOf(3_600_000), gone]),
  );
  assertRun(await remove('7/os at --time=0'), {
    stdout: 'removed point 7/os at 1970-01-01T00:00:00.000Z: 1 snapshot\n',
  });
  assert.equal(
    await exportText(store),
    windowsText([...catalogue, pie, ...left, goneOf(0), goneOf(3_600_000), gone]),
  );
  assert.equal((await run('check', '--store', store)).code, 0);
});

describe('a dry run', () => {
  const dryRuns: ReadonlyArray<readonly [command: string, stdout: string | RegExp]> = [
    [
      'remove plugin 7',
      'would remove plugin 7: 1 chart, 3 points; it was the global plugin of software 1, which has none now\n',
    ],
    [
      'prune --before 1970-01-01T00:30:00Z',
      'would prune points before 1970-01-01T00:30:00.000Z: 1 chart, 1 point\n',
    ],
    ['import dry.ndjson', /^would import 1 software, 1 plugin, 0 charts, 0 points in .* into store\.db\n$/],
    ['compact', /^would compact store\.db: \d+ kB of \d+ kB are not in use\n$/],
    [
      'restore --store new.db store.db',
      'would restore store.db into new.db: 1 software, 1 plugin, 1 chart, 3 points\n',
    ],
  ];
  before(() => {
    const renamed = archiveText([softwareLine(), pluginLine({ name: 'Renamed' })]);
    writeFileSync(directory.at('dry.ndjson'), renamed);
  });
  for (const [command, expected] of dryRuns) {
    test(`of ${command} says what it would do, and changes nothing`, async () => {
      const { code, stdout, stderr } = await run(...command.split(' '), '--dry-run');
      assert.deepEqual([code, stderr], [0, '']);
      if (typeof expected === 'string') assert.equal(stdout, expected);
      else assert.match(stdout, expected);
      assert.equal(await exportText(path), text);
      assert.deepEqual(storesIn(directory.path), ['store.db']);
    });
  }
});

test('stats are lines for people, one JSON object for programs, or metrics for Prometheus', async () => {
  const times = ['oldest', 'newest', 'newest_past'].map((of, index) => [
    `${of}_point_timestamp_seconds`,
    index && 3600,
  ]);
  const counts = {
    software: 1,
    plugins: 1,
    charts: 1,
    points: 3,
    snapshots: 0,
    events: 0,
    bytes: sizeOf(path),
  };
  assert.deepEqual(
    [...parseMetrics((await run('stats', '--prometheus')).stdout)],
    [...Object.entries(counts), ...times].map(([name, value]) => [`plugin_metrics_store_${name}`, value]),
  );
  assertRun(await run('stats', '--json'), {
    stdout: `{"software":1,"plugins":1,"charts":1,"points":3,"snapshots":0,"events":0,"bytes":${sizeOf(path)},"oldestTimestamp":0,"newestTimestamp":3600000,"newestPastTimestamp":3600000}\n`,
  });
  assertRun(await run('stats'), {
    stdout: `software      1
plugins       1
charts        1
points        3
bytes         ${sizeOf(path).toLocaleString('en-US')}
oldest point  1970-01-01T00:00:00.000Z
newest point  1970-01-01T01:00:00.000Z
`,
  });
});

describe('a command that cannot be done', () => {
  const refusals: ReadonlyArray<readonly [command: string, code: number, stderr: string | RegExp]> = [
    ['remove plugin 8', 1, 'error: there is no plugin with the id 8\n'],
    ['remove chart 7/Players', 1, 'error: plugin 7 has no chart "Players"\n'],
    ['prune', 2, /^error: say which points go: --before DATE, --after DATE or both\n/],
    [
      'prune --after 2024-01-02 --before 2024-01-01',
      2,
      /^error: nothing lies between: --after must be earlier than --before\n/,
    ],
    [
      'prune --before 2062-06-01',
      2,
      /^error: --before: it must not be after now, as --after alone removes what lies in the future, got 2062-06-01T00:00:00\.000Z\n/,
    ],
    ['backup cut.db', 1, 'error: cut.db: it is there already, and a backup replaces nothing\n'],
    [
      'backup nowhere/b.db',
      1,
      /^error: nowhere\/b\.db: cannot be written: there is no folder \S+nowhere: "mkdir -p \S+nowhere" makes it\n$/,
    ],
    ['backup -', 2, /^error: a backup is a file; "export" writes to standard output\n/],
    [
      'backup --store postgres://localhost:1/x b.db',
      1,
      'error: a store on a PostgreSQL server is backed up with "plugin-metrics export", or with the tools of the server such as pg_dump\n',
    ],
    ['restore cut.db', 1, 'error: there is a store at store.db already; move it away, or name another one\n'],
    ['restore --store new.db missing', 1, 'error: missing: cannot be read: there is no such file\n'],
    ['restore --store new.db cut.ndjson', 1, /^error: cut\.ndjson:4: the archive is incomplete/],
  ];
  before(() => {
    writeFileSync(directory.at('cut.ndjson'), text.split('\n').slice(0, 4).join('\n'));
    writeFileSync(directory.at('cut.db'), readFileSync(path).subarray(0, 9000));
  });
  after(() => {
    rmSync(directory.at('cut.ndjson'));
    rmSync(directory.at('cut.db'));
  });
  for (const [command, code, expected] of refusals) {
    test(`${command} is refused, and leaves no files`, async () => {
      const refused = await run(...command.split(' '));
      assert.equal(refused.code, code, refused.stderr);
      if (typeof expected === 'string') assert.equal(refused.stderr, expected);
      else assert.match(refused.stderr, expected);
      if (code === 1) assert.equal(refused.stderr.split('\n').length, 2, 'more than one line');
      assert.deepEqual(storesIn(directory.path), ['cut.db', 'store.db']);
    });
  }

  test('refuses a missing store, and creates none', async () => {
    mkdirSync(directory.at('empty'));
    for (const command of [
      ...['serve --port 0', 'export', 'export out.ndjson', 'check', 'backup b.db', 'remove plugin 7'],
      ...['remove chart 7/players', 'prune --before 1d', 'compact', 'stats', 'add event 7 --title x'],
    ]) {
      const run = await runProgram(command.split(' '), { cwd: directory.at('empty') });
      const stderr = command.startsWith('serve') ? messagesIn(run.stderr) : run.stderr;
      const said = 'error: there is no store at plugin-metrics.db; "plugin-metrics import" makes one\n';
      assertRun({ ...run, stderr }, { code: 1, stderr: said });
    }
    assert.deepEqual(readdirSync(directory.at('empty')), []);
  });

  test('the backup of a damaged store ends with 1 and one line, and makes no file', async () => {
    const damaged = directory.at('damaged.db');
    await importText(damaged, archiveText([softwareLine(), pluginLine()]));
    const refusedFor = async (fault: string) =>
      assertRun(await runProgram(['backup', '--store', damaged, `${damaged}.backup`]), {
        code: 1,
        stderr: `error: the store ${damaged} is damaged: ${fault}; no backup was made\n`,
      });
    let root = 0;
    {
      using db = new DatabaseSync(damaged);
      db.exec("update plugin set name = 'Other'");
      root = Number(
        db.prepare("select rootpage from sqlite_schema where name = 'event'").get()?.['rootpage'],
      );
    }
    await refusedFor('plugin 7: its checksum is wrong');
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, bytes.fill(0x5a, (root - 1) * 4096, root * 4096));
    await refusedFor(
      `the store has a broken page in the table event: Tree ${root} page ${root}: btreeInitPage() returns error code 11; move it away, and "plugin-metrics restore" makes it again from a backup`,
    );
    assert.deepEqual(
      storesIn(directory.path).filter((name) => name.startsWith('damaged.db.backup')),
      [],
    );
    for (const name of storesIn(directory.path))
      if (name.startsWith('damaged.db')) rmSync(directory.at(name));
  });

  test('a compressed file that is no backup, or a damaged one, is not restored', async () => {
    const other = directory.at('other.db');
    {
      using db = new DatabaseSync(other);
      db.exec('create table t (x)');
    }
    const whole = zstdCompressSync(readFileSync(path));
    const files: ReadonlyArray<readonly [name: string, bytes: Buffer, said: string]> = [
      ['other.db.zst', zstdCompressSync(readFileSync(other)), '.+ is not a plugin-metrics store'],
      ['half.db.zst', whole.subarray(0, whole.length / 2), '.+ is cut off or damaged: .+'],
      ['changed.db.zst', zstdCompressSync(readFileSync(path).fill(0x5a, 9000)), '.+ is damaged: .+'],
      ['empty.db.zst', zstdCompressSync(''), '.+'],
    ];
    rmSync(other);
    for (const [name, bytes, said] of files) {
      writeFileSync(directory.at(name), bytes);
      const { code, stderr } = await run('restore', '--store', 'new.db', name);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`^error: ([^:]*${name}\\b.*: )?${said}\\n$`));
      assert.match(stderr, new RegExp(`\\b${name}\\b`));
      rmSync(directory.at(name));
      assert.deepEqual(storesIn(directory.path), ['cut.db', 'store.db']);
    }
  });

  test('a full disk ends a backup and a restore with one line, and leaves no files', async () => {
    const large = directory.at('large.db');
    const pie = `["${'x'.repeat(500_000)}"]`;
    const lines = [chartLine({ chartId: 'pie', uid: 99, type: 'custom' }), dataLine('pie', pie)];
    await importText(large, archiveText([softwareLine(), pluginLine(), ...lines]));
    for (const argv of [`backup --store ${large} full.db`, `restore --store full.db ${large}`]) {
      const { code, stderr } = await shell(`ulimit -f 200; exec "$0" "$1" ${argv}`);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^error: copying \S*large\.db to full\.db failed: (disk I\/O error|database or disk is full)\n$/,
      );
      assert.deepEqual(storesIn(directory.path), ['large.db', 'store.db', 'cut.db'].sort());
    }
    rmSync(large);
  });
});

test('backup --keep makes a compressed backup, and removes the oldest of its own alone', async () => {
  using folder = temporaryDirectory();
  const nameAt = (year: number) => `store-${year}-11-29T031000.000Z.db.zst`;
  const foreign = [
    'notes',
    `old-${nameAt(2001)}`,
    `${nameAt(2001)}.part`,
    'store-2001-11-29-031000.db',
    'store.db.zst',
  ];
  // A wrong clock may have made one of the future; a killed backup leaves what it was building.
  const own = [2001, 2002, 2003, 2099].map(nameAt);
  const leftovers = ['store-.db.zst.new-7', 'store-.db.zst.new-70'];
  for (const name of [...foreign, ...own, ...leftovers]) writeFileSync(folder.at(name), '');
  mkdirSync(folder.at(nameAt(2000)));
  const { stdout } = await run('backup', '--keep', '3', folder.path);
  const [, made = ''] =
    /^backed up store\.db to (\S+): .* in .*; removed 2 older\n$/.exec(stdout) ?? assert.fail(stdout);
  assert.match(basename(made), /^store-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.db\.zst$/);
  const left = [...foreign, nameAt(2000), nameAt(2003), nameAt(2099), basename(made)];
  assert.deepEqual(readdirSync(folder.path).sort(), left.sort());
  assertRun(await run('restore', made, '--store', folder.at('again.db')), {
    stdout: `restored ${made} into ${folder.at('again.db')}: 1 software, 1 plugin, 1 chart, 3 points\n`,
  });
  assert.equal(await exportText(folder.at('again.db')), text);
  assert.match(
    (await run('restore', '--dry-run', made, '--store', folder.at('none.db'))).stdout,
    /^would restore /,
  );
  assert.match(
    (await run('import', made)).stderr,
    /: this is a store, not an archive: "plugin-metrics restore" takes it\n$/,
  );
});

test('two backups to one folder at once take turns, and keep the newest', async () => {
  using folder = temporaryDirectory();
  const backup = `"$0" "$1" backup --store store.db --keep 1 ${folder.path}`;
  const { code, stderr } = await shell(`${backup} & ${backup} && wait $!`);
  assert.equal(code, 0, stderr);
  const [made = '', ...others] = readdirSync(folder.path);
  assert.deepEqual(others, []);
  assert.equal((await run('restore', folder.at(made), '--store', folder.at('again.db'))).code, 0);
});

test('backup --keep refuses a folder in which its files would be those of the store, and one that is not there', async () => {
  using folder = temporaryDirectory();
  const store = folder.at('store');
  await importText(store, text);
  const refused = await runProgram(['backup', '--store', store, '--keep', '1', folder.path]);
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /^error: FILE \S+ belongs to the store \S+: no command writes what it reads\n/,
  );
  const lost = await runProgram(['backup', '--store', store, '--keep', '1', folder.at('nowhere')]);
  assert.equal(lost.code, 1);
  assert.match(
    lost.stderr,
    /: cannot be written: there is no folder \S+nowhere: "mkdir -p \S+nowhere" makes it\n$/,
  );
});

test('every change is in the next response, and so is a restored store', async () => {
  const served = directory.at('served.db');
  await importText(served, text);
  const store = ['--store', served];
  await using server = await serveStore(served);
  const get = async (target: string) => {
    const response = await fetch(`${server.url}/api/v1/${target}`);
    return response.status === 200 ? await response.text() : response.status;
  };
  const data = 'plugins/7/charts/players/data';
  assert.equal(await get(data), '[[0,1],[1800000,2],[3600000,3]]');
  assert.equal((await run('backup', ...store, 'served.backup')).code, 0);
  assertRun(await run('prune', '--before', '1970-01-01T00:30:00Z', ...store), {
    stdout: 'pruned points before 1970-01-01T00:30:00.000Z: 1 chart, 1 point\n',
  });
  assert.equal(await get(data), '[[1800000,2],[3600000,3]]');
  assert.equal((await run('remove', 'plugin', '7', ...store)).code, 0);
  assert.equal(await get(data), 404);
  assert.equal(await get('plugins'), '[]');
  for (const suffix of ['', '-wal', '-shm']) renameSync(served + suffix, directory.at(`old${suffix}`));
  assertRun(await run('restore', ...store, 'served.backup'), {
    stdout: `restored served.backup into ${served}: 1 software, 1 plugin, 1 chart, 3 points\n`,
  });
  await waitUntil(async () => (await get(data)) !== 404);
  assert.equal(await get(data), '[[0,1],[1800000,2],[3600000,3]]');
});

test('compact frees space, and reports that a reader of an older state holds the rest', async () => {
  const read = directory.at('read.db');
  const pie = [
    chartLine({ chartId: 'pie', uid: 99, type: 'custom' }),
    dataLine('pie', `["${'x'.repeat(900_000)}"]`),
  ];
  await importText(read, archiveText([softwareLine(), pluginLine(), ...pie]));
  await run('remove', 'chart', '7/pie', '--store', read);
  const compact = async () => (await run('compact', '--store', read)).stdout;
  {
    using db = new DatabaseSync(read);
    db.exec('begin; select * from chart');
    assert.match(
      await compact(),
      /^compacted \S+read\.db from .* to .*; a reader of an older state, such as an export, holds the rest: compact again later\n$/,
    );
  }
  assert.match(await compact(), /^compacted \S+read\.db from (\d+ kB|[\d.]+ MB) to \d{2,3} kB\n$/);
});

function shell(script: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  return new Promise((resolve) => {
    const argv = ['-c', script, process.execPath, mainPath];
    execFile('/bin/sh', argv, { cwd: directory.path }, (error, _, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}

function sizeOf(store: string): number {
  return ['', '-wal'].reduce((sum, suffix) => {
    const name = readdirSync(directory.path).includes(`store.db${suffix}`);
    return sum + (name ? readFileSync(store + suffix).length : 0);
  }, 0);
}

/** Databases in a folder, without the files of SQLite beside one that is open. */
function storesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.includes('.db') && !/-(wal|shm)$/.test(name))
    .sort();
}
