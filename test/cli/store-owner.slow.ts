// Owners of new stores: root creates them for the owner of the folder, any other user for itself.
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { before, test } from 'node:test';
import { NewDatabase } from '../../src/store/sqlite/new-database.ts';
import { serveProgram } from '../faults/support/served-program.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const ownIds = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const isRoot = ownIds.uid === 0;
/** Only root can make a folder of another user. */
const owner = isRoot ? { uid: 12_345, gid: 23_456 } : ownIds;
const text = archiveText([
  softwareLine(),
  pluginLine(),
  chartLine(),
  dataLine('players', '[[1479799800000,1]]'),
]);
const backup = directory.at('backup.db');
const archive = directory.at('archive.ndjson');

before(async () => {
  await importText(backup, text);
  writeFileSync(archive, text);
  chmodSync(directory.path, 0o755);
});

/** Makes a folder owned by the service. */
function serviceFolder(name: string): string {
  const path = directory.at(name);
  mkdirSync(path);
  chownSync(path, owner.uid, owner.gid);
  return path;
}

const idsOf = (path: string) => {
  const { uid, gid } = statSync(path);
  return { uid, gid };
};

for (const [name, argv] of [
  ['restore of a backup', ['restore', '--store', 'made.db', backup]],
  ['backup', ['backup', '--store', backup, 'made.db']],
] as const)
  test(`files created by ${name} belong to the owner and group of their folder, who can serve them`, async () => {
    const cwd = serviceFolder(name.replaceAll(' ', '-'));
    const { code, stderr } = await runProgram(argv, { cwd });
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(idsOf(`${cwd}/made.db`), owner);
    // SQLite gives the files beside the store that root's command leaves to the owner of the store.
    assert.equal((await runProgram(['stats', '--store', 'made.db'], { cwd })).code, 0);
    const entries = readdirSync(cwd);
    assert.deepEqual(entries.sort(), ['made.db', 'made.db-shm', 'made.db-wal']);
    for (const entry of entries) assert.deepEqual(idsOf(`${cwd}/${entry}`), owner, entry);
    await using server = await serveProgram(`${cwd}/made.db`, isRoot ? { uid: owner.uid } : {});
    assert.equal((await server.get('/api/v1/plugins/7/charts/players/data')).text, '[[1479799800000,1]]');
    assert.equal(server.stderr(), '');
  });

test("a link that the folder's owner swaps in does not give that user another file", async () => {
  const folder = serviceFolder('hostile');
  const secret = directory.at('secret');
  writeFileSync(secret, 'secret');
  for (const link of [linkSync, symlinkSync]) {
    using place = await NewDatabase.open(`${folder}/${link.name}.db`);
    link(secret, place.buildPath);
    if (link === linkSync || !isRoot) place.publish();
    else assert.throws(() => place.publish(), { code: 'unavailable' });
    assert.deepEqual(idsOf(secret), ownIds);
  }
});
