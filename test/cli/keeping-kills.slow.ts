// A command that is killed while it changes, copies or creates a store leaves the old state or the new one.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { before, test } from 'node:test';
import { gunzipSync, zstdCompressSync } from 'node:zlib';
import { recordChecker } from '../../src/archive/check-record.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import {
  archiveText,
  chartLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
} from '../support/archive-text.ts';
import { durationOf, killAfter } from '../support/killed-program.ts';
import { runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

/** Number of kills; more of them find rare faults. */
const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 5);

const directory = directoryOfFile();

const template = directory.at('template.db');
let text = '';
let changed = '';
const archive = directory.at('archive.ndjson');
const changes = directory.at('changes.ndjson');

before(async () => {
  const lines = [softwareLine(), pluginLine()];
  for (let index = 1000; index < 1600; index++) {
    const chartId = `line${index}`;
    const data = Array.from({ length: 20 }, (_, time) => [time, index * time]);
    lines.push(chartLine({ chartId, uid: index }));
    lines.push(JSON.stringify({ record: 'data', pluginId: 7, chartId, data }));
  }
  text = archiveText(lines);
  await importText(template, text);
  writeFileSync(archive, text);
  // Another name, and points before, at and behind those that are there.
  changed = text
    .replace(softwareLine(), softwareLine({ name: 'After' }))
    .replaceAll('"data":[[0,0],[1,', '"data":[[0,5],[1,')
    .replaceAll(']]}', '],[60,1]]}');
  writeFileSync(changes, changed);
});

/** A copy of a store, and a path for another one. */
function copyOf(name: string) {
  const prefix = `${name}-${process.hrtime.bigint()}`;
  const path = directory.at(`${prefix}.db`);
  copyFileSync(template, path);
  return {
    path,
    made: directory.at(`${prefix}.made.db`),
    entries: () => directory.entriesLike(prefix).map((entry) => entry.slice(prefix.length)),
  };
}

async function assertSound(path: string): Promise<void> {
  assert.deepEqual(await Array.fromAsync(checkSqliteStore(path, recordChecker())), []);
}

/** A command that is killed at many moments. */
interface Killing {
  /** Returns its arguments, for a store that may be changed and an unused path. */
  readonly argv: (path: string, made: string) => readonly string[];
  /** Checks what a killed command left; true if that equals the result of a complete run. */
  readonly isDone: (path: string, made: string) => Promise<boolean>;
  /** The files that may remain; `-wal` and `-shm` belong to a store that is open. */
  readonly leaves: readonly string[];
}

function killTest(name: string, { argv, isDone, leaves }: Killing): void {
  test(`${name} killed at ${killCount} moments`, { timeout: 600_000 + killCount * 3000 }, async (t) => {
    const runs = [copyOf('first'), copyOf('second')];
    const durations: number[] = [];
    for (const { path, made } of runs) durations.push(await durationOf(argv(path, made)));
    // Other tests may have kept the machine busy.
    const durationMs = Math.min(...durations);
    const counts = { killed: 0, before: 0, after: 0 };
    // The leftovers of a killed command stay for the next one, until one completes.
    let copy = copyOf('killed');
    for (let kill = 0; kill < killCount; kill++) {
      const command = argv(copy.path, copy.made);
      if (await killAfter(command, (durationMs * kill) / killCount)) counts.killed++;
      const isAfter = await isDone(copy.path, copy.made);
      counts[isAfter ? 'after' : 'before']++;
      if (isAfter) copy = copyOf('killed');
    }
    assert.equal((await runProgram(argv(copy.path, copy.made))).code, 0);
    assert.ok(await isDone(copy.path, copy.made));
    // An export that runs an hour later removes what a killed one was writing.
    const left = copy.entries().filter((entry) => !/-(wal|shm)$|\.partial-\d+$/.test(entry));
    assert.deepEqual(left.sort(), [...leaves].sort());
    t.diagnostic(
      `${counts.killed} were killed within ${durationMs.toFixed(0)} ms; ${counts.before} left the state before, ${counts.after} the state after`,
    );
    assert.ok(counts.killed > 0, 'none was killed');
  });
}

