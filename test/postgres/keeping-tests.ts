/** Maintenance of a store on a server: stores of other versions, and restores. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { exportFrom, importInto } from '../contracts/store-contract.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
  windowLine,
  windowsText,
} from '../support/archive-text.ts';
import { durationOf, killAfter } from '../support/killed-program.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { TestServer } from './test-server.ts';

/** The number of kills; more of them find rare faults. */
const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 8);

const text = readFileSync(new URL('catalogue.ndjson', import.meta.url), 'utf8');

/** Declares the tests; they share one server. */
export function serverKeepingTests({ emptyDatabase, run }: TestServer): void {
  const relations = (uri: string) =>
    run(
      uri,
      "select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = 'plugin_metrics'",
    );
  const otherBackends = (uri: string) =>
    run(
      uri,
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );

  describe('PostgreSQL: stores of other versions', () => {
    test('a store of an older program is refused, with the way to a new one, and not changed', async () => {
      const uri = await emptyDatabase();
      const store = parseStoreName(uri);
      await run(uri, readFileSync(new URL('../older/version-4.sql', import.meta.url), 'utf8'));
      const before = await relations(uri);
      const isOlder = {
        code: 'invalid',
        message: `the store ${store.name} has version 4, of an older plugin-metrics, and this one knows version ${storeVersion} alone: "export" it with the program that made it, and "import" the archive into a new store with this one`,
      };
      const commands = [
        store.openReader,
        store.openWriter,
        store.openRemover,
        store.openReports,
        store.loadStats,
        () => store.loadRemovals(7),
        store.compact,
        store.measure,
        () => Array.fromAsync(store.check(recordChecker())),
      ];
      for (const work of commands) await assert.rejects(async () => work(), isOlder, String(work));
      assert.deepEqual(await relations(uri), before);
    });
  });

  test('every command accepts postgresql:// for postgres://, and compact reports that the store grew', async () => {
    using directory = temporaryDirectory();
    const uri = (await emptyDatabase()).replace(/^postgres:/, 'postgresql:');
    const store = ['--store', uri];
    const archive = directory.at('archive.ndjson');
    writeFileSync(archive, text);
    const name = parseStoreName(uri).name;
    assert.match(name, /^postgres:\/\//);
    const imported = await runProgram(['import', ...store, archive]);
    assert.equal(imported.code, 0, imported.stderr);
    // The first vacuum creates a free space map for each table, and frees nothing.
    const compacted = await runProgram(['compact', ...store]);
    assert.equal(compacted.code, 0, compacted.stderr);
    const [, before, after] = /from (\d+) kB to ([\d.]+ MB)\n/.exec(compacted.stdout) ?? [];
    assert.equal(compacted.stdout, `compacted ${name} from ${before} kB to ${after}\n`);
    for (const argv of [
      ['check'],
      ['stats'],
      ['prune', '--before', '1d', '--dry-run'],
      ['add', 'software', 'sponge', '--dry-run'],
      ['serve', '--check'],
      ['collect', '--check'],
    ])
      assert.equal((await runProgram([...argv, ...store])).code, 0, argv.join(' '));
    const { stdout } = await runProgram(['export'], { env: { PLUGIN_METRICS_STORE: uri } });
    assert.equal(stdout, text);
  });

  test('an export has all of a line with more chunks than a page, and of short lines beside it', async () => {
    const uri = await emptyDatabase();
    const store = parseStoreName(uri);
    const long = Array.from({ length: 1030 * 512 }, (_, slot) => [slot, slot % 7]);
    const lines = [softwareLine(), pluginLine()];
    for (let index = 2; index < 10; index++)
      lines.push(chartLine({ chartId: `a${index}`, uid: index }), dataLine(`a${index}`, '[[0,1],[1,2]]'));
    lines.push(chartLine({ chartId: 'b', uid: 1 }));
    for (let start = 0; start < long.length; start += 5000)
      lines.push(dataLine('b', JSON.stringify(long.slice(start, start + 5000))));
    const archive = archiveText(lines);
    await importInto(store, archive);
    assert.ok((await exportFrom(store)) === archive, 'the export is another archive');
    const [{ rows } = {}] = await run(uri, 'select count(*) as rows from plugin_metrics.chunk');
    assert.equal(Number(rows), 1030 + 8);
    assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
  });

  describe('PostgreSQL: killed commands', () => {
    const lines = [softwareLine(), pluginLine()];
    const windows: string[] = [];
    for (let index = 1000; index < 2000; index++) {
      windows.push(windowLine([2, 3], { chartId: `line${index}` }));
      lines.push(chartLine({ chartId: `line${index}`, uid: index }));
      lines.push(dataLine(`line${index}`, '[[0,1],[1,2],[2,3]]'));
    }
    const many = archiveText(lines);
    const left: ReadonlyArray<readonly [command: string, after: string]> = [
      ['remove plugin 7', pastText([softwareLine(), removalLine(null, { pluginId: 7 })])],
      [
        'prune --plugin 7 --before 1970-01-01T00:00:00.001Z',
        pastText([...linesIn(many.replaceAll('[[0,1],', '[')), removalLine(1, { pluginId: 7 })]),
      ],
      [
        'prune --after 1970-01-01T00:00:00.001Z',
        windowsText([...linesIn(many.replaceAll(',[2,3]]', ']')), ...windows]),
      ],
    ];
    for (const [command, expected] of left) {
      test(`${command} leaves the old state or the new one`, {
        timeout: 600_000 + killCount * 5000,
      }, async () => {
        const uri = await emptyDatabase();
        const store = parseStoreName(uri);
        await importInto(store, many);
        const argv = [...command.split(' '), '--store', uri];
        const durationMs = await durationOf([...argv, '--dry-run']);
        for (let kill = 0; kill < killCount; kill++) {
          await killAfter(argv, (durationMs * (kill + 0.5)) / killCount);
          const now = await exportFrom(store);
          assert.ok(now === expected || now === many, 'it holds neither what it held nor what it is to hold');
          assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
          if (now === expected) await importInto(store, many);
        }
      });
    }

    test('restore leaves a complete store, or nothing', {
      timeout: 600_000 + killCount * 5000,
    }, async () => {
      using directory = temporaryDirectory();
      const archive = directory.at('archive.ndjson');
      writeFileSync(archive, many);
      let uri = await emptyDatabase();
      const durationMs = await durationOf(['restore', '--store', uri, archive]);
      uri = await emptyDatabase();
      for (let kill = 0; kill < killCount; kill++) {
        await killAfter(['restore', '--store', uri, archive], (durationMs * (kill + 0.5)) / killCount);
        // The server drops a disconnected client when it next writes to it.
        while ((await otherBackends(uri)).length > 0) await sleep(20);
        if ((await relations(uri)).length === 0) continue;
        assert.ok((await exportFrom(parseStoreName(uri))) === many, 'it does not hold the same');
        uri = await emptyDatabase();
      }
    });
  });

  describe('PostgreSQL: restoring', () => {
    test('accepts a backup of a SQLite store, and an archive', async () => {
      using directory = temporaryDirectory();
      const path = directory.at('store.db');
      await importText(path, text);
      const archive = directory.at('archive.ndjson');
      writeFileSync(archive, text);
      for (const file of [path, archive]) {
        const uri = await emptyDatabase();
        const dry = await runProgram(['restore', '--dry-run', '--store', uri, file]);
        assert.equal(dry.code, 0, dry.stderr);
        assert.match(dry.stdout, /^would restore .*: 2 software, 2 plugins, 4 charts, /);
        assert.deepEqual(await relations(uri), []);
        const { code, stdout, stderr } = await runProgram(['restore', '--store', uri, file]);
        assert.equal(code, 0, stderr);
        assert.equal(stdout, dry.stdout.replace('would restore', 'restored'));
        assert.equal(await exportFrom(parseStoreName(uri)), text);
        const again = await runProgram(['restore', '--store', uri, file]);
        assert.equal(again.code, 1);
        assert.match(again.stderr, /^error: there is a store at .* already; drop its schema plugin_metrics/);
      }
    });

    test('is refused if any part of a store exists, and leaves nothing if it fails', async () => {
      using directory = temporaryDirectory();
      const uri = await emptyDatabase();
      const archive = directory.at('archive.ndjson');
      writeFileSync(archive, text.replace(/"records":(\d+)/, '"records":1'));
      const broken = await runProgram(['restore', '--store', uri, archive]);
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /the end record says 1 records/);
      assert.deepEqual(await relations(uri), []);
      await run(uri, 'create schema plugin_metrics; create table plugin_metrics.owner (id bigint)');
      writeFileSync(archive, text);
      const refused = await runProgram(['restore', '--store', uri, archive]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^error: there is a store at /);
      assert.deepEqual(await relations(uri), [{ relname: 'owner' }]);
    });
  });
}
