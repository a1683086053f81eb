// Writing a SQLite store: all or nothing, for readers, for other writers and for a new store.
import assert from 'node:assert/strict';
import { existsSync, linkSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import type { MetricsRecord } from '../../src/model/metrics-record.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { openSqliteReader } from '../support/reads.ts';
import { runProcess } from '../support/run-program.ts';
import { exportText, importText, openSqliteWriter } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const place = 'a test';
const software = (name: string): MetricsRecord => ({
  place,
  kind: 'software',
  software: { id: 1, name, url: 'bukkit', globalPluginId: null },
});
const end: MetricsRecord = { place, kind: 'end' };

test('a new store appears when it is complete, and not before', async () => {
  const path = directory.at('new.db');
  await using writer = openSqliteWriter(path);
  await writer.write([software('A'), end]);
  assert.ok(!existsSync(path));
  await writer.commit();
  assert.ok(existsSync(path));
  await writer[Symbol.asyncDispose]();
  assert.deepEqual(entriesLike('new.db'), ['new.db']);
});

test('a writer disposed of without a commit leaves nothing', async () => {
  const path = directory.at('dropped.db');
  const writer = openSqliteWriter(path);
  await writer.write([software('A')]);
  await writer[Symbol.asyncDispose]();
  assert.deepEqual(entriesLike('dropped.db'), []);
});

test('a writer that fails leaves an existing store unchanged', async () => {
  const path = directory.at('kept.db');
  await importText(path, archiveText([softwareLine()]));
  {
    await using writer = openSqliteWriter(path);
    await writer.write([software('Changed')]);
    const other = { id: 2, name: 'B', url: 'bukkit', globalPluginId: null };
    await assert.rejects(
      writer.write([{ ...software('B'), software: other } as MetricsRecord]),
      (error) => error instanceof AppError && error.place === place && error.code === 'conflict',
    );
  }
  assert.equal(await exportText(path), archiveText([softwareLine()]));
});

test('a store whose creation fails early leaves no file', () => {
  // The name has room for the suffix of the store being built, but not for SQLite's files beside it.
  const name = `early${'y'.repeat(230)}`;
  assert.throws(() => openSqliteWriter(directory.at(name)), AppError);
  assert.deepEqual(entriesLike(name), []);
});

test('leftovers of killed processes do not accumulate, and a store being created by another process is kept', async () => {
  const path = directory.at('piled.db');
  writeFileSync(`${path}.new-99999991`, 'half a store');
  await importText(directory.at('other.db'), archiveText([softwareLine()]));
  renameSync(directory.at('other.db'), `${path}.new-99999992`);
  using busy = new DatabaseSync(`${path}.new-99999993`);
  busy.exec('pragma journal_mode = off; create table t (a); begin immediate');
  await importText(path, archiveText([softwareLine()]));
  assert.deepEqual(entriesLike('piled.db.new'), ['piled.db.new-99999993']);
  assert.equal(await exportText(path), archiveText([softwareLine()]));
});

test('the second link that a process killed right after publishing leaves is removed by the next import', async () => {
  const path = directory.at('twice.db');
  await importText(path, archiveText([softwareLine()]));
  linkSync(path, `${path}.new-99999991`);
  await using reader = openSqliteReader(path);
  await importText(path, archiveText([softwareLine({ name: 'After' })]));
  assert.deepEqual(entriesLike('twice.db.new'), []);
  assert.equal((await reader.listSoftware())[0]?.name, 'After');
});

test('the leftovers of a killed process are removed with their journal', async () => {
  const path = directory.at('leftover.db');
  writeFileSync(`${path}.new-123`, 'half a store');
  writeFileSync(`${path}.new-123-journal`, 'half a journal');
  await importText(path, archiveText([softwareLine()]));
  assert.equal(await exportText(path), archiveText([softwareLine()]));
  assert.deepEqual(entriesLike('leftover.db.new'), []);
});

test('a store created meanwhile by another process is not replaced', async () => {
  const path = directory.at('race.db');
  await using writer = openSqliteWriter(path);
  await writer.write([software('Late'), end]);
  writeFileSync(path, 'another was faster');
  await assert.rejects(
    writer.commit(),
    (error) =>
      error instanceof AppError &&
      error.code === 'conflict' &&
      error.message ===
        `another program has made the store ${path} meanwhile, and nothing was written to it; run this again`,
  );
  await writer[Symbol.asyncDispose]();
  assert.deepEqual(entriesLike('race.db'), ['race.db']);
});

test('readers see a store before or after a write, never in between, and learn of it by its generation', async () => {
  const path = directory.at('seen.db');
  await importText(
    path,
    archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[0,1]]')]),
  );
  await using reader = openSqliteReader(path);
  const before = reader.generation('data');
  assert.equal(reader.generation('data'), before);
  {
    await using writer = openSqliteWriter(path);
    await writer.write([software('After'), dataRecord(10, 2)]);
    assert.equal((await reader.listSoftware())[0]?.name, 'Bukkit / Spigot');
    assert.equal(reader.generation('data'), before);
    assert.deepEqual(await latestTimes(reader), [0]);
    await writer.write([dataRecord(20, 3), end]);
    assert.deepEqual(await latestTimes(reader), [0]);
    await writer.commit();
  }
  const [known] = await reader.listSoftware();
  assert.equal(
    known?.name,
    'Bukkit / Spigot',
    'all that one turn reads is of one state, until it asks again',
  );
  assert.notEqual(reader.generation('data'), before);
  assert.equal((await reader.listSoftware())[0]?.name, 'After');
  assert.deepEqual(await latestTimes(reader), [0, 10, 20]);
});

