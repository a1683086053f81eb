// Output stays on its line and cannot send terminal escapes, wherever the text comes from.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { oneLine } from '../../src/cli/output.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { fc } from '../support/seed.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** A line feed, an escape sequence, a C1 control, separators, bidi controls and an invisible letter. */
const evil = 'a\nb: no faults\r\u001b[2J\u009b1m\u0085\u2028\u2029\u202e\u2066\u200b\ufeff\u{e0041}z';

test('every character that ends a line or controls a terminal is escaped, and no other', () => {
  assert.equal(oneLine('\n\t\0\u001b[1m\u009b\u007f'), '\\n\\t\\u0000\\u001b[1m\\u009b\\u007f');
  assert.equal(oneLine('\u2028\u202e\ud800 \u{e0041}'), '\\u2028\\u202e\\ud800 \\udb40\\udc41');
  assert.equal(oneLine('naïve “日本” \\n 😀 "'), 'naïve “日本” \\n 😀 "');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(oneLine(text), unsafe);
      if (!unsafe.test(text)) assert.equal(oneLine(text), text);
    }),
    { numRuns: 1000 },
  );
});

test('check prints one line for each fault, whatever the store contains', async () => {
  const path = directory.at('forged.db');
  await importText(path, archiveText([softwareLine(), pluginLine(), chartLine()]));
  {
    using db = new DatabaseSync(path);
    db.prepare('update chart set chart_id = ?, title = ?').run(evil, evil);
    db.prepare('update plugin set name = ?').run(evil);
    db.prepare('update software set url = ?').run(evil);
  }
  const { code, stdout, stderr } = await runProgram(['check', '--store', path]);
  assert.equal(code, 1);
  assert.match(stdout, /\\u001b\[2J/);
  for (const line of (stdout + stderr).trimEnd().split('\n')) {
    assert.doesNotMatch(line, unsafe);
    assert.doesNotMatch(line, /^b: no faults/);
  }
});

test('names of files and stores are printed on one line', async () => {
  const name = evil.replaceAll('/', '');
  const cwd = directory.path;
  const input = archiveText([softwareLine()]);
  const runs = [
    await runProgram(['import', '--store', `${name}.db`, '-'], { cwd, input }),
    await runProgram(['export', '--store', `${name}.db`, `${name}.ndjson`], { cwd }),
    await runProgram(['check', '--store', `${name}.db`], { cwd }),
    await runProgram(['check', '--store', `${name}.missing`], { cwd }),
    await runProgram(['import', '--store', 'other.db', `${name}.missing`], { cwd }),
    await runProgram([name], { cwd }),
    await runProgram(['serve', '--port', name], { cwd }),
  ];
  assert.deepEqual(
    runs.map((run) => run.code),
    [0, 0, 0, 1, 1, 2, 2],
  );
  for (const { stdout, stderr } of runs) {
    const lines = (stdout + stderr)
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('(--help'));
    assert.equal(lines.length, 1, lines.join('|'));
    assert.doesNotMatch(lines.join(''), unsafe);
  }
});
