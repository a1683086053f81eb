// `npm start`: puts the sample into a store of its own, serves it and says what to look at.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { examplePluginId } from './catalogue.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const store = 'sqlite:sample/sample.db';
const archive = 'sample/sample.ndjson.gz';

/** An address worth opening, and what it shows. */
export interface ExampleUrl {
  readonly label: string;
  readonly url: string;
}

/** Lists addresses that answer from the sample; `baseUrl` comes without a trailing slash. */
export function listExampleUrls(baseUrl: string): ExampleUrl[] {
  const plugins = `${baseUrl}/api/v1/plugins`;
  const example = `${plugins}/${examplePluginId}`;
  return [
    { label: 'every plugin', url: plugins },
    { label: 'every software', url: `${baseUrl}/api/v1/software` },
    { label: 'one plugin', url: example },
    { label: 'its charts', url: `${example}/charts` },
    { label: 'one chart', url: `${example}/charts/players` },
    { label: 'its latest points', url: `${example}/charts/players/data?maxElements=5` },
    { label: 'a pie', url: `${example}/charts/serverSoftware/data` },
  ];
}

/**
 * Imports and serves, and gives the exit code. Importing what is there already changes nothing, so every start
 * may do it.
 */
async function start(serveArguments: readonly string[]): Promise<number> {
  const importCode = await runProgram(['import', '--store', store, archive]);
  if (importCode !== 0) return importCode;
  return await runProgram(['serve', '--store', store, ...serveArguments], printExamplesOnceListening());
}

/** Runs the program to its end, its standard output line by line through `onLine`, and gives its exit code. */
async function runProgram(
  programArguments: readonly string[],
  onLine?: (line: string) => void,
): Promise<number> {
  const child = spawn(process.execPath, ['src/main.ts', ...programArguments], {
    cwd: checkout,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const release = bindLifeOf(child);
  try {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      process.stdout.write(`${line}\n`);
      onLine?.(line);
    });
    return await waitForExit(child);
  } finally {
    release();
  }
}

function printExamplesOnceListening(): (line: string) => void {
  let isPrinted = false;
  return (line) => {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address === undefined || isPrinted) return;
    isPrinted = true;
    // A server on every address is not reached under the name of none.
    const baseUrl = address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
    const examples = listExampleUrls(baseUrl);
    const labelWidth = Math.max(...examples.map(({ label }) => label.length));
    const rows = examples.map(({ label, url }) => `  ${label.padEnd(labelWidth)}  ${url}\n`);
    process.stdout.write(`\n${rows.join('')}\n`);
  };
}

/** Lets the child end when this process is told to, or fails. Gives what undoes it. */
function bindLifeOf(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  const end = (): void => void child.kill('SIGTERM');
  process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', end).on('exit', end);
  return () => {
    process.off('SIGINT', forward).off('SIGTERM', forward).off('SIGHUP', end).off('exit', end);
  };
}

/** Waits until the child is gone and its output read. A child that a signal ended counts as 128 and the signal's number. */
function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

if (import.meta.main) process.exitCode = await start(process.argv.slice(2));
