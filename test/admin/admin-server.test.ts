// The admin listener over real servers and stores.
import assert from 'node:assert/strict';
import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from '@prometheus-io/client';
import { AdminPages, type AdminPagesOptions } from '../../src/admin/admin-pages.ts';
import { startAdminServer } from '../../src/admin/admin-server.ts';
import { watchProcess } from '../../src/admin/process-metrics.ts';
import { refused } from '../../src/http/metrics.ts';
import type { ListenAddress } from '../../src/model/listen-address.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import { addStoreMetrics } from '../../src/serve/store-metrics.ts';
import { openSqliteReader } from '../../src/sqlite/reading/sqlite-reader.ts';
import { RawConnection } from '../http/support/raw-connection.ts';
import { serveReader, type TestServer } from '../http/support/test-server.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { parseMetrics } from './metrics-text.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
const archive = archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1]]')]);

/** Starts a listener, by default without a store. */
function startAdmin({
  host = '127.0.0.1',
  port = 0,
  reader = () => undefined,
  ...options
}: Partial<AdminPagesOptions & ListenAddress> = {}) {
  const pages = new AdminPages({
    version: '1.2.3',
    findReason: () => undefined,
    reader,
    renderCounts: () => register.metrics(),
    logFailure: () => assert.fail('nothing is to be logged'),
    ...options,
  });
  addStoreMetrics(pages.registry, reader);
  return startAdminServer(pages, { host, port });
}

async function readiness(url: string): Promise<readonly [status: number, body: string]> {
  const response = await fetch(`${url}/ready`);
  return [response.status, await response.text()];
}

function notReady(reason: string): readonly [number, string] {
  return [503, JSON.stringify({ status: 'not ready', reason })];
}

const ready = [200, '{"status":"ready"}'] as const;

describe('every admin response', () => {
  const mediaTypes = {
    '/live': 'application/json; charset=utf-8',
    '/ready': 'application/json; charset=utf-8',
    '/metrics': 'text/plain; version=0.0.4; charset=utf-8',
    '/nothing': 'application/json; charset=utf-8',
  };

  test('has its media type and no-store, and HEAD returns the same headers without a body', async () => {
    await using admin = await startAdmin();
    for (const [path, mediaType] of Object.entries(mediaTypes)) {
      const got = await fetch(admin.url + path);
      const head = await fetch(admin.url + path, { method: 'HEAD' });
      assert.equal(head.status, got.status);
      assert.ok((await got.text()).length > 0);
      assert.equal(await head.text(), '');
      for (const { headers } of [got, head]) {
        assert.equal(headers.get('content-type'), mediaType, path);
        assert.equal(headers.get('cache-control'), 'no-store', path);
      }
    }
  });

  test('is 404 for any other path and 405 for any other method', async () => {
    await using admin = await startAdmin();
    for (const path of [
      '/',
      '/nothing',
      '/live/',
      '/metrics/x',
      '/api/v1/plugins',
      '/constructor',
      '/__proto__',
    ])
      assert.equal((await fetch(admin.url + path)).status, 404, path);
    for (const path of ['/live', '/ready', '/metrics']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const response = await fetch(admin.url + path, { method });
        assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD']);
      }
    }
  });

  test('ignores the query', async () => {
    await using admin = await startAdmin();
    const response = await fetch(`${admin.url}/live?now`);
    assert.deepEqual([response.status, await response.text()], [200, '{"status":"live"}']);
  });
});

