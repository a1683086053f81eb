/**
 * The documentation run as tests: the `sh` blocks of a document run in a copy of the checkout, and a `text`
 * block that directly follows is the expected output, with `…` for any text.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readDocument } from './doc-tables.ts';
import { codeBlocks, type ShellBlock, shellBlocks } from './markdown.ts';
import { freePort } from './support/free-port.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const readme = readDocument('README.md');

/** The documents whose commands are run, in this order. */
const documentsWithCommands: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/requests.md',
  'docs/versions.md',
  'docs/releases.md',
  'docs/history.md',
  'docs/pages.md',
  'docs/embedding.md',
  'docs/command-line.md',
  'docs/csv.md',
  'docs/operating.md',
  'docs/mirroring.md',
  'docs/collecting.md',
];

/** Its commands need a PostgreSQL server at db1.example.org; test/postgres/ tests their effects. */
const documentOfServers = 'docs/postgresql.md';

const serverCommand =
  /^(npm start|(npm run --silent cli --|(sudo -u plugin-metrics )?plugin-metrics) (serve|collect))\b/;

describe('the commands in the documentation', () => {
  let work = '';
  let servers: ChildProcess[] = [];
  /** Ports to use, by the port in the document. */
  const ports = new Map<string, number>();

  before(async () => {
    work = mkdtempSync(join(tmpdir(), 'plugin-metrics-readme-'));
    for (const name of ['src', 'sample', 'catalogues', 'conformance', 'fonts', 'package.json'])
      cpSync(join(checkout, name), join(work, name), {
        recursive: true,
        filter: (file) => !/\.db(-[\w-]+)?$/.test(file),
      });
    symlinkSync(join(checkout, 'node_modules'), join(work, 'node_modules'));
    mkdirSync(join(work, 'var/lib/plugin-metrics'), { recursive: true });
    mkdirSync(join(work, 'var/lib/plugin-metrics-backups'));
    mkdirSync(join(work, 'bin'));
    writeProgram('npm', npmStandIn());
    writeProgram('sudo', '[ "$1 $2" = "-u plugin-metrics" ] && shift 2 && exec "$@"');
    writeProgram('plugin-metrics', `exec '${process.execPath}' '${work}/src/main.ts' "$@"`);
    for (const port of ['8080', '8081', '8082', '8083', '8090', '8091', '9090', '9091'])
      ports.set(port, await freePort());
  });

  after(async () => {
    await stopServers();
    rmSync(work, { recursive: true });
  });

  for (const name of documentsWithCommands) {
    it(`print in ${name} the documented output`, async () => {
      await stopServers();
      if (name === 'docs/operating.md')
        cpSync(
          join(work, 'plugin-metrics-demo/demo-sample.db'),
          join(work, 'var/lib/plugin-metrics/metrics.db'),
        );
      const blocks = shellBlocks(readDocument(name)).map((block) => ({
        ...block,
        command: block.command.replace('npm install && ', ''),
      }));
      assert.ok(blocks.length > 0);
      // The checker takes half of the total time, and changes nothing.
      const checkers: Promise<void>[] = [];
      try {
        for (const block of blocks) {
          if (block.command === 'npm test') continue;
          if (serverCommand.test(block.command)) await startServer(block);
          else if (block.command.includes('conformance')) checkers.push(checkBlock(block));
          else await checkBlock(block);
        }
      } finally {
        await Promise.all(checkers);
      }
      if (name === 'README.md') await checkPageScript();
    });
  }

  it('are run in every document that has any', () => {
    const documents = globSync('**/*.md', {
      cwd: checkout,
      exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
    });
    const withCommands = documents.filter((name) => shellBlocks(readDocument(name)).length > 0);
    assert.deepEqual(withCommands.sort(), [...documentsWithCommands, documentOfServers].sort());
  });

  async function stopServers(): Promise<void> {
    await Promise.all(servers.map(stop));
    servers = [];
  }

  /** Runs the script for a page against the server that the README has started. */
  async function checkPageScript(): Promise<void> {
    const scripts = codeBlocks(readme).filter(({ language }) => language === 'js');
    const element = { textContent: '' };
    const document = { querySelector: (selector: string) => (selector === '#servers' ? element : undefined) };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    assert.equal(scripts.length, 1);
    for (const { text } of scripts) await AsyncFunction('document', toWork(text))(document);
    assert.match(element.textContent, /^\d+ servers, \w{3}, \d\d \w{3} \d{4} /);
  }

  async function checkBlock({ command, output }: ShellBlock): Promise<void> {
    const result = await run(toWork(command));
    const isRefusal = output?.startsWith('error: ') === true;
    assert.ok((result.code === 0) !== isRefusal, `exit code ${result.code} of: ${command}\n${result.output}`);
    if (output !== undefined) assertShown(toText(result.output), { shown: output, command });
  }

  /** Starts a command that runs until a signal, and waits for the output that the block shows. */
  async function startServer({ command, output = '' }: ShellBlock): Promise<void> {
    const port = ports.get(/ --port (\d+)/.exec(command)?.[1] ?? '8080');
    // A separate process group, so that the signal reaches the program behind the shells.
    const options = `--collector-port ${ports.get('8090')} --pages-port ${ports.get('8091')}`;
    // The README starts the sample of these days, and shows figures of that of one day.
    const start = /^npm start(?: -- (--now \S+))?/;
    const day = start.exec(command)?.[1] ?? '--now 2026-06-30T23:30Z';
    const server = spawn('sh', ['-c', toWork(command).replace(start, `npm start -- ${options} ${day}`)], {
      cwd: work,
      env: { ...environment(), PLUGIN_METRICS_PORT: `${port}` },
      detached: true,
    });
    servers.push(server);
    let printed = '';
    const take = (text: Buffer) => {
      printed += text;
    };
    server.stdout.on('data', take);
    server.stderr.on('data', take);
    const deadline = Date.now() + 60_000;
    while (!isShown(toText(printed), output) && server.exitCode === null && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assertShown(toText(printed), { shown: output, command });
  }

  /** Returns the exit code, and standard output and standard error interleaved. */
  async function run(command: string): Promise<{ readonly code: number; readonly output: string }> {
    const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], { cwd: work, env: environment() });
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    return { code: Number(code), output };
  }

  function environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(PLUGIN_METRICS_|NODE_TEST_|NODE_OPTIONS)/.test(name),
    );
    return {
      ...Object.fromEntries(own),
      PATH: `${work}/bin:${dirname(process.execPath)}:${process.env['PATH']}`,
      // The program is started a dozen times.
      NODE_COMPILE_CACHE: join(work, 'compile-cache'),
    };
  }

  function writeProgram(name: string, script: string): void {
    writeFileSync(join(work, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(work, 'bin', name), 0o755);
  }

  /** Replaces the paths and ports of the document by those used here. */
  function toWork(text: string): string {
    return text
      .replaceAll(/(?<=127\.0\.0\.1:|-port )\d+/g, (port) => `${ports.get(port)}`)
      .replaceAll('/var/', `${work}/var/`);
  }

  function toText(output: string): string {
    let text = output.replaceAll(work, '');
    for (const [shown, port] of ports) text = text.replaceAll(`:${port}`, `:${shown}`);
    return text;
  }
});

