/**
 * A collector with a small fleet of invented servers that report to it, and a server that shows what it has
 * collected.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ownArguments } from '../../runtime/own-program.ts';
import { printMessage, printResult } from '../output.ts';
import { demoEnvironment as env, keepDemoStore } from './demo-store.ts';

const slotMs = 60_000;

/** The plugin that the fleet reports for; the first is the global plugin of the software. */
const pluginId = 2;

const serverCount = 12;
const versions = ['1.21.4', '1.21.8', '1.20.6'];
const systems = ['Linux', 'Windows 11', 'Linux'];

/** Makes the store if it is not there, or of another version. */
async function makeStore(store: string): Promise<void> {
  if (await keepDemoStore(store, async (kept) => kept.probe().then(() => true))) return;
  for (const what of [
    ['software', 'bukkit'],
    ['plugin', '--name', 'Beacon', '--owner', 'You', '--software', 'bukkit'],
  ]) {
    const argv = ownArguments(['add', ...what, '--store', store]);
    const added = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
    if (added.status !== 0) throw new Error(added.stderr);
  }
}

/** A report of a server of the fleet. Players come and go. */
export function fleetReport(server: number, time: number): object {
  const wave = 1 + Math.sin(time / (10 * slotMs) + server);
  return {
    serverUUID: `server ${server} of the fleet`,
    playerAmount: Math.round(wave * (3 + server)),
    onlineMode: server % 4 === 0 ? 0 : 1,
    bukkitVersion: `git-${server} (MC: ${versions[server % versions.length]})`,
    bukkitName: 'Paper',
    javaVersion: server % 3 === 0 ? '17.0.12' : '21.0.4',
    osName: systems[server % systems.length],
    osArch: 'amd64',
    osVersion: '6.8',
    coreCount: 4 + 4 * (server % 3),
    service: { id: pluginId, pluginVersion: server < 3 ? '1.3' : '1.4', customCharts: [] },
  };
}

/** Options of {@link runFleet}. */
interface FleetOptions {
  /** Path of the store of what is collected. */
  readonly store: string;
  readonly collectorPort: number;
  readonly pagesPort: number;
  /** Ends the fleet. */
  readonly signal: AbortSignal;
}

/**
 * Collects until the signal comes. A newcomer sees the addresses in the output; what fails says so there and
 * disturbs nothing else.
 */
export async function runFleet({ store, collectorPort, pagesPort, signal }: FleetOptions): Promise<void> {
  await makeStore(store);
  const children = [
    ['collect', '--store', store, '--port', `${collectorPort}`, '--slot', `${slotMs / 60_000}m`],
    ['serve', '--store', store, '--port', `${pagesPort}`],
  ].map((argv) => spawn(process.execPath, ownArguments(argv), { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  for (const { stderr } of children) showErrors(stderr);
  const end = () => {
    for (const child of children) child.kill();
  };
  signal.addEventListener('abort', end, { once: true });
  process.once('exit', end);
  const [collectorUrl, pagesUrl] = await Promise.all(children.map(addressOf));
  if (collectorUrl === undefined || pagesUrl === undefined) {
    if (!signal.aborted)
      printResult(
        `  the fleet is off, and nothing is collected: --collector-port (${collectorPort}) and --pages-port (${pagesPort}) name its ports`,
        '',
      );
    return end();
  }
  printResult(
    `  reports to ${collectorUrl} are counted every minute, and shown by ${pagesUrl}/plugin/${pluginId}`,
    '',
  );
  await Promise.race([report(collectorUrl, signal), ...children.map((child) => once(child, 'close'))]);
}

/** Passes errors on to the terminal, but not the log of what went well. Both are lines of JSON. */
function showErrors(stderr: Readable): void {
  createInterface({ input: stderr }).on('line', (line) => {
    const { level, message } = line.startsWith('{') ? JSON.parse(line) : { level: 'error', message: line };
    if (level === 'error') printMessage(message);
  });
}

/** The address that a program listens on; undefined if it ends before. */
async function addressOf(child: ChildProcess): Promise<string | undefined> {
  const { stdout } = child;
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    stdout.resume();
    return address;
  }
  return undefined;
}

/** Reports once a slot for each server, one after another. */
async function report(collectorUrl: string, signal: AbortSignal): Promise<void> {
  try {
    for (let turn = 0; ; turn++) {
      const body = gzipSync(JSON.stringify(fleetReport(turn % serverCount, Date.now())));
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const answer = await fetch(`${collectorUrl}/api/v2/data/bukkit`, {
        method: 'POST',
        headers,
        body,
        signal,
      });
      await answer.body?.cancel();
      await sleep(slotMs / serverCount, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) printMessage(`the fleet of the sample has stopped: ${error}`);
  }
}
