// Serving from the command line: starting, answering, stopping.
import assert from 'node:assert/strict';
import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../../src/cli/package-version.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { childrenOf } from '../support/child-processes.ts';
import { endOf, mainPath, runProcess, startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { grownBytes } from './support/grown-bytes.ts';
import { startServing } from './support/serving.ts';

const directory = directoryOfFile();
const storePath = directory.at('store.db');
const store = ['--store', storePath];
before(() => importText(storePath, archiveText([softwareLine(), pluginLine(), chartLine()])));

describe('serve', { concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`prints its address, answers, and ends with 0 on ${signal}`, async () => {
      const server = await startServing(store);
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
      const response = await fetch(`${server.url}/api/v1/software`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /^\[\{"id":1,"name":"Bukkit \/ Spigot"/);
      server.signal(signal);
      assert.deepEqual(await server.ended, {
        code: 0,
        signal: null,
        stdout: `listening on ${server.url}\n`,
        stderr: '',
      });
    });
  }

  test('says what starts, has its name in the list of processes, and logs JSON, but for a terminal', async () => {
    const argv = [...store, '--max-age', '5', '--rate-limit', '0', '--live-fields'];
    const child = startProgram(['serve', '--port', '0', ...argv], { env: { PLUGIN_METRICS_CACHE_MB: '32' } });
    const ended = endOf(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    assert.match(readFileSync(`/proc/${child.pid}/cmdline`, 'latin1'), /^plugin-metrics serve/);
    child.kill('SIGHUP');
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGTERM');
    const { stderr } = await ended;
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ level, message }) => [level, message]),
      [
        [
          'info',
          `plugin-metrics ${version}: serve --store ${storePath} --port 0 --max-age 5 --cache-mb 32 --live-fields`,
        ],
        ['info', 'SIGHUP does nothing: it replaces workers, and --workers is 1'],
      ],
    );
    const wrong = await runProcess(['serve', '--port', 'x'], {});
    assert.equal(wrong.code, 2);
    const [first] = wrong.stderr.split('\n').map((line) => line && JSON.parse(line));
    assert.match(first.message, /^--port \(PLUGIN_METRICS_PORT\): it must be a whole number/);
    assert.equal(first.level, 'error');
  });

  test('a line begins with its priority only where the journal reads standard error', async () => {
    const log = directory.at('journal.log');
    const fd = openSync(log, 'w');
    const { dev, ino } = fstatSync(fd);
    for (const [JOURNAL_STREAM, start] of [
      [`${dev}:${ino}`, /^<3>\{"level":"error"/],
      [`${dev}:${ino + 1}`, /^\{"level":"error"/],
    ] as const) {
      const env = { ...process.env, JOURNAL_STREAM };
      const child = spawn(process.execPath, [mainPath, 'serve', '--port', 'x'], {
        stdio: ['ignore', 'ignore', fd],
        env,
      });
      await once(child, 'exit');
      assert.match(readFileSync(log, 'utf8').split('\n').at(-3) ?? '', start);
    }
    closeSync(fd);
  });

  for (const workers of ['1', '2'])
    test(`takes a socket that systemd hands over, with ${workers} processes`, async () => {
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      const handle = (listener as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
      const command = `LISTEN_FDS=1 LISTEN_PID=$$ exec ${process.execPath} ${mainPath} serve --store ${storePath} --workers ${workers}`;
      const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit', handle] });
      const [line] = await once(child.stdout?.setEncoding('utf8') ?? assert.fail(), 'data');
      // It would accept connections too.
      listener.close();
      assert.equal(line, `listening on http://127.0.0.1:${port}\n`);
      assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/software`)).status, 200);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });

  test('ends with 0 on a second signal at any moment: a terminal and a parent process may both send one', async () => {
    for (let gapMs = 0; gapMs < 36; gapMs += 2) {
      await using server = await startServing(store);
      server.signal('SIGINT');
      await sleep(gapMs);
      server.signal('SIGTERM');
      const { code, signal } = await server.ended;
      assert.deepEqual({ code, signal }, { code: 0, signal: null }, `${gapMs} ms`);
    }
  });

  test('sends the live fields if an option or variable says so, also with workers', async () => {
    const PLUGIN_METRICS_LIVE_FIELDS = '1';
    for (const [argv, env, isLive] of [
      [[], { PLUGIN_METRICS_LIVE_FIELDS: 'false' }, false],
      [['--live-fields'], { PLUGIN_METRICS_LIVE_FIELDS: 'false' }, true],
      [['--workers', '2'], { PLUGIN_METRICS_LIVE_FIELDS }, true],
    ] as const) {
      const server = await startServing([...store, ...argv], { env });
      const plugin = await (await fetch(`${server.url}/api/v1/plugins/7`)).text();
      assert.equal(/,"isGlobal":false\}$/.test(plugin), isLive, plugin);
      assert.equal(plugin.includes(',"idCustom":"players"}'), isLive, plugin);
      const served = await (await fetch(`${server.url}/openapi.json`)).json();
      server.signal('SIGTERM');
      assert.equal((await server.ended).code, 0);
      const { stdout } = await runProcess(['openapi', ...(isLive ? ['--live-fields'] : [])]);
      assert.deepEqual(served, JSON.parse(stdout));
    }
  });

  test('has limits, by option or variable, also with workers', async () => {
    const env = { PLUGIN_METRICS_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' };
    for (const argv of [[], ['--workers', '2']]) {
      const server = await startServing([...store, '--rate-limit', '3', ...argv], { env });
      const headers = { 'x-forwarded-for': '198.51.100.1, 10.9.9.9', connection: 'close' };
      const statusOf = async (headers: Readonly<Record<string, string>>) => {
        const response = await fetch(`${server.url}/api/v1/software`, { headers });
        await response.arrayBuffer();
        return response.status;
      };
      // Each worker takes 30 in 10 seconds.
      const statuses: number[] = [];
      for (let count = 0; count < 61; count++) statuses.push(await statusOf(headers));
      assert.deepEqual([statuses[0], statuses.includes(429)], [200, true]);
      assert.equal(await statusOf({ connection: 'close' }), 200);
      server.signal('SIGTERM');
      assert.equal((await server.ended).code, 0);
    }
  });

  test('says that a rate limit does not apply behind an untrusted proxy', async () => {
    const start = /^--rate-limit does not apply to addresses of this machine/;
    const first = /limits by address do not apply to what it forwards: .* add --trust-proxy 127\.0\.0\.1$/;
    for (const [argv, expected] of [
      [
        ['--rate-limit', '3'],
        [start, first],
      ],
      [['--rate-limit', '3', '--trust-proxy', '127.0.0.1'], []],
    ] as const) {
      const server = await startServing([...store, ...argv]);
      for (const client of ['198.51.100.1', '198.51.100.2'])
        await fetch(`${server.url}/api/v1/software`, { headers: { 'x-forwarded-for': client } });
      server.signal('SIGTERM');
      const { stderr } = await server.ended;
      const messages = stderr
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).message);
      assert.equal(messages.length, expected.length, stderr);
      for (const [index, pattern] of expected.entries()) assert.match(messages[index], pattern);
    }
  });

  const allocator = ['MALLOC_ARENA_MAX=2', 'MALLOC_MMAP_THRESHOLD_=524288'];
  for (const [what, options, expected] of [
    ['lets glibc give back what is freed', {}, allocator],
    [
      'lets glibc give back what is freed, with a variable of the environment',
      { env: { MALLOC_MMAP_THRESHOLD_: '1048576' } },
      [allocator[0], 'MALLOC_MMAP_THRESHOLD_=1048576'],
    ],
    [
      'unless the environment says what glibc does',
      { env: { MALLOC_ARENA_MAX: '7' } },
      ['MALLOC_ARENA_MAX=7'],
    ],
    [
      'unless it may not replace itself',
      { nodeArgv: ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-net'] },
      [],
    ],
  ] as const)
    test(what, async () => {
      await using server = await startServing(store, options);
      assert.equal((await fetch(`${server.url}/api/v1/software`)).status, 200);
      assert.deepEqual(allocatorOf(server.pid), expected);
    });

  test('keeps the channel to its parent, and its workers let glibc give back what is freed', async () => {
    let child: ChildProcess | undefined;
    const start = (argv: readonly string[]) => {
      child = fork(mainPath, argv, { silent: true, execArgv: [] });
      return child as ChildProcessWithoutNullStreams;
    };
    await using server = await startServing([...store, '--workers', '2'], { start });
    assert.equal(child?.connected, true);
    const workers = await childrenOf(server.pid);
    assert.deepEqual(workers.map(allocatorOf), [allocator, allocator]);
  });

  test('takes 100 MB at most for PNGs of any size, one after the other or at once, and gives them back', async () => {
    await using server = await startServing([...store, '--cache-mb', '1']);
    const make = async (width: number) => {
      const path = `/embed/7/players.png?width=${width}&height=${Math.floor(width / 1.6)}&scale=3`;
      const response = await fetch(server.url + path);
      assert.deepEqual([response.status, (await response.bytes()).length > 1000], [200, true]);
    };
    // The first loads what draws.
    await make(200);
    const { peak, kept } = await grownBytes(server, async () => {
      for (let count = 0; count < 8; count++) await make(1600 - count);
      for (let count = 8; count < 16; count += 2) await Promise.all([make(1600 - count), make(1599 - count)]);
      for (let width = 1560; width > 200; width -= 150) await make(width);
    });
    assert.ok(peak < 100e6 && kept < 50e6, `${peak} and ${kept} bytes`);
  });
});

/** Lists the variables of glibc that a process has. */
function allocatorOf(pid: number): readonly string[] {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return variables.filter((variable) => variable.startsWith('MALLOC_')).toSorted();
}
