// The command itself, on a copy of the checkout in which single bytes of what the program says are others.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout, copyCheckout } from '../package/installed-package.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/**
 * One byte each, and how the report names it: by the text that changed, a request or command, and both texts
 * around the place.
 */
const changes = [
  {
    what: 'an answer',
    file: 'src/site/pages/sitemap.ts',
    bytes: ['User-agent: *', 'User-agent: +'],
    finding: /× body: "\*" is now "\+"\n {2}sample: GET \/robots\.txt.*\n {4}at 12 of (\d+) and \1 char/,
  },
  {
    what: 'a picture',
    file: 'src/draw/badge.ts',
    bytes: ['geometricPrecision', 'geometricprecision'],
    finding: /× body: "geometricPrecision" is now "geometricprecision"\n {2}\S+: \w+ \/badge\//,
  },
  {
    what: 'an export',
    file: 'src/archive/archive-writer.ts',
    bytes: ['"record":"end"', '"record":"End"'],
    finding:
      /× stdout: "end" is now "End"\n {2}export --store sample\.db\n.*\n {4}earlier "….*"\n {4}present ".*End/,
  },
  {
    what: 'a help text',
    file: 'src/cli/commands/export.ts',
    bytes: ['replace FILE if it exists', 'replace FILE if it_exists'],
    finding: /× stdout: "it exists" is now "it_exists"\n {2}export --help\n/,
  },
] as const;

test('one byte of an answer, a picture, an export and a help text is found, and nothing else', () => {
  using folder = temporaryDirectory();
  const copy = folder.at('checkout');
  copyCheckout(copy);
  for (const name of ['compare', 'conformance', '.gitignore'])
    cpSync(join(checkout, name), join(copy, name), { recursive: true });
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  for (const argv of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message', 'a'],
  ])
    execFileSync('git', argv, { cwd: copy });
  for (const { file, bytes } of changes) {
    const path = join(copy, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(bytes[0], bytes[1]));
  }
  const argv = ['compare/run.ts', 'HEAD', 'sample', 'help'];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: copy, encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  for (const { what, finding } of changes) assert.match(stdout, finding, what);
  assert.equal(stdout.match(/^\d+ × /gm)?.length, changes.length, stdout);
});
