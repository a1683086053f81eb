// Stores that a user may not use, and paths where no store can be created: errors say what is wrong, for
// which user, and the remedy; reading works wherever possible.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { everyKind } from '../support/damaged-answers.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { messagesIn, type Run, runProcess } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import '../support/without-coverage.ts';

const directory = directoryOfFile();

/** Root has all rights, so another user runs the program if the tests run as root. */
const uid = process.getuid?.() === 0 ? 12_345 : undefined;
const user = '(?:the user \\S+|the user with the id 12345)';
const good = directory.at('good.db');
const archive = directory.at('archive.ndjson');

before(async () => {
  chmodSync(directory.path, 0o755);
  writeFileSync(archive, everyKind);
  await importText(good, everyKind);
});

/** Makes a folder with a store, with these rights for everyone. */
function storeIn(name: string, rights: { readonly folder: number; readonly file?: number }): string {
  const folder = directory.at(name);
  mkdirSync(folder);
  const path = `${folder}/store.db`;
  if (rights.file !== undefined) {
    copyFileSync(good, path);
    chmodSync(path, rights.file);
  }
  chmodSync(folder, rights.folder);
  return path;
}

const run = (argv: readonly string[], store: string) => runProcess([...argv, '--store', store], { uid });

const reading = [['serve', '--port', '0'], ['export', '-'], ['stats'], ['check']];
const writing = [['import', archive], ['remove', 'chart', '7/players'], ['compact']];

function assertRefused(run: Run, pattern: string): void {
  assert.equal(run.code, 1);
  // A server logs its messages as JSON.
  const stderr = run.stderr.startsWith('{') ? messagesIn(run.stderr) : run.stderr;
  assert.match(stderr, new RegExp(`^error: ${pattern}\n$`));
  assertDocumented(stderr);
}

const rightsOf = (path: string) =>
  `"namei -l ${RegExp.escape(path)}" shows who may; run this as that user, with "sudo -u USER"`;

test('a folder that is not there is named, with the command that makes it', async () => {
  const folder = directory.at('none/deep');
  const store = `${folder}/store.db`;
  const wayOut = `"mkdir -p ${folder}" makes it`;
  assertRefused(
    await run(['import', archive], store),
    `the store ${store} cannot be used: there is no folder ${directory.at('none')}: ${wayOut}`,
  );
  for (const argv of reading)
    assertRefused(
      await run(argv, store),
      `there is no store at ${store}, and no folder ${folder}: ${wayOut}, and "plugin-metrics import" the store`,
    );
});

for (const [what, name, rights, lack, refused] of [
  [
    'a file that may not be read',
    'unreadable',
    { folder: 0o777, file: 0 },
    'may not read STORE',
    [...reading, ...writing],
  ],
  [
    'a folder that may not be entered',
    'closed',
    { folder: 0, file: 0o644 },
    'may not enter the folder FOLDER',
    [...reading, ...writing],
  ],
  ['a file that may not be written', 'kept', { folder: 0o777, file: 0o444 }, 'may not write STORE', writing],
] as const)
  test(`${what} is named with the user`, async () => {
    const store = storeIn(name, rights);
    const said = lack.replace('STORE', store).replace('FOLDER', directory.at(name));
    for (const argv of refused)
      assertRefused(
        await run(argv, store),
        `the store ${store} cannot be used: ${user} ${said}: ${rightsOf(store)}`,
      );
  });

test('a folder in which no files may be made is named with the user', async () => {
  const store = storeIn('full-of-rules', { folder: 0o555 });
  const lack = `${user} may not make files in the folder ${directory.at('full-of-rules')}`;
  assertRefused(
    await run(['import', archive], store),
    `the store ${store} cannot be used: ${lack}: ${rightsOf(store)}`,
  );
  assertRefused(
    await run(['backup', `${directory.at('full-of-rules')}/copy`], good),
    `${directory.at('full-of-rules')}/copy: cannot be written: ${lack}: .*`,
  );
  assertRefused(
    await run(
      ['publish', `${directory.at('full-of-rules')}/site`, '--all', '--public-url', 'https://example.org'],
      good,
    ),
    `${directory.at('full-of-rules')}/site: cannot be written: ${lack}: .*`,
  );
});

test('a FILE that may not be read or written is named with the user, and the way out', async () => {
  const store = storeIn('open-to-all', { folder: 0o777, file: 0o666 });
  const closed = directory.at('closed.ndjson');
  writeFileSync(closed, everyKind, { mode: 0 });
  for (const argv of [
    ['import', closed],
    ['restore', closed],
    ['import', '--csv', closed, '--chart', '7/players'],
  ])
    assertRefused(
      await run(argv, argv[0] === 'restore' ? `${store}-new` : store),
      `${closed}: cannot be read: ${user} may not read it: give it as standard input, which the shell opens: - < ${closed}`,
    );
  assertRefused(
    await run(['mirror', 'http://127.0.0.1:1', '--plugins-file', closed], store),
    `${closed}: ${user} may not read it: "namei -l ${closed}" shows who may`,
  );
  assertRefused(
    await run(['export', `${directory.path}/copy.ndjson`], store),
    `\\S+: cannot be written: ${user} may not make files in the folder ${directory.path}: ${rightsOf(`${directory.path}/copy.ndjson`)}`,
  );
});

test('a port that only root may use is named with the user, and the ways out', async () => {
  const store = storeIn('served', { folder: 0o777, file: 0o666 });
  const said = `cannot listen on 127.0.0.1:80: ${user} may not use port 80: take one above 1023, behind a proxy, allow it with AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit, or have systemd hand over the socket`;
  for (const argv of [
    ['serve', '--port', '80'],
    ['serve', '--port', '0', '--admin-port', '80'],
    ['collect', '--port', '80'],
  ]) {
    const { code, stderr } = await run(argv, store);
    assert.equal(code, 1);
    assert.match(messagesIn(stderr), new RegExp(`^error: ${said}$`, 'm'));
  }
});

test('a store in such a folder is read, and not written', async () => {
  const store = storeIn('read-only', { folder: 0o555, file: 0o444 });
  for (const argv of [...reading.slice(1), ['serve', '--check']])
    assert.equal((await run(argv, store)).code, 0, argv.join(' '));
  const copy = storeIn('open', { folder: 0o777 });
  assert.equal((await run(['backup', copy], store)).code, 0);
  assert.deepEqual(await run(['check'], copy), {
    ...(await run(['check'], store)),
    stdout: `${copy}: no faults\n`,
  });
  const lack = `${user} may not make files in the folder ${directory.at('read-only')}`;
  for (const argv of [...writing, ['collect', '--port', '0'], ['collect', '--check']])
    assertRefused(
      await run(argv, store),
      `the (?:store|reports in) ${store}(?:-reports)? cannot be used: ${lack}: ${rightsOf(`${store}`).replace('" shows', '(?:-reports)?" shows')}`,
    );
});

test('a store whose log is left in such a folder names the right that is missing', async () => {
  const store = storeIn('with-log', { folder: 0o777, file: 0o644 });
  writeFileSync(`${store}-wal`, 'what a killed process left');
  chmodSync(directory.at('with-log'), 0o555);
  for (const argv of reading)
    assertRefused(
      await run(argv, store),
      `the store ${store} cannot be used: ${user} may not make files in the folder ${directory.at('with-log')}: .*`,
    );
});
