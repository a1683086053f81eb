// The log of requests: a line of JSON each, and nothing about who asked unless that is wanted.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { childrenOf } from '../support/child-processes.ts';
import { endOf, startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
const storePath = directory.at('store.db');
before(() => importText(storePath, archiveText([softwareLine(), pluginLine(), chartLine()])));
after(() => directory[Symbol.dispose]());

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('serve --log-requests', { concurrency: 2 }, () => {
  test('writes what was asked and answered, without query and address', async () => {
    const asked: readonly Asked[] = [
      { path: '/api/v1/plugins/7?email=someone@example.org' },
      { path: '/api/v1/plugins/7', method: 'HEAD' },
      { path: '/api/v1/plugins/99?token=secret', headers: { 'x-forwarded-for': '198.51.100.1' } },
      { path: `/${'a'.repeat(300)}`, method: 'DELETE' },
    ];
    const [lines, text] = await logOf(['--log-requests'], async (url) => {
      const tag = String((await ask(url, { path: '/api/v1/software' })).headers['etag']);
      await ask(url, { path: '/api/v1/software', headers: { 'if-none-match': tag } });
      for (const one of asked) await ask(url, one);
      for (const text of [
        'nonsense\r\n\r\n',
        'GET /api/v1/software HTTP/2.0\r\n\r\n',
        'FOO /a?b HTTP/1.1\r\n',
      ])
        await sendText(url, text);
    });
    assert.deepEqual(
      lines.map(({ method, path, status }) => [method, path, status]),
      [
        ['GET', '/api/v1/software', 200],
        ['GET', '/api/v1/software', 304],
        ['GET', '/api/v1/plugins/7', 200],
        ['HEAD', '/api/v1/plugins/7', 200],
        ['GET', '/api/v1/plugins/99', 404],
        ['DELETE', `/${'a'.repeat(199)}`, 404],
        [undefined, undefined, 400],
        [undefined, undefined, 400],
        ['FOO', '/a', 404],
      ],
    );
    for (const line of lines) {
      assert.deepEqual(Object.keys(line).slice(0, 3), [
        'level',
        'time',
        'method' in line ? 'method' : 'status',
      ]);
      assert.deepEqual([line['level'], line['message'], line['address']], ['info', 'request', undefined]);
      assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(Number(line['durationMs']) > 0, 'method' in line);
    }
    assert.deepEqual(
      lines.map(({ bodyBytes }) => Number(bodyBytes) > 0),
      [true, false, true, false, true, true, true, true, true],
    );
    assert.doesNotMatch(text, /email|secret|127\.0\.0\.1|198\.51/);
  });

  test('has addresses with --log-addresses, and believes the proxies of --trust-proxy alone', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' };
    for (const [more, address] of [
      [[], '127.0.0.1'],
      [['--trust-proxy', '192.0.2.0/24'], '127.0.0.1'],
      [['--trust-proxy', '127.0.0.0/8'], '198.51.100.1'],
    ] as const) {
      const argv = ['--log-requests', '--log-addresses', ...more];
      const [lines] = await logOf(argv, (url) => ask(url, { path: '/api/v1/software', headers }));
      assert.deepEqual(
        lines.map((line) => line['address']),
        [address],
      );
    }
  });

  test('has whole lines from all workers', async () => {
    const count = 600;
    const [lines] = await logOf(['--log-requests', '--workers', '2'], async (url) => {
      await Promise.all(
        Array.from({ length: 12 }, async (_, client) => {
          for (let number = 0; number < count / 12; number++)
            await ask(url, { path: `/api/v1/plugins/${client}${number}` });
        }),
      );
    });
    assert.equal(lines.length, count);
  });
});

