// The admin pages, most of them without a listener, over real servers and stores.
import assert from 'node:assert/strict';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from '@prometheus-io/client';
import { AdminPages, type AdminPagesOptions, startAdminServer } from '../../src/admin/admin-pages.ts';
import { ErrorLog } from '../../src/http/logs.ts';
import { watchProcess } from '../../src/serve/process.ts';
import { RawConnection } from '../http/support/raw-connection.ts';
import { requestFor } from '../http/support/test-app.ts';
import { serveReader } from '../http/support/test-server.ts';
import { headerMap } from '../http/support/validated-client.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { openSqliteReader } from '../support/reads.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { untilLater, waitUntil } from '../support/wait-until.ts';
import { parseMetrics } from './metrics-text.ts';

const directory = directoryOfFile();

/** Makes pages, by default without a store. */
function makePages(options: Partial<AdminPagesOptions> = {}): AdminPages {
  return new AdminPages({
    version: '1.2.3',
    findReason: () => undefined,
    reader: () => undefined,
    renderCounts: () => register.metrics(),
    errorLog: new ErrorLog({ write: () => assert.fail('nothing is to be logged') }),
    ...options,
  });
}

/** Asks for a page of a listener on this address. */
async function ask(pages: AdminPages, target: string, { method = 'GET', host = '', at = '127.0.0.1' } = {}) {
  const { status, headers, body } = await pages.answer(requestFor(target, { host }, method), at);
  return { status, headers: headerMap(headers), body: Buffer.from(body).toString() };
}

async function readiness(pages: AdminPages): Promise<readonly [status: number, body: string]> {
  const { status, body } = await ask(pages, '/ready');
  return [status, body];
}

async function metricsOf(pages: AdminPages): Promise<ReturnType<typeof parseMetrics>> {
  const { status, body } = await ask(pages, '/metrics');
  assert.equal(status, 200);
  return parseMetrics(body);
}

/** Makes a store with a plugin. */
async function makeStore(name: string): Promise<string> {
  const path = directory.at(name);
  const lines = [softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1]]')];
  await importText(path, archiveText(lines));
  return path;
}

const notReady = (reason: string) => [503, JSON.stringify({ status: 'not ready', reason })] as const;
const ready = [200, '{"status":"ready"}'] as const;

test('every page has its media type, may not be stored, and may be read by no other origin', async () => {
  const json = 'application/json; charset=utf-8';
  for (const [path, mediaType] of [
    ['/live?now', json],
    ['/ready', json],
    ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
    ['/nothing', json],
  ] as const) {
    const { headers } = await ask(makePages(), path);
    assert.deepEqual(
      [...headers],
      [
        ['content-type', mediaType],
        ['cache-control', 'no-store'],
        ['x-content-type-options', 'nosniff'],
      ],
    );
  }
});

test('any other path answers 404, and any other method 405', async () => {
  const pages = makePages();
  for (const path of ['/', '/live/', '/metrics/x', '/api/v1/plugins', '/constructor', '/__proto__'])
    assert.equal((await ask(pages, path)).status, 404, path);
  for (const path of ['/live', '/ready', '/metrics'])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask(pages, path, { method });
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
    }
});

