/**
 * Connections to a server: with and without TLS, with a password from every source. Run by `npm run test:failover`; needs an
 * installed PostgreSQL and openssl.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import { connect } from '../../src/postgres/connection/connect.ts';
import { type Environment, parsePostgresName } from '../../src/postgres/connection/connection-settings.ts';
import { openServerHall } from './servers.ts';

const hall = await openServerHall();
after(() => hall[Symbol.asyncDispose]());
const server = await hall.startPrimary();
const certificate = makeCertificate();
await server.run(`create role secret login password 'pass:w\\ord'`);
writeFileSync(
  join(server.data, 'pg_hba.conf'),
  [
    'host all postgres 127.0.0.1/32 trust',
    'local all postgres trust',
    'host all secret 127.0.0.1/32 scram-sha-256',
    'hostssl all postgres ::1/128 trust',
    '',
  ].join('\n'),
);
await server.run('select pg_reload_conf()');

/** Reports how each user is connected, or the message of the error. */
async function outcome(name: string, environment: Environment = {}): Promise<string> {
  const settings = parsePostgresName(name, { PGPASSFILE: join(hall.directory, 'none'), ...environment });
  try {
    const connection = await connect(settings, { statementTimeoutMs: 1000, queryTimeoutMs: 5000 });
    const sql = `select ssl, current_user::text as name, current_setting('application_name') as application,
      current_setting('work_mem') as work_mem from pg_stat_ssl where pid = pg_backend_pid()`;
    const [row] = await connection.query<{
      readonly name: string;
      readonly ssl: boolean;
      readonly application: string;
      readonly work_mem: string;
    }>(sql);
    await connection.end();
    return `${row?.name} ${row?.ssl ? 'with' : 'without'} TLS, ${row?.application}, ${row?.work_mem}`;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.doesNotMatch(error.message, /pass:w/);
    return error.message;
  }
}

const at = (host: string, user = 'postgres') => `postgres://${user}@${host}:${server.port}/postgres`;
const plain = 'postgres without TLS, plugin-metrics, 4MB';
const encrypted = 'postgres with TLS, plugin-metrics, 4MB';

test('a server without TLS is reached unless TLS is required', async () => {
  for (const mode of ['disable', 'allow', 'prefer'])
    assert.equal(await outcome(`${at('127.0.0.1')}?sslmode=${mode}`), plain);
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.match(await outcome(`${at('127.0.0.1')}?sslmode=${mode}`), /does not support SSL/);
});

test('the socket, the application name and the session options are used', async () => {
  const socket = encodeURIComponent(hall.directory);
  assert.equal(
    await outcome(`${at(socket)}?application_name=node-7&options=-c%20work_mem%3D8MB&sslmode=require`),
    'postgres without TLS, node-7, 8MB',
  );
});

test('a password comes from the name, from PGPASSWORD or from the password file', async () => {
  const secret = /^secret without TLS/;
  const name = at('127.0.0.1', 'secret');
  assert.match(await outcome(name.replace('secret@', 'secret:pass%3Aw%5Cord@')), secret);
  assert.match(await outcome(name, { PGPASSWORD: 'pass:w\\ord' }), secret);
  const file = join(hall.directory, 'pgpass');
  writeFileSync(file, `127.0.0.1:${server.port}:postgres:secret:pass\\:w\\\\ord\n`, { mode: 0o600 });
  assert.match(await outcome(name, { PGPASSFILE: file }), secret);
  assert.match(
    await outcome(name),
    /asks for the password of secret, and neither PGPASSWORD nor .*none has one/,
  );
  assert.match(
    await outcome(name, { PGPASSWORD: 'wrong' }),
    /password authentication failed for user "secret"/,
  );
});

test('hosts are tried in order, and the error names all of them if none works', async () => {
  const hosts = `127.0.0.1:1,127.0.0.1:${server.port}`;
  assert.equal(await outcome(`postgres://postgres@${hosts}/postgres?target_session_attrs=primary`), plain);
  assert.match(
    await outcome(`postgres://postgres@${hosts}/postgres?target_session_attrs=standby`),
    /cannot be reached: 127\.0\.0\.1:1: connection refused; 127\.0\.0\.1:\d+: it is a primary that takes writes, but standby is wanted$/,
  );
});