describe('serve --log-requests whose standard error nobody reads', { concurrency: 2 }, () => {
  for (const workers of ['1', '2']) {
    test(`answers, and ends with 0 on SIGTERM, with --workers ${workers}`, async () => {
      const options = ['--port', '0', '--log-requests', '--workers', workers];
      const child = startProgram(['serve', '--store', storePath, ...options]);
      child.stderr.pause();
      const url = await new Promise<string>((resolve) => {
        child.stdout.setEncoding('utf8').once('data', (text: string) => {
          resolve(/^listening on (\S+)\n/.exec(text)?.[1] ?? '');
        });
      });
      // More than a pipe holds.
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      for (let round = 0; round < 400; round++)
        await Promise.all(Array.from({ length: 8 }, () => ask(url, { path: `/${'a'.repeat(150)}` }, agent)));
      agent.destroy();
      // The supervisor says so, which nobody reads either.
      const [worker] = workers === '1' ? [] : await childrenOf(child.pid ?? 0);
      if (worker !== undefined) process.kill(worker, 'SIGKILL');
      await sleep(500);
      assert.equal(child.stderr.readableLength < 300_000, true, 'it was not read');
      child.kill('SIGTERM');
      const ended = new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
      const how = await Promise.race([ended, sleep(20_000, 'it did not end')]);
      child.kill('SIGKILL');
      assert.deepEqual(how, [0, null]);
    });
  }
});

describe('a log that is not read fast enough', { concurrency: 2 }, () => {
  const lineCount = 100_000;

  test('counts every line that it dropped, however long it was not read', async () => {
    const child = startLogging({ lineCount, stderr: 'pipe' });
    const closed = once(child, 'close');
    assert.ok(child.stderr !== null);
    // The log looks at what it has dropped once a second.
    await sleep(2500);
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (block: string) => {
      text += block;
    });
    while (countIn(text) < lineCount && child.exitCode === null) await sleep(50);
    child.stdin?.end();
    await closed;
    assert.equal(countIn(text), lineCount);
  });

  test('says at its end what it has dropped since it looked last', async () => {
    const path = directory.at('log');
    const file = openSync(path, 'w');
    const child = startLogging({ lineCount, stderr: file });
    const closed = once(child, 'close');
    closeSync(file);
    child.stdin?.end();
    await closed;
    assert.equal(countIn(readFileSync(path, 'utf8')), lineCount);
  });
});

/** Logs so many requests at once, and ends the log when standard input ends, 6 seconds later at the latest. */
function startLogging(options: { readonly lineCount: number; readonly stderr: 'pipe' | number }) {
  const { lineCount, stderr } = options;
  const module = new URL('../../src/serve/pino-log.ts', import.meta.url).href;
  const script = `
    import { openRequestLog } from ${JSON.stringify(module)};
    await using log = openRequestLog({ hasAddresses: false });
    // Lines are shorter than the one that counts them, so that a full log has no room for it. Once a pipe is full, nothing
    // makes room any more.
    for (let count = 0; count < ${lineCount / 2}; count++) log.write({ status: 400, bodyBytes: 1 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let count = 0; count < ${lineCount / 2}; count++) log.write({ status: 400, bodyBytes: 1 });
    const end = new Promise((resolve) => process.stdin.resume().on('end', resolve));
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 6000).unref())]);
    process.stdin.destroy();`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'inherit', stderr],
  });
}

/** Requests that a log has, and says that it has not. */
function countIn(text: string): number {
  let sum = 0;
  for (const line of text.slice(0, text.lastIndexOf('\n')).split('\n')) {
    const { count = 1 } = JSON.parse(line || '{"count":0}') as { readonly count?: number };
    sum += count;
  }
  return sum;
}

/** What a server logs while it is asked, as lines and as text. */
async function logOf(
  argv: readonly string[],
  use: (url: string) => Promise<unknown>,
): Promise<readonly [lines: readonly Readonly<Record<string, unknown>>[], text: string]> {
  const child = startProgram(['serve', '--store', storePath, '--port', '0', ...argv]);
  const ended = endOf(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      const [, found] = /^listening on (\S+)\n/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    ended.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  try {
    await use(url);
  } finally {
    child.kill('SIGTERM');
  }
  const { code, stderr } = await ended;
  assert.equal(code, 0);
  const lines = stderr.split('\n').slice(0, -1);
  return [lines.map((line) => JSON.parse(line) as Record<string, unknown>), stderr];
}

function ask(url: string, { path, method = 'GET', headers = {} }: Asked, agent: Agent | false = false) {
  return new Promise<{ readonly headers: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    request(url + path, { method, headers, agent }, (response) => {
      response.resume().on('end', () => resolve(response));
    })
      .on('error', reject)
      .end();
  });
}

function sendText(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('close', () => resolve()).resume();
    socket.write(text);
  });
}
