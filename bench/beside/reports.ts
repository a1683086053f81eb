/** Measures reports by the CPU time of `collect`: accepting them, and closing a slot of them. */
import { copyFile, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportedCatalogue, reportMessages } from '../data/reports.ts';
import { serviceUse } from '../harness/processes.ts';
import { Connections } from '../harness/requests.ts';
import { ask, type Server, startListening, startServe } from '../harness/server.ts';
import { keptLines } from '../harness/stores.ts';
import type { Bench } from '../question.ts';
import { cpuOfTurns, onBoth, type Part, pairOf } from './part.ts';
import type { Sides } from './row.ts';

const pluginCount = 2000;

/**
 * Number of reports per turn, and of repetitions. In each repetition both sides have two turns. The same
 * number of repetitions warms up the processes first.
 */
const turnCount = 1000;
const repeatCount = 6;

/** Accepts gzip-compressed reports over persistent connections. */
export const collecting: Part = {
  rows: [{ id: 'reports', what: 'reports accepted', unit: '/CPU s' }],
  prepare: async (sides) => {
    const stores = await onBoth(sides, keptCatalogue);
    const reportCount = 2 * turnCount * 2 * repeatCount;
    const messages = [...reportMessages({ pluginCount, reportCount })];
    return (measure) =>
      measure('reports', async () => {
        await using stack = new AsyncDisposableStack();
        const servers = await onBoth(sides, async (side, name) => {
          const store = await copyStore(stores[name], join(side.folder, `reports-${name}.db`));
          stack.defer(() => removeStore(store));
          // A shorter slot could end during the measurement, and would be closed.
          return stack.use(await startCollect(side, store, ['--slot', '1d']));
        });
        const connections = pairOf(servers, (server) => stack.use(connectReporters(server)));
        const sent = { present: 0, earlier: 0 };
        const send = () =>
          cpuOfTurns(sides, servers, {
            repeatCount,
            turn: async (name) => {
              const from = sent[name];
              sent[name] += turnCount;
              await sendReports(connections[name], messages.slice(from, sent[name]));
            },
          });
        await send();
        return pairOf(await send(), (seconds) => (2 * repeatCount * turnCount) / seconds);
      });
  },
};

const closedCount = 100_000;

const slotMs = 3 * 60_000;
const collectArgs = ['--slot', '3m', '--history', '3m'];

/**
 * Fraction of the slot after which the collector is stopped. Such a slot is covered for long enough, so the
 * next start closes it; each measurement closes its own copy.
 */
const coveredShare = 0.94;

/** A slot that has ended but is not closed. */
interface FullSlot {
  readonly start: number;
  readonly end: number;
  readonly stores: Sides<string>;
}

/** Closes a slot of reports at the next start of a collector. */
export const closing: Part = {
  rows: [
    { id: 'closing', what: 'reports of a slot of 100,000, closed and kept as history', unit: '/CPU s' },
    { id: 'closing-peak', what: 'peak memory of that', unit: ' MB' },
  ],
  prepare: async (sides) => {
    const messages = [...reportMessages({ pluginCount, reportCount: closedCount })];
    const full = await fillSlot(sides, messages);
    return async (measure) => {
      await sleep(full.end - Date.now());
      const closings = await onBoth(sides, (side, name) => closeSlot(side, full, full.stores[name]));
      await measure('closing', async () => pairOf(closings, ({ cpuSeconds }) => closedCount / cpuSeconds));
      await measure('closing-peak', async () => pairOf(closings, ({ peakBytes }) => peakBytes / 1e6));
    };
  },
};

/** Collects the reports on both sides during the next slot. */
async function fillSlot(sides: Sides<Bench>, messages: readonly Uint8Array[]): Promise<FullSlot> {
  const kept = await onBoth(sides, keptCatalogue);
  const stores = await onBoth(sides, (side, name) =>
    copyStore(kept[name], join(side.folder, `slot-${name}.db`)),
  );
  let start = 0;
  {
    await using stack = new AsyncDisposableStack();
    const servers = await onBoth(sides, async (side, name) =>
      stack.use(await startCollect(side, stores[name], collectArgs)),
    );
    start = Math.ceil(Date.now() / slotMs) * slotMs;
    sides.present.say('waiting for the next slot of three minutes');
    await sleep(start - Date.now());
    const { present, earlier } = pairOf(servers, (server) => stack.use(connectReporters(server)));
    await Promise.all([sendReports(present, messages), sendReports(earlier, messages)]);
    const stopsAt = start + coveredShare * slotMs;
    if (Date.now() > stopsAt) throw new Error('100,000 reports did not fit into a slot of three minutes');
    await sleep(stopsAt - Date.now());
  }
  return { start, end: start + slotMs, stores };
}

const closingTimeoutMs = 300_000;

/** Closes the slot in a copy; returns what the collector used from its start until the points are served. */
async function closeSlot(side: Bench, { start }: FullSlot, full: string) {
  await using stack = new AsyncDisposableStack();
  const store = await copyStore(full, join(side.folder, 'closing.db'));
  stack.defer(() => removeStore(store));
  const { url } = stack.use(await startServe(side, store, { cores: side.cores.load }));
  const collector = stack.use(await startCollect(side, store, collectArgs));
  const deadline = Date.now() + closingTimeoutMs;
  for (;;) {
    const bytes = await ask(`${url}/api/v1/plugins/1/charts/servers/data?maxElements=1`);
    if (bytes.toString().startsWith(`[[${start},`)) return serviceUse(collector.pid);
    if (Date.now() > deadline) throw new Error('the slot was not closed in five minutes');
    await sleep(50);
  }
}

/** Copies a store with its open slots. */
async function copyStore(from: string, to: string): Promise<string> {
  for await (const file of glob(`${from}*`)) await copyFile(file, to + file.slice(from.length));
  return to;
}

async function removeStore(store: string): Promise<void> {
  for await (const file of glob(`${store}*`)) await rm(file);
}

/** Returns the path of a read-only store with the plugins of the reports. */
function keptCatalogue(bench: Bench): Promise<string> {
  return keptLines(bench, 'reported', { pluginCount }, () => reportedCatalogue(pluginCount));
}

/** Starts `collect` on the server core. */
function startCollect(bench: Bench, store: string, collectArgs: readonly string[] = []): Promise<Server> {
  const limits = ['--per-address', '1000000', '--max-connections-per-address', '10000'];
  return startListening(bench, ['collect', '--store', store, '--port', '0', ...limits, ...collectArgs]);
}

/** Opens connections for reports; every response must be 202. */
function connectReporters({ url }: Server): Connections {
  return new Connections(url, { count: 50, status: 202 });
}

/** Sends each report once. Rejects if one is refused. */
async function sendReports(connections: Connections, messages: readonly Uint8Array[]): Promise<void> {
  let at = 0;
  await connections.send({ next: () => messages[at++] ?? Buffer.of(), count: messages.length });
}
