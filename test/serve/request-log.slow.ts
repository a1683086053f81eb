// The request log: one JSON line per request, with nothing about the client unless requested.
import assert from 'node:assert/strict';
import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { startServing } from './support/serving.ts';

const directory = directoryOfFile();
const storePath = directory.at('store.db');
before(() => importText(storePath, archiveText([softwareLine(), pluginLine(), chartLine()])));

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('serve --log-requests', { concurrency: 2 }, () => {
  test('logs requests and responses, without query and address', async () => {
    const asked: readonly Asked[] = [
      { path: '/api/v1/plugins/7?email=someone@example.org' },
      { path: '/api/v1/plugins/7', method: 'HEAD' },
      { path: '/api/v1/plugins/99?token=secret', headers: { 'x-forwarded-for': '198.51.100.1' } },
      { path: `/${'a'.repeat(300)}`, method: 'DELETE' },
    ];
    const lines = await logOf(['--log-requests'], async (url) => {
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
        ['GET', '/api/v1/software', 400],
        [undefined, undefined, 400],
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
    assert.doesNotMatch(JSON.stringify(lines), /email|secret|127\.0\.0\.1|198\.51/);
  });

  test('logs complete lines from all workers', async () => {
    const count = 600;
    const lines = await logOf(['--log-requests', '--workers', '2'], async (url) => {
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

/** Serves while `use` runs, and returns the lines of the log about requests. */
async function logOf(
  argv: readonly string[],
  use: (url: string) => Promise<unknown>,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const serving = await startServing(['--store', storePath, ...argv]);
  try {
    await use(serving.url);
  } finally {
    serving.signal('SIGTERM');
  }
  const { code, stderr } = await serving.ended;
  assert.equal(code, 0);
  const lines = stderr.split('\n').slice(0, -1);
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  // What starts, and what is odd about a request, may be said between two of them.
  return parsed.filter(({ message }) => message === 'request');
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
