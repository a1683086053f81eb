/** The systemd unit as systemd reads it. Run by `npm run test:ops`; needs Debian's systemd. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout } from '../package/installed-package.ts';
import { findProgram } from './proxy.ts';

const unit = join(checkout, 'ops/plugin-metrics.service');

test('systemd has nothing to say against the unit', () => {
  const { status, stderr } = analyze('verify', unit);
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('systemd calls the unit well confined', () => {
  // Of 10; from 2.0 on it says "medium". What is left is the network, and the user that the store belongs to.
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', unit);
  assert.equal(status, 0, stdout);
});

function analyze(...argv: readonly string[]) {
  return spawnSync(findProgram('systemd-analyze', 'systemd'), argv, { encoding: 'utf8' });
}
