// `npm start`: imports the sample of these days, serves it and prints addresses to open. Beside it a
// collector takes reports.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parseIsoTime } from '../src/model/iso-time.ts';
import { examplePluginId } from './catalogue.ts';
import { runFleet } from './fleet.ts';
import { removeOther } from './own-store.ts';
import { sampleUntil } from './these-days.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const store = 'sample/sample.db';
const archive = 'sample/sample.ndjson.gz';

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

/**
 * Imports and serves, and returns the exit code. Later in the same week, the import adds what has come since.
 */
async function start(argv: readonly string[]): Promise<number> {
  const serveArguments = [...argv];
  const ports = {
    collector: takeOption(serveArguments, '--collector-port', '8090'),
    pages: takeOption(serveArguments, '--pages-port', '8091'),
  };
  const now = takeOption(serveArguments, '--now', new Date().toISOString());
  const nowMs = parseIsoTime(now)?.timestamp;
  if (nowMs === undefined) {
    process.stderr.write(`--now must be a time such as 2026-06-30T23:30Z, got ${now}\n`);
    return 2;
  }
  const sample = sampleUntil(nowMs, gunzipSync(readFileSync(join(checkout, archive))).toString());
  removeOther(join(checkout, store), sample.oldestEventMs);
  const imported = spawnSync(process.execPath, ['src/main.ts', 'import', '--store', store, '-'], {
    cwd: checkout,
    input: sample.text,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (imported.status !== 0) return exitCode(imported.status, imported.signal);
  const child = spawn(process.execPath, ['src/main.ts', 'serve', '--store', store, ...serveArguments], {
    cwd: checkout,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal));
  // Closing the terminal ends the server, which would otherwise replace its workers on SIGHUP.
  process.on('SIGHUP', () => void child.kill('SIGTERM')).on('exit', () => void child.kill('SIGTERM'));
  const ended = new AbortController();
  let fleet: Promise<void> | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address === undefined || fleet !== undefined) return;
    printExamples(address);
    fleet = runFleet(checkout, ports, ended.signal);
  });
  await once(child, 'close');
  if (fleet === undefined && child.exitCode === 1)
    process.stderr.write(
      'The options of serve go behind --, such as another port: npm start -- --port 8085\n',
    );
  ended.abort();
  await fleet;
  return exitCode(child.exitCode, child.signalCode);
}

/** Takes an option of the sample out of those that go to `serve`. */
function takeOption(argv: string[], option: string, value: string): string {
  const at = argv.findIndex((argument) => argument === option || argument.startsWith(`${option}=`));
  if (at === -1) return value;
  const inOne = argv[at]?.includes('=');
  const [argument = '', next = ''] = argv.splice(at, inOne ? 1 : 2);
  return inOne ? argument.slice(option.length + 1) : next;
}

function printExamples(address: string): void {
  // A client cannot connect to "every address".
  const baseUrl = address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const examples = listExampleUrls(baseUrl);
  const labelWidth = Math.max(...examples.map(({ label }) => label.length));
  const rows = examples.map(({ label, url }) => `  ${label.padEnd(labelWidth)}  ${url}\n`);
  process.stdout.write(`\n${rows.join('')}\n`);
}

/** The exit code as in a shell: 128 plus the number of the signal that ended a program. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

if (import.meta.main) process.exitCode = await start(process.argv.slice(2));