describe('the Host header', () => {
  const ours = ['', 'LocalHost:9090', 'localhost.', '127.0.0.1', '127.9.8.7:80', '[::1]:80'];
  const others = [
    ...['evil.example:9090', 'localhost.evil.example', '127.0.0.1.evil.example', 'xlocalhost', '192.0.2.1'],
    ...['[2001:db8::1]:80', '[::1].evil.example', '[::ffff:192.0.2.1]', '::1:x', '@'],
  ];

  test('must name this machine if the listener is on loopback', async () => {
    for (const at of ['127.0.0.1', '127.0.0.2', '[::1]'])
      for (const [names, status] of [
        [ours, 200],
        [others, 421],
      ] as const)
        for (const host of names) {
          assert.equal((await ask(makePages(), '/live', { host, at })).status, status, host);
          // The host of an absolute target takes precedence over the header (RFC 9112 3.2.2).
          const absolute = await ask(makePages(), `http://${host}/live`, { host: 'localhost', at });
          assert.equal(absolute.status, status, host);
        }
  });

  test('is ignored if the listener is open to other machines', async () => {
    for (const host of [...ours, ...others])
      assert.equal((await ask(makePages(), '/live', { host, at: '0.0.0.0' })).status, 200, host);
  });

  test('is quoted in the error if it is wrong', async () => {
    const { body } = await ask(makePages(), '/live', { host: 'evil.example' });
    const reason = 'this listener answers requests for localhost, 127.0.0.1 and [::1], not for evil.example';
    assert.equal(JSON.parse(body).reason, reason);
  });
});

test('the listener answers HEAD and simple probes, refuses two Hosts and other names, and is not counted', async () => {
  for (const host of ['localhost', '::1', '127.0.0.2']) {
    await using admin = await startAdminServer(makePages(), { host, port: 0 });
    for (const [text, status] of [
      ['HEAD /live HTTP/1.1\r\nHost: localhost', 200],
      ['GET /live HTTP/1.0', 200],
      ['GET /metrics HTTP/1.1', 200],
      ['GET /live HTTP/1.1\r\nHost: evil.example', 421],
      ['GET /live HTTP/1.1\r\nHost: localhost\r\nHost: evil.example', 400],
    ] as const) {
      using connection = await RawConnection.open(admin.url);
      connection.write(`${text}\r\n\r\n`);
      connection.socket.end();
      assert.equal(Number(/^HTTP\/1\.1 (\d+) /.exec(await connection.rest())?.[1]), status, text);
    }
    const { port } = new URL(admin.url);
    await assert.rejects(startAdminServer(makePages(), { host, port: Number(port) }), {
      name: 'AppError',
      code: 'unavailable',
      message: /^cannot listen on \S+:\d+: listen EADDRINUSE: address already in use \S+$/,
    });
  }
  const series = await metricsOf(makePages());
  assert.equal(series.get('plugin_metrics_open_connections') ?? 0, 0);
  assert.equal(series.has('plugin_metrics_requests_total{status="421"}'), false);
});

describe('/ready', () => {
  test('is 503 and /live stays 200 before the store has been opened, or if the process gives a reason', async () => {
    await using reader = openSqliteReader(await makeStore('reasons.db'));
    const reasons: Readonly<Record<string, Partial<AdminPagesOptions>>> = {
      'the store has not been opened yet': {},
      'the server is stopping': { reader: () => reader, findReason: () => 'the server is stopping' },
    };
    for (const [reason, options] of Object.entries(reasons)) {
      const pages = makePages(options);
      assert.deepEqual(await readiness(pages), notReady(reason));
      assert.equal((await ask(pages, '/live')).status, 200);
      assert.equal((await metricsOf(pages)).get('plugin_metrics_ready'), 0);
    }
  });

  test('is 503 while the store file is missing, and 200 again when another store takes its place', async () => {
    const [path, next] = [await makeStore('gone.db'), await makeStore('next.db')];
    await using reader = openSqliteReader(path);
    const pages = makePages({ reader: () => reader });
    assert.deepEqual(await readiness(pages), ready);
    rmSync(path);
    assert.deepEqual(await readiness(pages), notReady('the store is unreachable'));
    await waitUntil(
      async () => ((await metricsOf(pages)).get('plugin_metrics_store_unreachable_seconds') ?? 0) > 0,
    );
    assert.equal((await metricsOf(pages)).has('plugin_metrics_store_bytes'), false);
    renameSync(next, path);
    assert.deepEqual(await readiness(pages), ready);
  });

  test('is 503, does not mention the file, and /metrics says so, while the store file is overwritten', async () => {
    const path = await makeStore('overwritten.db');
    await using reader = openSqliteReader(path);
    const pages = makePages({ reader: () => reader });
    assert.deepEqual(await readiness(pages), ready);
    await untilLater(path);
    writeFileSync(path, Buffer.alloc(statSync(path).size, 0x5a), { flag: 'r+' });
    await waitUntil(async () => (await readiness(pages))[0] === 503);
    assert.match((await readiness(pages))[1], /"the store (?:cannot be read|is unreachable)"/);
    assert.equal((await metricsOf(pages)).get('plugin_metrics_ready'), 0);
  });
});

