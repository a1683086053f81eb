/**
 * Connections with and without TLS, and with a password from every source. Run by `npm run test:failover`;
 * needs an installed PostgreSQL and openssl.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import { endClient, openClient, runStatement } from '../../src/store/postgres/postgres-client.ts';
import { parsePostgresName } from '../../src/store/postgres/postgres-settings.ts';
import { runProcess } from '../support/run-program.ts';
import { openServerHall } from './servers.ts';

const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());
const server = await hall.startPrimary();
await server.run(`create role secret login password 'pass:w\\ord'`);
const rules = [
  'host all postgres all trust',
  'local all postgres trust',
  'host all secret all scram-sha-256',
];
writeFileSync(join(server.data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
await server.run('select pg_reload_conf()');

/** Tells how a name is connected, or the reason why not. */
async function outcome(name: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  // pg reads the environment of the process.
  Object.assign(process.env, { PGPASSFILE: join(hall.directory, 'none') }, environment);
  try {
    const client = await openClient(parsePostgresName(name, {}), { queryTimeoutMs: 5000 });
    const sql = `select ssl, current_user::text as role, current_setting('application_name') as application,
      current_setting('work_mem') as work_mem from pg_stat_ssl where pid = pg_backend_pid()`;
    const [[isEncrypted, role, application, memory] = []] = await runStatement(client, sql);
    await endClient(client);
    return `${role} ${isEncrypted ? 'with' : 'without'} TLS, ${application}, ${memory}`;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.doesNotMatch(error.message, /pass:w/);
    return error.message;
  } finally {
    for (const variable of ['PGPASSFILE', ...Object.keys(environment)]) delete process.env[variable];
  }
}

const at = (host: string, parameters = '', user = 'postgres') =>
  `postgres://${user}@${host}:${server.port}/postgres?${parameters}`;
const plain = 'postgres without TLS, plugin-metrics, 4MB';
const encrypted = 'postgres with TLS, plugin-metrics, 4MB';

test('a server without TLS is reached unless TLS is asked for', async () => {
  for (const mode of ['', 'sslmode=disable']) assert.equal(await outcome(at('127.0.0.1', mode)), plain);
  for (const mode of ['no-verify', 'require', 'verify-full'])
    assert.match(await outcome(at('127.0.0.1', `sslmode=${mode}`)), /does not support SSL/);
});

test('a password comes from the name, or its absence is named', async () => {
  const name = at('127.0.0.1', '', 'secret');
  assert.match(await outcome(name.replace('secret@', 'secret:pass%3Aw%5Cord@')), /^secret without TLS/);
  assert.match(await outcome(name), /asks for a password, and neither the name, PGPASSWORD nor the password/);
  const passwords = join(hall.directory, 'passwords');
  writeFileSync(passwords, '*:*:*:secret:pass\\:w\\\\ord\n', { mode: 0o600 });
  const { stderr } = await runProcess(['stats', '--store', name], {
    env: { ...process.env, PGPASSFILE: passwords },
  });
  assert.match(stderr, /^error: there is no store at [^\n]*\n$/);
});

test('with TLS the certificate must be signed by the root and name the host, unless the mode is no-verify', async () => {
  const certificate = makeCertificate('certificate');
  await server.run('alter system set ssl = on');
  await server.run(`alter system set ssl_cert_file = '${certificate}'`);
  await server.run(`alter system set ssl_key_file = '${certificate}'`);
  await server.stop();
  await server.start();
  assert.equal(await outcome(at('127.0.0.1')), plain);
  assert.equal(await outcome(at('127.0.0.1', 'sslmode=no-verify')), encrypted);
  assert.equal(await outcome(at('127.0.0.1'), { PGSSLMODE: 'no-verify' }), encrypted);
  const root = (file: string) => `sslrootcert=${encodeURIComponent(file)}`;
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    const name = (host: string, file?: string) =>
      at(host, `sslmode=${mode}${file === undefined ? '' : `&${root(file)}`}`);
    assert.equal(await outcome(name('localhost', certificate)), encrypted);
    assert.match(await outcome(name('127.0.0.1', certificate)), /does not match certificate's altnames/);
    for (const wrong of [undefined, makeCertificate('other')])
      assert.match(
        await outcome(name('localhost', wrong)),
        /its certificate cannot be verified \(self-signed certificate\): sslrootcert must name the file of its root$/,
      );
  }
});

/** Makes a self-signed certificate for localhost and its key, in one file. */
function makeCertificate(name: string): string {
  const file = join(hall.directory, `${name}.pem`);
  const key = join(hall.directory, `${name}.key.pem`);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const flags = [
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    file,
  ];
  execFileSync('openssl', ['req', ...flags], { stdio: 'pipe' });
  execFileSync('sh', ['-c', `cat '${key}' >> '${file}'`]);
  chmodSync(file, 0o600);
  if (hall.user !== undefined) chownSync(file, hall.user.uid, hall.user.gid);
  return file;
}