/** Replaces npm, which is slower to start than its scripts; this runs the same scripts of package.json. */
function npmStandIn(): string {
  const cases = Object.entries(packageJson().scripts).map(([name, script]) => `${name}) ${script} "$@";;`);
  return `
if [ "$1" = run ]; then shift; fi
if [ "$1" = --silent ]; then shift; fi
script=$1
shift
if [ "$1" = -- ]; then shift; fi
case $script in
${cases.join('\n')}
*) exit 1;;
esac`;
}

function packageJson() {
  return JSON.parse(readDocument('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
}

function assertShown(printed: string, about: { readonly shown: string; readonly command: string }): void {
  if (isShown(printed, about.shown)) return;
  assert.equal(steady(printed), steady(about.shown), `what this prints: ${about.command}`);
}

function isShown(printed: string, shown: string): boolean {
  const pieces = steady(shown).split('…').map(RegExp.escape);
  return new RegExp(`^${pieces.join('[\\s\\S]*')}$`).test(steady(printed));
}

/**
 * Removes the parts that differ between runs, the line in the log with which a program says how it was
 * started, the list of cases of the checker, and what a terminal does not show of the line ends of CSV.
 */
function steady(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/^\{"level":"info",.*"message":"plugin-metrics \d.*\n/gm, '')
    .replaceAll(/ in [\d.]+ s \([\d,]+ points\/s\)/g, ' in T s (N points/s)')
    .replaceAll(/ requests in [\d.]+ s /g, ' requests in T s ')
    .replaceAll(/^\d+ passed/gm, 'N passed')
    .trim();
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.pid === undefined) return;
  const gone = once(server, 'close');
  process.kill(-server.pid, 'SIGTERM');
  await gone;
}