describe('/metrics', () => {
  test('has all but the counts if a worker does not send them, and the log says so', async () => {
    const lines: string[] = [];
    const pages = makePages({
      renderCounts: () => Promise.reject(new Error('no answer of a worker')),
      errorLog: new ErrorLog({ write: (line) => lines.push(line) }),
    });
    const series = await metricsOf(pages);
    assert.equal(series.get('plugin_metrics_ready'), 0);
    assert.equal(series.has('plugin_metrics_requests_total{status="200"}'), false);
    assert.match(lines.join(''), /"target":"\/metrics","reason":"no answer of a worker"/);
  });

  test('counts responses', async () => {
    const path = await makeStore('counted.db');
    const reader = openSqliteReader(path);
    await using server = await serveReader(reader);
    const software = `${server.url}/api/v1/software`;
    const pages = makePages({ reader: () => reader });
    const before = await metricsOf(pages);
    assert.equal(before.get('plugin_metrics_ready'), 1);
    assert.equal(before.get('plugin_metrics_store_bytes'), await reader.measureBytes());
    assert.ok((await reader.measureBytes()) > 10_000);
    const first = await fetch(software);
    await first.arrayBuffer();
    await (await fetch(software)).text();
    await fetch(software, { method: 'HEAD' });
    await fetch(software, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    await fetch(`${server.url}/api/v1/plugins/99`);
    await fetch(`${server.url}/api/v1/plugins/x`);
    await fetch(software, { method: 'POST' });
    await fetch(software, { method: 'OPTIONS' });
    await importText(path, archiveText([softwareLine({ name: 'Changed' })]));
    await (await fetch(`${server.url}/api/v1/plugins/7/charts/players`)).text();
    const now = await metricsOf(pages);
    const grown = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0);
    const requests = { 200: 4, 204: 1, 304: 1, 400: 1, 404: 1, 405: 1, 500: 0, 503: 0 };
    for (const [status, count] of Object.entries(requests))
      assert.equal(grown(`plugin_metrics_requests_total{status="${status}"}`), count, status);
    assert.equal(grown('plugin_metrics_responses_total{cache="miss"}'), 2);
    assert.equal(grown('plugin_metrics_responses_total{cache="hit"}'), 3);
    assert.ok((now.get('plugin_metrics_cached_bytes') ?? 0) > 100);
  });

  test('reports the process and its event loop delay', async () => {
    watchProcess();
    const before = process.cpuUsage();
    while (process.cpuUsage(before).user < 300_000);
    await sleep(10);
    const series = await metricsOf(makePages());
    assert.equal(series.get(`plugin_metrics_build_info{version="1.2.3",node="${process.versions.node}"}`), 1);
    assert.ok((series.get('process_cpu_seconds_total') ?? 0) > 0.1);
    assert.ok((series.get('process_resident_memory_bytes') ?? 0) > 1e7);
    assert.ok(Math.abs((series.get('process_start_time_seconds') ?? 0) - Date.now() / 1000) < 600);
    const delay = 'plugin_metrics_event_loop_delay_seconds';
    assert.ok((series.get(`${delay}_sum`) ?? 0) > 0.1);
    assert.ok((series.get(`${delay}_count`) ?? 0) > (series.get(`${delay}_bucket{le="0.1"}`) ?? 0));
  });
});