/** True if the change is complete; otherwise the store must be unchanged. */
async function isChanged(path: string, after: string): Promise<boolean> {
  await assertSound(path);
  const now = await exportText(path);
  assert.ok(now === after || now === text, 'it holds neither what it held nor what it is to hold');
  return now === after;
}

/** True if the store was created; otherwise none may exist. */
async function isMade(made: string): Promise<boolean> {
  if (!existsSync(made)) return false;
  await assertSound(made);
  assert.ok((await exportText(made)) === text, 'it does not hold the same');
  return true;
}

killTest('import', {
  argv: (path) => ['import', '--store', path, changes],
  isDone: (path) => isChanged(path, changed),
  leaves: ['.db'],
});

killTest('import into a new store', {
  argv: (_, made) => ['import', '--store', made, archive],
  isDone: (_, made) => isMade(made),
  leaves: ['.db', '.made.db'],
});

killTest('backup', {
  argv: (path, made) => ['backup', '--store', path, made],
  isDone: async (path, made) => {
    await assertSound(path);
    return isMade(made);
  },
  leaves: ['.db', '.made.db'],
});

killTest('backup --keep', {
  // The folder of all runs; only the place that is made has its name.
  argv: (path) => ['backup', '--store', path, '--keep', '1', directory.path],
  isDone: async (path) => {
    await assertSound(path);
    const name = basename(path, '.db');
    const made = directory.entriesLike(`${name}-`).find((entry) => entry.endsWith('Z.db.zst'));
    if (made === undefined) return false;
    const restored = directory.at(`${name}.made.db`);
    assert.equal((await runProgram(['restore', '--store', restored, directory.at(made)])).code, 0);
    rmSync(directory.at(made));
    const isWhole = await isMade(restored);
    rmSync(restored);
    return isWhole;
  },
  leaves: ['.db'],
});

for (const [end, unpack] of [
  ['.ndjson', (bytes: Uint8Array) => Buffer.from(bytes)],
  ['.gz', gunzipSync],
] as const) {
  killTest(`export to a ${end}`, {
    argv: (path, made) => ['export', '--store', path, made + end],
    isDone: async (_, made) => {
      if (!existsSync(made + end)) return false;
      assert.ok(unpack(readFileSync(made + end)).toString() === text, 'a part of an archive');
      return true;
    },
    leaves: ['.db', `.made.db${end}`],
  });
}

killTest('restore from a backup', {
  argv: (path, made) => ['restore', '--store', made, path],
  isDone: (_, made) => isMade(made),
  leaves: ['.db', '.made.db'],
});

killTest('restore from a compressed backup', {
  argv: (path, made) => {
    writeFileSync(`${path}.zst`, zstdCompressSync(readFileSync(path)));
    return ['restore', '--store', made, `${path}.zst`];
  },
  isDone: (_, made) => isMade(made),
  leaves: ['.db', '.db.zst', '.made.db'],
});

killTest('restore from an archive', {
  argv: (_, made) => ['restore', '--store', made, archive],
  isDone: (_, made) => isMade(made),
  leaves: ['.db', '.made.db'],
});

killTest('remove', {
  argv: (path) => ['remove', 'plugin', '7', '--store', path],
  isDone: (path) => isChanged(path, pastText([softwareLine(), removalLine(null, { pluginId: 7 })])),
  leaves: ['.db'],
});

killTest('prune', {
  argv: (path) => ['prune', '--before', '1970-01-01T00:00:00.007Z', '--store', path],
  isDone: (path) => {
    const pruned = text.replaceAll(/"data":\[(\[\d+,\d+\],){7}/g, '"data":[');
    return isChanged(path, pastText([...linesIn(pruned), removalLine(7)]));
  },
  leaves: ['.db'],
});

killTest('compact', {
  argv: (path) => ['compact', '--store', path],
  isDone: (path) => isChanged(path, text),
  leaves: ['.db'],
});
