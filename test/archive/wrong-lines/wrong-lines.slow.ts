// A wrong line of any kind, of nearly the size that a line may have, takes bounded memory and time.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { directoryOfFile } from '../../support/temporary-directory.ts';
import '../../support/without-coverage.ts';
import { wrongLines } from './kinds.ts';

const directory = directoryOfFile();

const sizeMib = 15;
const maxCpuMs = 6000;
const maxPeakBytes = 700e6;

test('wrong lines of every kind are refused within 700 MB, in seconds', async () => {
  const importEach = new URL('import-each.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=512',
    importEach,
    directory.path,
    String(sizeMib),
  ]);
  const outcomes = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const [kind, said, cpuMs, peakBytes] of outcomes) {
    const [, message = ''] = /^FILE:7: (.*)$/s.exec(said) ?? [];
    assert.match(message, wrongLines[kind]?.[1] ?? /none/, `${kind}: ${said}`);
    assert.ok(message.length < 300, `${kind}: ${said}`);
    assert.ok(cpuMs < maxCpuMs, `${kind}: ${cpuMs} ms of CPU time`);
    assert.ok(peakBytes < maxPeakBytes, `${kind}: ${Math.round(peakBytes / 1e6)} MB`);
  }
  assert.equal(outcomes.length, Object.keys(wrongLines).length);
});
