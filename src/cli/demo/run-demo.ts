/** Imports the sample of these days, serves it, and prints addresses to open. Beside it a collector runs. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { ownArguments, readOwnFile } from '../../runtime/own-program.ts';
import { printMessage, printResult } from '../output.ts';
import { demoEnvironment, keepDemoStore } from './demo-store.ts';
import { runFleet } from './fleet.ts';
import { sampleUntil } from './these-days.ts';

/** The plugin whose addresses are shown. */
const examplePluginId = 1337;

/** An address to open, and a description. */
export interface ExampleUrl {
  readonly label: string;
  readonly url: string;
}

/** Lists addresses of the sample; `baseUrl` has no trailing slash. */
export function listExampleUrls(baseUrl: string): ExampleUrl[] {
  const plugins = `${baseUrl}/api/v1/plugins`;
  const example = `${plugins}/${examplePluginId}`;
  return [
    { label: 'to look at', url: `${baseUrl}/` },
    { label: 'a picture', url: `${baseUrl}/embed/${examplePluginId}.svg` },
    { label: 'every plugin', url: plugins },
    { label: 'every software', url: `${baseUrl}/api/v1/software` },
    { label: 'one plugin', url: example },
    { label: 'its charts', url: `${example}/charts` },
    { label: 'one chart', url: `${example}/charts/players` },
    { label: 'its latest points', url: `${example}/charts/players/data?maxElements=5` },
    { label: 'a pie', url: `${example}/charts/serverSoftware/data` },
    { label: 'all of it now', url: `${baseUrl}/api/v2/plugins/${examplePluginId}` },
    { label: 'a past', url: `${baseUrl}/embed/${examplePluginId}/pluginVersion.svg?view=history&range=all` },
    {
      label: 'the same as CSV',
      url: `${baseUrl}/api/v2/series.csv?charts=${examplePluginId}:pluginVersion&range=all&step=7d`,
    },
  ];
}

/** Options of {@link runDemo}: the settings of the command. */
interface DemoOptions {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly collectorPort: number;
  readonly pagesPort: number;
  /** The present of the sample, in Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * Imports and serves, and returns the exit code. Later in the same week, the import adds what has come since.
 * @throws AppError `unavailable` if the folder cannot be made.
 */
export async function runDemo({ folder, host, port, nowMs, ...options }: DemoOptions): Promise<number> {
  const store = join(folder, 'demo-sample.db');
  const sample = sampleUntil(nowMs, gunzipSync(readOwnFile('sample/sample.ndjson.gz')).toString());
  await keepDemoStore(
    store,
    async (kept) => (await kept.loadStats()).oldestTimestamp === sample.oldestPointMs,
  );
  const imported = spawnSync(process.execPath, ownArguments(['import', '--store', store, '-']), {
    env: demoEnvironment,
    input: sample.text,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (imported.status !== 0) return exitCode(imported.status, imported.signal);
  const argv = ['serve', '--store', store, '--host', host, '--port', `${port}`];
  const child = spawn(process.execPath, ownArguments(argv), {
    env: demoEnvironment,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal));
  // Closing the terminal ends the server, which would otherwise replace its workers on SIGHUP.
  process.on('SIGHUP', () => void child.kill('SIGTERM')).on('exit', () => void child.kill('SIGTERM'));
  const ended = new AbortController();
  let fleet: Promise<void> | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    printResult(line);
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address === undefined || fleet !== undefined) return;
    printExamples(address);
    fleet = runFleet({ ...options, store: join(folder, 'demo-collected.db'), signal: ended.signal });
  });
  await once(child, 'close');
  if (fleet === undefined && child.exitCode === 1)
    printMessage('--port PORT takes another port, with npm: npm start -- --port 8085');
  ended.abort();
  await fleet;
  return exitCode(child.exitCode, child.signalCode);
}

function printExamples(address: string): void {
  // A client cannot connect to "every address".
  const baseUrl = address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const examples = listExampleUrls(baseUrl);
  const labelWidth = Math.max(...examples.map(({ label }) => label.length));
  printResult('', ...examples.map(({ label, url }) => `  ${label.padEnd(labelWidth)}  ${url}`), '');
}

/** The exit code as in a shell: 128 plus the number of the signal that ended a program. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
