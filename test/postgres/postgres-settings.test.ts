/** The names of stores on servers: parsing them, without a secret in a message. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import { parsePostgresName } from '../../src/store/postgres/postgres-settings.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('a full name is parsed part by part', () => {
  const { name, config } = parsePostgresName(
    'postgresql://me%40work:s%2Fecret@[::1]:5434/my%20db?sslmode=verify-full&application_name=metrics' +
      '&options=-c%20work_mem%3D8MB&connect_timeout=3&sslnegotiation=direct',
    {},
  );
  assert.equal(name, 'postgres://me%40work@[::1]:5434/my%20db');
  const { host, port, user, database, password, options, connectionTimeoutMillis } = config;
  assert.deepEqual(
    { host, port, user, database, password, options, connectionTimeoutMillis },
    {
      host: '::1',
      port: 5434,
      user: 'me@work',
      database: 'my db',
      password: 's/ecret',
      options: '-c work_mem=8MB',
      connectionTimeoutMillis: 3000,
    },
  );
  assert.equal(config.application_name, 'metrics');
  assert.equal(config.sslnegotiation, 'direct');
});

test('missing parts of the name come from the environment, and then from defaults', () => {
  const environment = { PGHOST: 'a', PGPORT: '1', PGUSER: 'u', PGDATABASE: 'd', PGCONNECT_TIMEOUT: '2' };
  const { name, config } = parsePostgresName('postgres://', environment);
  assert.equal(name, 'postgres://u@a:1/d');
  assert.equal(config.connectionTimeoutMillis, 2000);
  const user = userInfo().username;
  assert.equal(parsePostgresName('postgres://h', {}).name, `postgres://${user}@h:5432/${user}`);
  assert.equal(parsePostgresName('postgres://', {}).config.host, 'localhost');
  const socket = parsePostgresName('postgres://h/d?host=%2Frun%2Fpg&port=7', environment);
  assert.deepEqual([socket.config.host, socket.config.port], ['/run/pg', 7]);
  assert.equal(parsePostgresName('postgres://u@%2Frun%2Fpg/d', {}).name, 'postgres://u@%2Frun%2Fpg:5432/d');
});

test('every mode of TLS but two verifies the certificate', () => {
  const tlsOf = (parameters: string) => parsePostgresName(`postgres://u@h/d?${parameters}`, {}).config.ssl;
  assert.equal(tlsOf('sslmode=disable'), false);
  assert.deepEqual({ ...(tlsOf('sslmode=no-verify') as object) }, { rejectUnauthorized: false });
  using directory = temporaryDirectory();
  const file = directory.at('root.pem');
  writeFileSync(file, 'a root');
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    assert.deepEqual({ ...(tlsOf(`sslmode=${mode}`) as object) }, {});
    const rooted = tlsOf(`sslmode=${mode}&sslrootcert=${encodeURIComponent(file)}`);
    assert.deepEqual({ ...(rooted as object) }, { ca: 'a root' });
  }
  assert.equal(tlsOf(''), undefined, 'PGSSLMODE decides');
});

const wrongNames: ReadonlyArray<readonly [string, RegExp]> = [
  ['postgres:/u:secret@h/d', /must look like postgres:\/\//],
  ['postgres://u:secret@h:70000/d', /must look like/],
  ['postgres://u:secret@h/d?port=70000', /its port must be a whole number from 1 to 65535/],
  [
    'postgres://u:secret@a,b/d',
    /several hosts: one address; put HAProxy, PgBouncer or a virtual address in front/,
  ],
  ['postgres://u:secret@/d?host=a,b', /several hosts/],
  ['postgres://u:secret@h/d?sslmode=prefer', /sslmode must be one of disable, no-verify, require/],
  [
    'postgres://u:secret@h/d?target_session_attrs=primary',
    /target_session_attrs is not supported: one address/,
  ],
  [
    'postgres://u:secret@h/d?channel_binding=require',
    /channel_binding is not supported: sslmode=verify-full/,
  ],
  ['postgres://u:secret@h/d?gssencmode=disable', /gssencmode is not supported: there is no GSSAPI/],
  ['postgres://u:secret@h/d?passfile=x', /passfile is not supported: the variable PGPASSFILE/],
  ['postgres://u:secret@h/d?pool=5', /an unknown parameter; there are host, port/],
  ['postgres://u:secret@h/d?connect_timeout=soon', /connect_timeout must be a whole number of seconds/],
  [
    'postgres://u:secret@h/d?sslrootcert=%2Fnone',
    /the file of sslrootcert, sslcert or sslkey cannot be read: ENOENT/,
  ],
  ['postgres://u:secret%@h/d', /must look like .*percent-encoded/],
  ['postgres://u:5432/secret@h/d', /must look like .*percent-encoded/],
  ['postgres://u@h/d?sslpassword=secret', /an unknown parameter/],
];

for (const [name, message] of wrongNames) {
  test(`${name.replace('secret', '…')} is refused without showing its password`, () => {
    assert.throws(
      () => parsePostgresName(name, {}),
      (error: unknown) => {
        assert.ok(error instanceof AppError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  });
}

test('several hosts in the environment are refused', () => {
  assert.throws(() => parsePostgresName('postgres://u@/d', { PGHOST: 'a,b' }), /several hosts/);
});
