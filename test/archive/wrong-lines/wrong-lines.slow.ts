// A wrong line of any kind costs little memory and time, since reading stops at the first fault.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { wrongLines } from './kinds.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const sizeMib = 6;
const maxCpuMs = 6000;
const maxPeakBytes = 300e6;

test('wrong lines of every kind are refused with little memory and CPU time', async () => {
  const importEach = new URL('import-each.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=64',
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
