// A collector that is killed while it takes reports or closes a slot: nothing that was accepted is lost, and
// nothing counts twice.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/store/store.ts';
import { exportFrom } from '../contracts/store-contract.ts';
import { allParts, loggedReport } from '../support/logged-report.ts';
import { endOf, startProgram } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { countLogged, makeCollectingStore, startCollecting } from './collecting.ts';

/** Number of kills; more of them find rare faults. */
const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 5);

const dayMs = 24 * 60 * 60 * 1000;
const directory = directoryOfFile();

async function makeStore(name: string, pluginCount = 1): Promise<string> {
  const path = directory.at(`${name}.db`);
  await makeCollectingStore(path, pluginCount);
  return path;
}

/** Sends a report; the status, or undefined where the connection was lost. */
function send(url: string, agent: Agent, serverUUID: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const sent = request(`${url}/api/v2/data/bukkit`, { method: 'POST', agent }, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode));
    response.on('error', () => resolve(undefined));
  });
  sent.on('error', () => resolve(undefined));
  sent.end(JSON.stringify({ serverUUID, playerAmount: 1, service: { id: 2 } }));
  return promise;
}

test('each accepted report is there once after any number of kills', async () => {
  const store = await makeStore('accepting');
  const accepted = new Set<string>();
  const sent = new Set<string>();
  for (let kill = 0; kill < killCount; kill++) {
    const { url, signal, ended } = await startCollecting(store);
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    let isKilled = false;
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let count = 0; !isKilled; count++) {
        const uuid = `${kill} ${client} ${count}`;
        sent.add(uuid);
        const status = await send(url, agent, uuid);
        if (status === 202) accepted.add(uuid);
        else if (status !== undefined) assert.fail(`status ${status}`);
        if (status === undefined) return;
      }
    });
    if (kill === killCount - 1) await waitUntil(() => accepted.size > 0);
    await sleep(Math.random() * 400);
    signal('SIGKILL');
    await ended;
    isKilled = true;
    await Promise.all(clients);
    agent.destroy();
  }
  {
    await using collecting = await startCollecting(store);
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const again = await Promise.all(Array.from(accepted, (uuid) => send(collecting.url, agent, uuid)));
    assert.deepEqual(new Set(again), new Set([429]));
    agent.destroy();
  }
  await using reports = await openSqliteStore(store).openReports();
  const { plugin: ofPlugin, global: ofGlobal } = await countLogged(reports);
  assert.equal(ofPlugin, ofGlobal);
  assert.ok(ofPlugin >= accepted.size && ofPlugin <= sent.size, `${accepted.size} ${ofPlugin} ${sent.size}`);
});

test('a slot whose closing is killed at any moment is written once, with the same numbers', async () => {
  const template = await makeStore('template', 3);
  const start = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  {
    await using reports = await openSqliteStore(template).openReports();
    await reports.openSlot(start);
    await reports.cover(start, allParts);
    for (let batch = 0; batch < 40; batch++) {
      const lines = Array.from({ length: 500 }, (_, index) => {
        const values = {
          'players single_linechart': 2,
          'osArch simple_pie': [[`arch ${index % 7}`, 1] as const],
        };
        const globalPlugin = { 'servers single_linechart': 1 };
        return loggedReport(batch * 500 + index, { [2 + (index % 3)]: values }, { globalPlugin });
      });
      await reports.append(start, lines.join(''));
    }
  }
  const copy = (name: string) => {
    const path = directory.at(`${name}.db`);
    for (const suffix of ['', '-wal', '-reports', '-reports-wal'])
      if (existsSync(template + suffix)) copyFileSync(template + suffix, path + suffix);
    return path;
  };
  const isClosed = async (path: string) => {
    await using reports = await openSqliteStore(path).openReports();
    return (await reports.listSlots()).every((slot) => slot.start !== start);
  };
  /** Lets a collector run until the slot is closed. */
  const finish = async (path: string) => {
    await using _ = await startCollecting(path);
    await waitUntil(() => isClosed(path));
  };
  const expectedPath = copy('expected');
  await finish(expectedPath);
  const expected = await exportFrom(openSqliteStore(expectedPath));
  assert.match(expected, new RegExp(`"chartId":"servers","data":\\[\\[${start},20000\\]\\]`));
  for (let kill = 0; kill < killCount; kill++) {
    const path = copy(`kill-${kill}`);
    for (let times = 0; times < 3; times++) {
      const child = startProgram(['collect', '--store', path, '--port', '0', '--slot', '1d']);
      const ended = endOf(child);
      const wal = `${path}-reports-wal`;
      while (!existsSync(wal) && child.exitCode === null) await sleep(5);
      await sleep(Math.random() * 600);
      child.kill('SIGKILL');
      await ended;
    }
    await finish(path);
    assert.equal(await exportFrom(openSqliteStore(path)), expected, `kill ${kill}`);
  }
});
