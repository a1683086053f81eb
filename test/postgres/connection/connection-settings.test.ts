/** Parsing the name of a store on a server as libpq does, with no secret in messages about it. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { AppError } from '../../../src/model/app-error.ts';
import { parsePostgresName } from '../../../src/postgres/connection/connection-settings.ts';
import { findPassword } from '../../../src/postgres/connection/password-file.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('a full name is parsed part by part', () => {
  const settings = parsePostgresName(
    'postgresql://me%40work:s%2Fecret@one:5433,two,[::1]:5434/my%20db?target_session_attrs=read-write&sslmode=verify-full&channel_binding=require&gssencmode=disable' +
      '&sslrootcert=system&application_name=metrics&options=-c%20work_mem%3D8MB&connect_timeout=3&load_balance_hosts=random',
    {},
  );
  assert.deepEqual(settings, {
    name: 'postgres://me%40work@one:5433,two:5432,[::1]:5434/my%20db',
    hosts: [
      { host: 'one', port: 5433 },
      { host: 'two', port: 5432 },
      { host: '::1', port: 5434 },
    ],
    isHostOrderRandom: true,
    sessionKind: 'read-write',
    user: 'me@work',
    database: 'my db',
    password: 's/ecret',
    passwordFile: settings.passwordFile,
    tlsMode: 'verify-full',
    isTlsDirect: false,
    channelBinding: 'require',
    tlsFiles: { rootCertificate: 'system', certificate: undefined, key: undefined },
    applicationName: 'metrics',
    options: '-c work_mem=8MB',
    connectTimeoutMs: 3000,
  });
});

test('missing parts of the name come from the environment, and then from defaults', () => {
  const environment = {
    PGHOST: 'a,b',
    PGPORT: '1,2',
    PGUSER: 'u',
    PGPASSWORD: 'p',
    PGDATABASE: 'd',
    PGSSLMODE: 'require',
  };
  const settings = parsePostgresName('postgres://', environment);
  assert.deepEqual(settings.hosts, [
    { host: 'a', port: 1 },
    { host: 'b', port: 2 },
  ]);
  assert.deepEqual(
    [settings.user, settings.password, settings.database, settings.tlsMode],
    ['u', 'p', 'd', 'require'],
  );
  const usual = parsePostgresName('postgres://h', {});
  assert.deepEqual(
    [usual.user, usual.database, usual.password, usual.sessionKind, usual.tlsMode, usual.applicationName],
    [userInfo().username, userInfo().username, undefined, 'any', 'prefer', 'plugin-metrics'],
  );
  assert.deepEqual(parsePostgresName('postgres://h/d?host=%2Frun%2Fpg&port=7', environment).hosts, [
    { host: '/run/pg', port: 7 },
  ]);
  assert.deepEqual(
    parsePostgresName('postgres://%2Frun%2Fpg/d', {}).name,
    `postgres://${userInfo().username}@%2Frun%2Fpg:5432/d`,
  );
});

const wrongNames: ReadonlyArray<readonly [string, RegExp]> = [
  ['postgres:/u:secret@h/d', /must look like postgres:\/\//],
  ['postgres://u:secret@h:x/d', /HOST:PORT/],
  ['postgres://u:secret@h:70000/d', /a port must be a whole number from 1 to 65535/],
  ['postgres://u:secret@h/d?sslmode=on', /sslmode must be one of prefer, .*/],
  ['postgres://u:secret@h/d?target_session_attrs=master', /target_session_attrs must be one of any, /],
  ['postgres://u:secret@h/d?gssencmode=require', /gssencmode must be one of disable, prefer/],
  ['postgres://u:secret@h/d?pool=5', /an unknown parameter; there are host, port/],
  ['postgres://u:secret@h/d?connect_timeout=soon', /connect_timeout must be a whole number of seconds/],
  ['postgres://u:secret@a,b/d?port=1,2,3', /3 ports for 2 hosts/],
  ['postgres://u:secret%@h/d', /password is not percent-encoded/],
  ['postgres://u:x@secret@h/d', /must look like .*percent-encoded/],
  ['postgres://u:5432/secret@h/d', /must look like .*percent-encoded/],
  ['postgres://u:5432?user=secret@h/d', /must look like .*percent-encoded/],
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

test('the password file gives the password of the first matching line', async () => {
  using directory = temporaryDirectory();
  const file = directory.at('pgpass');
  writeFileSync(
    file,
    '# h:5432:d:u:no\nh:5432:d:other:no\nh:*:d:u:se\\:cr\\\\et\nh:5432:d:u:late\nlocalhost:5432:*:*:socket\n',
    { mode: 0o600 },
  );
  const query = { host: 'h', port: 5432, database: 'd', user: 'u' };
  assert.equal(await findPassword(file, query), 'se:cr\\et');
  assert.equal(await findPassword(file, { ...query, host: '/run/pg' }), 'socket');
  assert.equal(await findPassword(file, { ...query, host: 'elsewhere' }), undefined);
  assert.equal(await findPassword(directory.at('missing'), query), undefined);
  chmodSync(file, 0o644);
  await assert.rejects(findPassword(file, query), /must be readable by its owner alone \(0600\)/);
});