describe('the Host header', () => {
  const ours = [
    'localhost',
    'LocalHost:9090',
    'localhost.',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.9.8.7:80',
    '[::1]',
    '[::1]:80',
  ];
  const others = [
    ...[
      'evil.example',
      'evil.example:9090',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'xlocalhost',
    ],
    ...[
      '192.0.2.1',
      '[2001:db8::1]:80',
      '[::1].evil.example',
      '127.evil.example',
      '[::ffff:192.0.2.1]',
      '::1:x',
      '@',
    ],
  ];

  test('must name this machine if the listener is on loopback', async () => {
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
      await using admin = await startAdmin({ host });
      for (const [names, status] of [
        [ours, 200],
        [others, 421],
      ] as const) {
        for (const name of names) {
          assert.equal(
            await statusFor(admin.url, `GET /live HTTP/1.1\r\nHost: ${name}\r\n\r\n`),
            status,
            name,
          );
          // The host of an absolute target takes precedence over the header (RFC 9112 3.2.2).
          const absolute = `GET http://${name}/live HTTP/1.1\r\nHost: localhost\r\n\r\n`;
          if (name !== '@' && name !== '::1:x')
            assert.equal(await statusFor(admin.url, absolute), status, absolute);
        }
      }
    }
  });

  test('may be missing, since simple probes do not send it', async () => {
    await using admin = await startAdmin();
    for (const path of ['/live', '/metrics'])
      for (const rest of ['HTTP/1.0\r\n\r\n', 'HTTP/1.1\r\n\r\n', 'HTTP/1.1\r\nHost:\r\n\r\n'])
        assert.equal(await statusFor(admin.url, `GET ${path} ${rest}`), 200, rest);
  });

  test('may not be there twice', async () => {
    await using admin = await startAdmin();
    for (const names of ['localhost\r\nHost: evil.example', 'localhost\r\nHost: localhost'])
      assert.equal(await statusFor(admin.url, `GET /live HTTP/1.1\r\nHost: ${names}\r\n\r\n`), 400, names);
  });

  test('is ignored if the listener is open to other machines', async () => {
    await using admin = await startAdmin({ host: '0.0.0.0' });
    const url = admin.url.replace('0.0.0.0', '127.0.0.1');
    for (const name of [...ours, ...others])
      assert.equal(await statusFor(url, `GET /live HTTP/1.1\r\nHost: ${name}\r\n\r\n`), 200, name);
  });

  test('is quoted in the error if it is wrong, and no other origin may read a response', async () => {
    await using admin = await startAdmin();
    const { status, headers, body } = await ask(admin.url, { host: 'evil.example' });
    assert.deepEqual([status, headers['content-type']], [421, 'application/problem+json; charset=utf-8']);
    const detail = 'this listener answers requests for localhost, 127.0.0.1 and [::1], not for evil.example';
    assert.equal(JSON.parse(body).detail, detail);
    for (const host of ['evil.example', 'localhost']) {
      const { headers } = await ask(admin.url, { host, origin: 'http://evil.example' });
      for (const name of Object.keys(headers))
        assert.doesNotMatch(name, /^(access-control|cross-origin|timing)-/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });
});

test('a port that is in use is reported', async () => {
  await using admin = await startAdmin();
  const port = Number(new URL(admin.url).port);
  await assert.rejects(startAdmin({ port }), {
    name: 'AppError',
    code: 'unavailable',
    message: `cannot listen on 127.0.0.1:${port}: the port is in use`,
  });
});

describe('/ready', () => {
  const storePath = directory.at('ready.db');
  let reader: MetricsReader;
  before(async () => {
    await importText(storePath, archive);
    reader = openSqliteReader(storePath);
  });
  after(() => reader[Symbol.asyncDispose]());

  test('is 200 while the store can be read', async () => {
    await using admin = await startAdmin({ reader: () => reader });
    assert.deepEqual(await readiness(admin.url), ready);
  });

  test('is 503 and /live stays 200 before the store has been opened, or if the process gives a reason', async () => {
    const reasons: Readonly<Record<string, Partial<AdminPagesOptions>>> = {
      'the store has not been opened yet': { reader: () => undefined },
      'the server is stopping': { findReason: () => 'the server is stopping' },
    };
    for (const [reason, options] of Object.entries(reasons)) {
      await using admin = await startAdmin({ reader: () => reader, ...options });
      assert.deepEqual(await readiness(admin.url), notReady(reason));
      assert.equal((await fetch(`${admin.url}/live`)).status, 200);
      const series = parseMetrics(await (await fetch(`${admin.url}/metrics`)).text());
      assert.equal(series.get('plugin_metrics_ready'), 0);
    }
  });

  test('is 503 when the store file is truncated, and does not mention the file', async () => {
    const path = directory.at('cut.db');
    await importText(path, archive);
    await using opened = openSqliteReader(path);
    await using admin = await startAdmin({ reader: () => opened });
    truncateSync(path, 0);
    assert.deepEqual(await readiness(admin.url), notReady('the store cannot be read'));
  });

  test('is 503 while the store file is missing, and 200 again when another store takes its place', async () => {
    const [path, next] = [directory.at('gone.db'), directory.at('next.db')];
    await importText(path, archive);
    await importText(next, archive);
    await using opened = openSqliteReader(path);
    await using admin = await startAdmin({ reader: () => opened });
    assert.deepEqual(await readiness(admin.url), ready);
    rmSync(path);
    assert.deepEqual(await readiness(admin.url), notReady('the store is unreachable'));
    renameSync(next, path);
    assert.deepEqual(await readiness(admin.url), ready);
  });
});

describe('/metrics', () => {
  const damages: Readonly<Record<string, (path: string) => void>> = {
    truncated: (path) => truncateSync(path, 4096),
    overwritten: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size, 0x5a), { flag: 'r+' }),
    removed: (path) => rmSync(path),
    'replaced by another file': (path) => {
      writeFileSync(`${path}-other`, 'no store');
      renameSync(`${path}-other`, path);
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    test(`is 200 with plugin_metrics_ready 0 while the store file is ${what}`, async () => {
      const path = directory.at(`${what}.db`);
      await importText(path, archive);
      await using reader = openSqliteReader(path);
      await using admin = await startAdmin({ reader: () => reader });
      assert.deepEqual(await readiness(admin.url), ready);
      damage(path);
      await waitUntil(async () => (await readiness(admin.url))[0] === 503);
      const response = await fetch(`${admin.url}/metrics`);
      assert.equal(response.status, 200);
      assert.equal(parseMetrics(await response.text()).get('plugin_metrics_ready'), 0);
    });
  }

  test('has all but the counts if a worker does not send them, and the log says so', async () => {
    const failures: unknown[] = [];
    await using admin = await startAdmin({
      renderCounts: async () => assert.fail('no answer of a worker'),
      logFailure: (path, error) => failures.push(path, String(error)),
    });
    const response = await fetch(`${admin.url}/metrics`);
    const series = parseMetrics(await response.text());
    assert.deepEqual([response.status, series.get('plugin_metrics_ready')], [200, 0]);
    assert.equal(series.has('plugin_metrics_requests_total{status="200"}'), false);
    assert.deepEqual(failures, ['/metrics', 'AssertionError [ERR_ASSERTION]: no answer of a worker']);
  });

  test('explains every reason for a refusal', async () => {
    await using admin = await startAdmin();
    const text = await (await fetch(`${admin.url}/metrics`)).text();
    const [, help = ''] = /^# HELP plugin_metrics_requests_refused_total (.*)$/m.exec(text) ?? [];
    for (const reason of Object.keys(refused)) assert.match(help, new RegExp(`\\b${reason}\\b`));
  });

  test('counts responses', async () => {
    await using serving = await startServing('counted.db');
    const { server, storePath, metrics } = serving;
    const software = `${server.url}/api/v1/software`;
    const before = await metrics();
    assert.equal(before.get('plugin_metrics_ready'), 1);
    const first = await fetch(software);
    await first.arrayBuffer();
    await (await fetch(software)).text();
    await fetch(software, { method: 'HEAD' });
    await fetch(software, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    await fetch(`${server.url}/api/v1/plugins/99`);
    await fetch(`${server.url}/api/v1/plugins/x`);
    await fetch(software, { method: 'POST' });
    await fetch(software, { method: 'OPTIONS' });
    await importText(storePath, archiveText([softwareLine({ name: 'Changed' })]));
    await (await fetch(`${server.url}/api/v1/plugins/7/charts/players`)).text();
    const now = await metrics();
    const grown = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0);
    const requests = { 200: 4, 204: 1, 304: 1, 400: 1, 404: 1, 405: 1, 500: 0, 503: 0 };
    for (const [status, count] of Object.entries(requests))
      assert.equal(grown(`plugin_metrics_requests_total{status="${status}"}`), count, status);
    assert.equal(grown('plugin_metrics_responses_total{cache="miss"}'), 2);
    assert.equal(grown('plugin_metrics_responses_total{cache="hit"}'), 3);
    assert.ok((now.get('plugin_metrics_cached_bytes') ?? 0) > 100);
  });

  test('counts one read for requests that share it', async () => {
    await using serving = await startServing('shared.db');
    const before = await serving.metrics();
    await Promise.all(
      Array.from({ length: 8 }, async () =>
        (await fetch(`${serving.server.url}/api/v1/plugins/7/charts/players/data`)).text(),
      ),
    );
    const now = await serving.metrics();
    const [read, ...others] = ['miss', 'shared', 'hit'].map((cache) => {
      const name = `plugin_metrics_responses_total{cache="${cache}"}`;
      return (now.get(name) ?? 0) - (before.get(name) ?? 0);
    });
    assert.equal(read, 1);
    assert.equal(
      others.reduce((sum, count) => sum + count),
      7,
    );
  });

  test('reports the process and its event loop delay', async () => {
    watchProcess();
    await using serving = await startServing('process.db');
    const startedAt = performance.now();
    while (performance.now() - startedAt < 300);
    await sleep(10);
    const series = await serving.metrics();
    assert.equal(series.get(`plugin_metrics_build_info{version="1.2.3",node="${process.versions.node}"}`), 1);
    assert.ok((series.get('process_cpu_seconds_total') ?? 0) > 0.1);
    assert.ok((series.get('process_resident_memory_bytes') ?? 0) > 1e7);
    assert.ok(Math.abs((series.get('process_start_time_seconds') ?? 0) - Date.now() / 1000) < 600);
    const delay = 'plugin_metrics_event_loop_delay_seconds';
    assert.ok((series.get(`${delay}_sum`) ?? 0) > 0.1);
    assert.ok((series.get(`${delay}_count`) ?? 0) > (series.get(`${delay}_bucket{le="0.1"}`) ?? 0));
  });
});

interface Serving extends AsyncDisposable {
  readonly server: TestServer;
  readonly storePath: string;
  readonly metrics: () => Promise<ReturnType<typeof parseMetrics>>;
}

/** Starts a server over a new store, with an admin listener. */
async function startServing(name: string): Promise<Serving> {
  const storePath = directory.at(name);
  await importText(storePath, archive);
  const reader = openSqliteReader(storePath);
  const server = await serveReader(reader);
  const admin = await startAdmin({ reader: () => reader });
  return {
    server,
    storePath,
    metrics: async () => parseMetrics(await (await fetch(`${admin.url}/metrics`)).text()),
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Sends raw text and returns the status of the response. */
async function statusFor(url: string, text: string): Promise<number> {
  using connection = await RawConnection.open(url);
  connection.write(text);
  connection.socket.end();
  return Number(/^HTTP\/1\.1 (\d+) /.exec(await connection.rest())?.[1]);
}

function ask(url: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    request(`${url}/metrics`, { headers, agent: false }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    })
      .on('error', reject)
      .end();
  });
}
