/** Collectors: within the process, or in one of their own over a store with plugins of Bukkit. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeSlot } from '../../src/collect/close-slot.ts';
import {
  type CollectOptions,
  type CollectServer,
  startCollectServer,
} from '../../src/collect/listener/collect-server.ts';
import { parseLines } from '../../src/collect/report-line.ts';
import type { ReportStore } from '../../src/model/report-store.ts';
import type { Store } from '../../src/model/store.ts';
import { type Serving, type ServingOptions, startServing } from '../serve/support/serving.ts';
import { runProgram } from '../support/run-program.ts';

/** Starts a collector within the process. */
export function serveReports(store: Store, options: Partial<CollectOptions>): Promise<CollectServer> {
  const { slotMs = 1_800_000 } = options;
  return startCollectServer({
    store,
    host: '127.0.0.1',
    port: 0,
    slotMs,
    closeSlot: (slot) => closeSlot(slot, { store, slotMs, historyMs: undefined }),
    maxPerAddress: 1000,
    trustedProxies: [],
    limits: {},
    timeouts: {},
    logStream: { write: () => true },
    ...options,
  });
}

/** Makes a store with the global plugin 1 and as many plugins, from the id 2 on. */
export async function makeCollectingStore(store: string, pluginCount = 1): Promise<void> {
  const run = async (...argv: string[]) => {
    const { code, stderr } = await runProgram([...argv, '--store', store]);
    assert.equal(code, 0, stderr);
  };
  await run('add', 'software', 'bukkit');
  for (let count = 0; count < pluginCount; count++)
    await run('add', 'plugin', '--name', `P${count}`, '--owner', 'Me', '--software', 'bukkit');
}

const dayMs = 86_400_000;

/** Starts a collector whose slot ends once a day, and so not within a test: before midnight it waits. */
export async function startCollecting(
  store: string,
  argv: readonly string[] = [],
  options: ServingOptions = {},
): Promise<Serving> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < 120_000 && !argv.includes('--slot')) await sleep(leftMs + 100);
  const all = ['--store', store, '--slot', '1d', '--per-address', '1000000', ...argv];
  return startServing(all, { command: 'collect', ...options });
}

/** Sends a report of a server for plugin 2. */
export async function sendReport(
  url: string,
  serverUUID: string,
  service: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(`${url}/api/v2/data/bukkit`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ serverUUID, playerAmount: 1, service: { id: 2, ...service } }),
  });
  await response.text();
  return response.status;
}

/** Counts the reports of the first slot for plugins and for global plugins, and their servers. */
export async function countLogged(reports: ReportStore) {
  const [slot] = await reports.listSlots();
  const counts = { plugin: 0, global: 0 };
  const servers = new Set<number>();
  for await (const text of reports.readLog(slot?.start ?? 0))
    for (const { server, plugins, globalPlugin } of parseLines(text)) {
      counts.plugin += plugins.length;
      if (globalPlugin !== null) counts.global++;
      servers.add(server);
    }
  return { ...counts, servers: servers.size };
}
