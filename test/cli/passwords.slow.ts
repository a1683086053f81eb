// No output shows any part of a password in a connection string, wherever the string is typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHoldPassword } from '../../src/cli/command.ts';
import { runProgram } from '../support/run-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Between all parts of the password, so that any of them is recognised. */
const mark = 'Zq7';

const raw = [mark, ...`'"@:/?#%&=;,\\ \n[]+~$`, '@h/', '://', "' ", '%40', mark].join(mark);

/** Connection strings, valid and invalid. Nothing listens on port 1. */
const forms = [
  `postgres://me:${encodeURIComponent(raw)}@127.0.0.1:1/d`,
  `postgres://me@127.0.0.1:1/d?password=${encodeURIComponent(raw)}&sslmode=disable`,
  ` POSTGRES://me:${raw}@127.0.0.1:1/d`,
  `postgre://me:${raw}@127.0.0.1:1/d`,
  `sqlite:postgres://me:${raw}@127.0.0.1:1/d`,
  `//me:${raw}@127.0.0.1:1/d`,
  `m:${raw}@127.0.0.1:1/d`,
  `postgres://me@127.0.0.1:1/d?sslpassword=${raw}`,
  `127.0.0.1:1/d?password=${raw}`,
  ` password = '${raw.replaceAll(/['\\]/g, '\\$&')}' host = 127.0.0.1`,
  `PGPASSWORD=${raw}`,
];

/** Places where a password may be typed or pasted. */
const cases: readonly { readonly argv: readonly string[]; readonly store?: string }[] = forms.flatMap(
  (text) => [
    { argv: ['check', '--store', text] },
    { argv: ['serve', '--port', '0', `--store=${text}`] },
    { argv: ['export', 'out.ndjson'], store: text },
    { argv: ['import', '--store', 'new.db', 'missing.ndjson', text] },
    { argv: ['check', `--stroe=${text}`] },
    { argv: ['serve', '--port', text] },
    { argv: [text] },
  ],
);

// `serve` ends its process a second after a failure, and more cases follow.
Object.assign(process, { exit: () => {} });

test('no output contains any part of a password', async () => {
  using directory = temporaryDirectory();
  let isRefused = false;
  for (const { argv, store } of cases) {
    const env = store === undefined ? {} : { PLUGIN_METRICS_STORE: store };
    const { stdout, stderr } = await runProgram(argv, { cwd: directory.path, env });
    const output = stdout + stderr;
    assert.ok(!output.includes(mark) && !output.includes('a bug in'), `${argv} ${store}: ${output}`);
    isRefused ||= output.includes('connection refused');
  }
  assert.ok(isRefused);
});

test('an ordinary path is not taken for a connection string', () => {
  for (const path of [
    'plugin-metrics.db',
    '/var/lib/plugin metrics/store.db',
    'C:\\metrics\\store.db',
    './a=b.ndjson',
    'backups/2026-11-21T09:30.zst',
    'me@home/store.db',
    '-',
  ])
    assert.equal(mayHoldPassword(path), false, path);
});
