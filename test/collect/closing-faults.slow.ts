// A slot that is closed on a full disk: nothing is written until there is room, `/ready` names it, and then all of it is written, once.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { exportFrom, importInto } from '../store-contract.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { allParts, loggedReport } from '../support/logged-report.ts';
import { mainPath } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const directory = directoryOfFile();

const dayMs = 24 * 60 * 60 * 1000;
const pluginCount = 300;
const serversPerPlugin = 40;
const chartIds = ['one', 'two', 'three'];

/** Makes a store, and reports of a slot that has ended: its charts will have some megabytes. */
async function makeStore(path: string, start: number): Promise<void> {
  const ids = Array.from({ length: pluginCount }, (_, index) => index + 7);
  const lines = ids.flatMap((id) => [
    pluginLine({ id, name: `Plugin ${id}` }),
    ...chartIds.map((chartId, index) =>
      chartLine({ pluginId: id, chartId, uid: 10 * id + index, type: 'simple_pie' }),
    ),
  ]);
  const store = openSqliteStore(path);
  await importInto(store, archiveText([softwareLine(), ...lines]));
  await using reports = await store.openReports();
  await reports.openSlot(start);
  await reports.cover(start, allParts);
  for (let server = 0; server < serversPerPlugin; server++) {
    const name = `${server}`.padEnd(150, '.');
    const values = Object.fromEntries(
      chartIds.map((chartId) => [`${chartId} simple_pie`, [[name, 1] as const]]),
    );
    await reports.append(
      start,
      loggedReport(server, Object.fromEntries(ids.map((pluginId) => [pluginId, values]))),
    );
  }
}

/** Starts a collector after a shell command, such as a limit. */
function startCollect(store: string, before = ':'): ChildProcess {
  const argv = [mainPath, 'collect', '--store', store, '--port', '0', '--admin-port', '0', '--slot', '1d'];
  return spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, ...argv]);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function waitUntilClosed(store: string, start: number): Promise<void> {
  await waitUntil(async () => {
    await using reports = await openSqliteStore(store).openReports();
    return (await reports.listSlots()).every((slot) => slot.start !== start);
  });
}

test('a slot that is closed on a full disk is written whole when there is room, and reports are taken meanwhile', async () => {
  const start = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  const [store, other] = [directory.at('full.db'), directory.at('other.db')];
  await makeStore(store, start);
  for (const suffix of ['', '-reports']) copyFileSync(store + suffix, other + suffix);
  const before = await exportFrom(openSqliteStore(store));

  // A file may not have more than a megabyte: the same error as that of a full disk.
  const limited = startCollect(store, 'ulimit -S -f 2048');
  let output = '';
  limited.stdout?.on('data', (text) => {
    output += text;
  });
  await waitUntil(() => output.split('\n').length > 2);
  const [url, adminUrl] = output.match(/http:\S+/g) ?? [];
  const ready = async () => {
    const response = await fetch(`${adminUrl}/ready`);
    return { ...JSON.parse(await response.text()), status: response.status };
  };
  await waitUntil(async () => (await ready()).status === 503);
  assert.equal((await ready()).reason, `the slot of ${new Date(start).toISOString()} cannot be closed`);
  const report = () =>
    fetch(`${url}/api/v2/data/bukkit`, {
      method: 'POST',
      body: JSON.stringify({ serverUUID: 'a server', service: { id: 7 } }),
    });
  assert.equal((await report()).status, 202);
  assert.equal((await report()).status, 429);
  assert.equal(await exportFrom(openSqliteStore(store)), before);
  execFileSync('prlimit', ['--pid', String(limited.pid), '--fsize=unlimited:unlimited']);
  await waitUntilClosed(store, start);
  await waitUntil(async () => (await ready()).status === 200);
  await end(limited);

  const collector = startCollect(other);
  await waitUntilClosed(other, start);
  await end(collector);
  const after = await exportFrom(openSqliteStore(store));
  assert.notEqual(after, before);
  assert.equal(after, await exportFrom(openSqliteStore(other)));
  const shown = after.split('\n').filter((line) => line.startsWith('{"record":"data"'));
  assert.equal(shown.length, chartIds.length * pluginCount);
  for (const line of shown) assert.equal(line.match(/"y":1}/g)?.length, serversPerPlugin);
});