test('an export in progress continues with its snapshot', async () => {
  const path = directory.at('exported.db');
  const plugins = Array.from({ length: 200 }, (_, index) => pluginLine({ id: index + 1 }));
  await importText(path, archiveText([softwareLine(), ...plugins]));
  await using reader = openSqliteReader(path);
  const names: string[] = [];
  let isChanged = false;
  for await (const batch of reader.records()) {
    for (const record of batch) if (record.kind === 'plugin') names.push(record.plugin.name);
    if (isChanged) continue;
    isChanged = true;
    await importText(path, archiveText(plugins.map((line) => line.replace('ExamplePlugin', 'Renamed'))));
  }
  assert.deepEqual([...new Set(names)], ['ExamplePlugin']);
  assert.equal(names.length, 200);
  assert.equal((await Array.fromAsync(reader.listPlugins())).flat()[199]?.name, 'Renamed');
});

test('a second writer waits until the first has finished', async () => {
  const path = directory.at('queue.db');
  await importText(path, archiveText([softwareLine()]));
  const archive = directory.at('second.ndjson');
  writeFileSync(archive, archiveText([softwareLine({ name: 'Second' })]));
  await using first = openSqliteWriter(path);
  await first.write([software('First')]);
  const second = runProcess(['import', '--store', path, archive]);
  const earlier = await Promise.race([
    second,
    new Promise<string>((resolve) => setTimeout(resolve, 1000, 'waiting')),
  ]);
  assert.equal(earlier, 'waiting');
  await first.write([end]);
  await first.commit();
  await first[Symbol.asyncDispose]();
  assert.equal((await second).code, 0);
  assert.equal(await exportText(path), archiveText([softwareLine({ name: 'Second' })]));
});

function dataRecord(timestamp: number, value: number): MetricsRecord {
  const points = { timestamps: Float64Array.of(timestamp), values: Float64Array.of(value) };
  return {
    place,
    kind: 'data',
    pluginId: 7,
    chartId: 'players',
    dataFor: () => ({ storage: 'series', points }),
  };
}

async function latestTimes(reader: ReturnType<typeof openSqliteReader>): Promise<number[]> {
  const data = await reader.readChartData(7, 'players', 100);
  return data.storage === 'series' ? Array.from(data.runs, ({ timestamps }) => [...timestamps]).flat() : [];
}

function entriesLike(name: string): string[] {
  return readdirSync(directory.path).filter((entry) => entry.startsWith(name));
}
