// No output shows any part of a password in a connection string, wherever the string is typed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
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

/** A password with every character that means something in a URI, or in a password file. */
const password = `@:/%${mark}\\?#&= `;
const encoded = encodeURIComponent(password);

/** Names of the same store, and their environment. */
const names: ReadonlyArray<readonly [name: string, env: Record<string, string>]> = [
  ['postgres://me@127.0.0.1:1/d', {}],
  ['postgresql://me@127.0.0.1:1/d?sslmode=disable', {}],
  ['postgres://me@127.0.0.1:1/d', { PGPASSWORD: password }],
  ['postgres://me@127.0.0.1:1/d', { PGPASSFILE: 'passwords' }],
  [`postgres://me:${encoded}@127.0.0.1:1/d`, {}],
  [`postgres://127.0.0.1/d?user=me&port=1&password=${encoded}`, {}],
  ['postgres://', { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'me', PGDATABASE: 'd', PGPASSWORD: password }],
];

test('a store on a server is named by host, port, user and database, wherever its password is', async () => {
  using directory = temporaryDirectory();
  const passwords = `127.0.0.1:1:d:me:${password.replaceAll(/[\\:]/g, '\\$&')}\n`;
  writeFileSync(directory.at('passwords'), passwords, { mode: 0o600 });
  const said = 'error: the store postgres://me@127.0.0.1:1/d cannot be reached: connection refused\n';
  for (const [name, env] of names)
    for (const [argv, variables] of [
      [['stats', '--store', name], env],
      [['stats', `--store=${name}`], env],
      [['stats'], { ...env, PLUGIN_METRICS_STORE: name }],
    ] as const) {
      const { stderr } = await runProgram(argv, { cwd: directory.path, env: variables });
      assert.equal(stderr, said, argv.join(' '));
    }
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
