// No output shows any part of a password in a connection string, wherever the string is typed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mayHoldPassword } from '../../src/cli/command.ts';
import { endOf } from '../support/run-program.ts';
import { fc } from '../support/seed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Put between the characters of each password, so that any part of one is recognised. */
const mark = 'Zq7';

const special = fc.constantFrom(...`'"@:/?#%&=;,\\ \n[]+~$`, '@h/', '://', "' ", '%40', '..');
const password = fc
  .array(fc.oneof(special, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 4 })
  .map((parts) => [mark, ...parts, mark].join(mark).replaceAll('\0', ''));

/** Connection strings, valid and invalid. Nothing listens on port 1. */
const forms: ReadonlyArray<(raw: string, encoded: string) => string> = [
  (_, encoded) => `postgres://me:${encoded}@127.0.0.1:1/d`,
  (_, encoded) => `postgresql://me@127.0.0.1:1/d?password=${encoded}&sslmode=disable`,
  (raw) => `postgres://me:${raw}@127.0.0.1:1/d`,
  (raw) => ` postgres://me:${raw}@127.0.0.1:1/d`,
  (raw) => `\tPOSTGRES://me:${raw}@127.0.0.1:1/d`,
  (raw) => `postgres:/me:${raw}@127.0.0.1:1/d`,
  (raw) => `postgre://me:${raw}@127.0.0.1:1/d`,
  (raw) => `sqlite:postgres://me:${raw}@127.0.0.1:1/d`,
  (raw) => `http://me:${raw}@127.0.0.1:1/d`,
  (raw) => `//me:${raw}@127.0.0.1:1/d`,
  (raw) => `me:${raw}@127.0.0.1:1/d`,
  (raw) => `m:${raw}@127.0.0.1:1/d`,
  (raw) => `postgres://me@127.0.0.1:1/d?password=${raw}`,
  (raw) => `postgres://me@127.0.0.1:1/d?sslpassword=${raw}`,
  (raw) => `postgres://me@127.0.0.1:1/d?pasword=${raw}`,
  (raw) => `127.0.0.1:1/d?password=${raw}`,
  (raw) => `host=127.0.0.1 port=1 user=me password=${raw}`,
  (raw) => ` password = '${raw.replaceAll(/['\\]/g, '\\$&')}' host = 127.0.0.1`,
  (raw) => `PGPASSWORD=${raw}`,
];

/** Places where a password may be typed or pasted. */
const places: ReadonlyArray<(text: string) => Case> = [
  (text) => ({ argv: ['check', '--store', text] }),
  (text) => ({ argv: ['check', `--store=${text}`] }),
  (text) => ({ argv: ['serve', '--port', '0', '--store', text] }),
  (text) => ({ argv: ['export', '--store', text] }),
  (text) => ({ argv: ['import', '--store', text, 'missing.ndjson'] }),
  (text) => ({ argv: ['check'], store: text }),
  (text) => ({ argv: ['export', 'out.ndjson'], store: text }),
  (text) => ({ argv: ['import', '--store', 'new.db', text] }),
  (text) => ({ argv: ['import', '--store', 'new.db', 'missing.ndjson', text] }),
  (text) => ({ argv: ['export', text] }),
  (text) => ({ argv: ['check', text] }),
  (text) => ({ argv: ['check', `--stroe=${text}`] }),
  (text) => ({ argv: ['serve', '--port', text] }),
  (text) => ({ argv: ['serve', '--host', text] }),
  (text) => ({ argv: [text] }),
  (text) => ({ argv: ['help', text] }),
];

interface Case {
  readonly argv: readonly string[];
  /** PLUGIN_METRICS_STORE. */
  readonly store?: string;
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(password, fc.constantFrom(...forms), fc.constantFrom(...places))
  .map(([raw, form, place]) => place(form(raw, encodeURIComponent(raw))));

test('no output contains any part of a password', async (t) => {
  using directory = temporaryDirectory();
  const sample = fc.sample(cases, 1500);
  const script = fileURLToPath(new URL('support/run-cases.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { cwd: directory.path });
  child.stdin.end(JSON.stringify(sample));
  const { code, stdout, stderr } = await endOf(child);
  assert.equal(code, 0, stderr);
  assert.ok(!stderr.includes(mark), stderr);
  const outputs: readonly string[] = JSON.parse(stdout);
  assert.equal(outputs.length, sample.length);
  const shown = sample.flatMap((one, index) => {
    const output = outputs[index] ?? '';
    return output.includes(mark) || output.includes('a bug in') ? [{ ...one, output }] : [];
  });
  assert.deepEqual(shown.slice(0, 3), []);
  const reached = outputs.filter((output) => output.includes('connection refused')).length;
  t.diagnostic(`${reached} of ${sample.length} were connection strings in order`);
  assert.ok(reached > 0);
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