test('with TLS on the server, certificates are checked as the mode requires', async () => {
  await server.run('alter system set ssl = on');
  await server.run(`alter system set ssl_cert_file = '${certificate}'`);
  await server.run(`alter system set ssl_key_file = '${certificate}'`);
  await server.stop();
  await server.start();
  assert.equal(await outcome(`${at('127.0.0.1')}?sslmode=disable`), plain);
  assert.equal(await outcome(`${at('127.0.0.1')}?sslmode=allow`), plain);
  for (const mode of ['prefer', 'require'])
    assert.equal(await outcome(`${at('127.0.0.1')}?sslmode=${mode}`), encrypted);
  for (const mode of ['verify-ca', 'verify-full'])
    assert.match(
      await outcome(`${at('localhost')}?sslmode=${mode}`),
      /: its certificate cannot be verified \(self-signed certificate\): no root certificate is given; name its file in sslrootcert or PGSSLROOTCERT$/,
    );
  for (const other of [makeCertificate('other'), 'system'])
    assert.match(
      await outcome(`${at('localhost')}?sslmode=verify-full`, { PGSSLROOTCERT: other }),
      /: its certificate cannot be verified \(self-signed certificate\): the root certificate of sslrootcert, (\S+other\.pem|system), has not signed it$/,
    );
  for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
    assert.match(
      await outcome(`${at('localhost')}?sslmode=verify-full&${name}=%2Fnone.pem`),
      new RegExp(`: the file of ${name} cannot be read: ENOENT: [^,]*, open '/none\\.pem'$`),
    );
  const root = `sslrootcert=${encodeURIComponent(certificate)}`;
  for (const mode of ['require', 'verify-ca'])
    assert.equal(await outcome(`${at('127.0.0.1')}?sslmode=${mode}&${root}`), encrypted);
  assert.equal(await outcome(`${at('localhost')}?sslmode=verify-full&${root}`), encrypted);
  assert.match(
    await outcome(`${at('127.0.0.1')}?sslmode=verify-full&${root}`),
    /does not match certificate's altnames/,
  );
});

test('channel binding works if it is required, and TLS may start directly', async () => {
  const name = at('127.0.0.1', 'secret');
  const environment = { PGPASSWORD: 'pass:w\\ord' };
  for (const binding of ['disable', 'prefer', 'require']) {
    const found = await outcome(`${name}?sslmode=require&channel_binding=${binding}`, environment);
    assert.equal(found, 'secret with TLS, plugin-metrics, 4MB');
  }
  assert.match(
    await outcome(`${name}?sslmode=disable&channel_binding=require`, environment),
    /does not bind the password to the connection/,
  );
  const direct = await outcome(`${at('127.0.0.1')}?sslmode=require&sslnegotiation=direct`);
  // PostgreSQL 17 and newer support it; older ones close the connection.
  const [version] = await server.run(
    `select current_setting('server_version_num')::integer >= 170000 as is_able`,
  );
  if (version?.['is_able']) assert.equal(direct, encrypted);
  else assert.match(direct, /cannot be reached/);
});

/** Makes a self-signed certificate for localhost and its key, in one file. */
function makeCertificate(name = 'certificate'): string {
  const file = join(hall.directory, `${name}.pem`);
  const key = join(hall.directory, `${name}.key.pem`);
  try {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      [
        'req',
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
      ],
      { stdio: 'pipe' },
    );
  } catch (cause) {
    throw new Error('the tests of TLS make a certificate with openssl: "apt-get install openssl" has it', {
      cause,
    });
  }
  execFileSync('sh', ['-c', `cat '${key}' >> '${file}'`]);
  chmodSync(file, 0o600);
  if (hall.user !== undefined) chownSync(file, hall.user.uid, hall.user.gid);
  return file;
}
