// A collector over HTTP and a real store: every answer, and what is in the store when the slot has ended.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { newPluginRecords, newSoftwareRecords } from '../../../src/cli/new-records.ts';
import type { CollectOptions, CollectServer } from '../../../src/collect/listener/collect-server.ts';
import type { Store } from '../../../src/model/store.ts';
import { openSqliteStore } from '../../../src/store/store.ts';
import { exportFrom } from '../../contracts/store-contract.ts';
import { allParts } from '../../support/logged-report.ts';
import { countFromNow } from '../../support/metrics.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { serveReports } from '../collecting.ts';

const directory = directoryOfFile();
let storeCount = 0;

const slotMs = 1_800_000;
const start = 1_782_864_000_000;

/** Makes a store with Bukkit, its global plugin 1, the plugins 2 and 3, and plugin 5 of Sponge. */
async function makeStore(): Promise<Store> {
  const store = openSqliteStore(directory.at(`store-${++storeCount}.db`));
  await using writer = await store.openWriter();
  const owner = { id: 1, name: 'Me' };
  const plugin = (id: number, name: string, softwareId: number) => ({
    id,
    name,
    owner,
    softwareId,
    isGlobal: false,
  });
  const ids = { softwareId: 1, pluginId: 1, ownerId: 1, chartUid: 1 };
  await writer.write([
    ...newSoftwareRecords({ url: 'bukkit', name: 'Bukkit' }, ids, owner),
    ...newSoftwareRecords(
      { url: 'sponge', name: 'Sponge' },
      { ...ids, softwareId: 2, pluginId: 4, chartUid: 100 },
      owner,
    ),
    ...newPluginRecords(plugin(2, 'Two', 1), 'bukkit', 200),
    ...newPluginRecords(plugin(3, 'Three', 1), 'bukkit', 300),
    ...newPluginRecords(plugin(5, 'Five', 2), 'sponge', 400),
    { place: '', kind: 'oldName', oldName: { pluginId: 3, name: 'Drei' } },
    { place: '', kind: 'end' },
  ]);
  await writer.commit();
  return store;
}

/** A clock that tests set. */
class TestClock {
  time = start + 60_000;
  readonly now = () => this.time;
}

interface Started {
  readonly server: CollectServer;
  readonly clock: TestClock;
  readonly store: Store;
  readonly log: string[];
  send(body: unknown, options?: SendOptions): Promise<Answer>;
}

interface SendOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

async function startServer(options: Partial<CollectOptions> = {}): Promise<Started> {
  const store = options.store ?? (await makeStore());
  const clock = new TestClock();
  const log: string[] = [];
  const server = await serveReports(store, {
    logStream: { write: (line) => log.push(line) },
    now: clock.now,
    ...options,
  });
  const send = async (
    body: unknown,
    { path = '/api/v2/data/bukkit', method = 'POST', headers = {} }: SendOptions = {},
  ) => {
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(server.url + path, {
      method,
      headers,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: bytes as string }),
      redirect: 'error',
    });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  return { server, clock, store, log, send };
}

function report(serverUUID: string, id = 2, more: object = {}, service: object = {}): object {
  return {
    serverUUID,
    playerAmount: 7,
    onlineMode: 1,
    bukkitVersion: '1.21-9-ab12 (MC: 1.21)',
    bukkitName: 'Paper',
    javaVersion: '21.0.2',
    osName: 'Linux',
    osArch: 'amd64',
    osVersion: '6.1',
    coreCount: 8,
    service: { id, pluginVersion: '1.4', customCharts: [], ...service },
    ...more,
  };
}

describe('a report', () => {
  test('counts once for a plugin and a server in a slot', async () => {
    const { server, send, clock } = await startServer();
    await using _ = server;
    assert.equal((await send(report('a'))).status, 202);
    clock.time = start + slotMs - 90_500;
    const again = await send(report('a'));
    assert.equal(again.status, 429);
    assert.equal(again.headers.get('retry-after'), '91');
    assert.match(
      again.body,
      /"detail":"this server has reported in this slot of 30 min; the next begins in 91 s"/,
    );
    assert.equal((await send(report('a', 3))).status, 202);
    clock.time = start + slotMs;
    assert.equal((await send(report('a'))).status, 202);
  });

  test('of an old form counts each plugin by id or name, old names too', async () => {
    const { server, send } = await startServer();
    await using _ = server;
    const old = (serverUUID: string, ...plugins: readonly object[]) =>
      send({ ...report(serverUUID), service: undefined, plugins }, { path: '/submitData/bukkit' });
    assert.equal(
      (await old('a', { pluginName: 'tWO' }, { pluginName: 'drei' }, { pluginName: 'No' }, { id: 5 })).status,
      202,
    );
    assert.equal((await send(report('a', 2))).status, 429);
    assert.equal((await send(report('a', 3))).status, 429);
    assert.equal((await old('b', { pluginName: 'No' }, { id: 99 }, {}, { id: 1 })).status, 404);
    assert.equal((await old('a', { id: 2 }, { id: 99 })).status, 429);
    assert.equal((await old('a', { id: 2 }, { id: 2 })).status, 429);
    assert.equal((await old('c')).status, 404);
  });

  const refusals: ReadonlyArray<
    readonly [what: string, body: unknown, options: SendOptions, status: number, detail: RegExp]
  > = [
    ['that is not JSON', 'players', {}, 400, /^the report is malformed: it is not valid JSON$/],
    ['that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, /not valid UTF-8/],
    ['without a server', { ...report('a'), serverUUID: undefined }, {}, 400, /serverUUID must be/],
    ['of a global plugin', report('a', 1), {}, 400, /^plugin 1 counts all servers/],
    [
      'of a plugin of another software',
      report('a', 5),
      {},
      400,
      /^plugin 5 is one of "sponge", not of "bukkit"$/,
    ],
    ['of an unknown plugin', report('a', 99), {}, 404, /^there is no plugin with the id 99$/],
    [
      'of an unknown software',
      report('a'),
      { path: '/api/v2/data/velocity' },
      404,
      /^there is no software "velocity"; the nearest is "\w+"$/,
    ],
    [
      'of a software in capitals',
      report('a'),
      { path: '/api/v2/data/Bukkit' },
      404,
      /^there is no software "Bukkit"; the nearest is "bukkit"$/,
    ],
    [
      'of a mistyped software',
      report('a'),
      { path: '/submitData/spong' },
      404,
      /^there is no software "spong"; the nearest is "sponge"$/,
    ],
    ['at another path', report('a'), { path: '/api/v1/plugins' }, 404, /^reports are taken at/],
    ['with GET', undefined, { method: 'GET' }, 405, /^GET is not offered here, only POST$/],
    [
      'in a coding that is not known',
      report('a'),
      { headers: { 'content-encoding': 'br' } },
      415,
      /^the coding "br" is not known/,
    ],
    ['that is no gzip', report('a'), { headers: { 'content-encoding': 'gzip' } }, 400, /not valid gzip/],
    [
      'that is too large',
      'x'.repeat(256 * 1024 + 1),
      {},
      413,
      /^the body of a request may have at most 262144 bytes$/,
    ],
    [
      'that is too large when it is inflated',
      gzipSync(Buffer.alloc(1024 * 1024 + 1, 0x20)),
      { headers: { 'content-encoding': 'gzip' } },
      413,
      /^a report may have at most 1048576 bytes when it is decompressed$/,
    ],
  ];

  test('that is refused says why', async () => {
    const { server, send, store } = await startServer();
    {
      await using _ = server;
      for (const [what, body, options, status, detail] of refusals) {
        const answer = await send(body, options);
        assert.equal(answer.status, status, what);
        assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
        const problem = JSON.parse(answer.body);
        assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail']);
        assert.match(problem.detail, detail, what);
        if (status === 405) assert.equal(answer.headers.get('allow'), 'POST');
      }
      // None of them used up the report of this server.
      assert.equal((await send(report('a'))).status, 202);
    }
    await using reports = await store.openReports();
    assert.equal((await reports.listSlots()).length, 1);
  });

  test('of many servers behind one address counts up to the limit, for each plugin', async () => {
    const { server, send, log, clock } = await startServer({
      maxPerAddress: 3,
      trustedProxies: ['127.0.0.1/32'],
    });
    await using _ = server;
    const from = (address: string, uuid: string, id = 2) =>
      send(report(uuid, id), { headers: { 'x-forwarded-for': address } }).then(({ status }) => status);
    const statuses = [];
    for (const [index, address] of [
      '198.51.100.7',
      '::ffff:198.51.100.7',
      '198.51.100.7',
      '198.51.100.7',
    ].entries())
      statuses.push(await from(address, `server ${index}`));
    assert.deepEqual(statuses, [202, 202, 202, 429]);
    assert.equal(await from('198.51.100.7', 'server 3', 3), 202);
    assert.equal(await from('198.51.100.8', 'server 3'), 202);
    for (const [index, status] of [202, 202, 202, 429].entries())
      assert.equal(await from(`2001:db8:1:2::${index}`, `six ${index}`), status);
    assert.equal(await from('2001:db8:1:3::1', 'six 3'), 202);
    const { body } = await send(report('beyond'), { headers: { 'x-forwarded-for': '198.51.100.7' } });
    const { title, detail } = JSON.parse(body);
    assert.equal(title, 'Too many servers');
    assert.match(detail, /^the limit of 3 servers of an address is reached in this slot of 30 min; /);
    clock.time += slotMs + 10_000;
    await waitUntil(() => log.some((line) => JSON.parse(line).addressRefusals === 3));
  });

  test('with charts that are not counted is accepted, and each chart is named once a slot, at most 100', async () => {
    const { server, send, log, clock } = await startServer();
    await using _ = server;
    const count = await countFromNow();
    const charts = [
      { chartId: 'players', data: { value: 5 } },
      { chartId: 'no such', data: { value: 'x' } },
    ];
    for (const uuid of ['a', 'b'])
      assert.equal((await send(report(uuid, 2, {}, { customCharts: charts }))).status, 202);
    const marked = `\uFEFF${JSON.stringify(report('c', 2, { playerAmount: 1e30 }))}`;
    assert.equal((await send(marked)).status, 202);
    assert.equal(await count('report_values_dropped_total', { reason: 'wrong-value' }), 2);
    assert.match(log.pop() ?? '', /plugin 1 reported .*players.*, which is not counted: wrong-value/);
    assert.equal((await send(report('a', 2, {}, { customCharts: charts }))).status, 429);
    assert.equal(await count('report_values_dropped_total', { reason: 'unknown-chart' }), 4);
    const messages = () => log.map((line) => JSON.parse(line).message);
    const named = [
      'plugin 2 reported "players", which is not counted: unknown-chart',
      'plugin 2 reported "no such", which is not counted: unknown-chart',
    ];
    assert.deepEqual(messages(), named);
    clock.time += slotMs;
    const many = Array.from({ length: 200 }, (_, index) => ({ chartId: `c${index}`, data: {} }));
    assert.equal((await send(report('a', 2, {}, { customCharts: [...charts, ...many] }))).status, 202);
    assert.equal(messages().length, 2 + 100);
    assert.deepEqual(messages().slice(2, 4), named);
  });

  test('from a proxy that is not trusted gets one warning, which names the option', async () => {
    const { server, send, log } = await startServer();
    await using _ = server;
    const {
      server: trusting,
      send: sendTrusted,
      log: silent,
    } = await startServer({
      trustedProxies: ['127.0.0.1/32'],
    });
    await using _trusting = trusting;
    await send(report('direct'));
    assert.deepEqual(log, []);
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    for (const uuid of ['a', 'b']) {
      assert.equal((await send(report(uuid), { headers })).status, 202);
      assert.equal((await sendTrusted(report(uuid), { headers })).status, 202);
    }
    assert.deepEqual(
      log.map((line) => JSON.parse(line)).map(({ level, message }) => [level, message]),
      [
        [
          'warn',
          'the X-Forwarded-For of 127.0.0.1 is not trusted, so everything it forwards counts as one address: if it is your proxy, add --trust-proxy 127.0.0.1',
        ],
      ],
    );
    assert.deepEqual(silent, []);
  });

  test('comes with a body that is sent slowly, and one that never ends is given up', async () => {
    const { server, log } = await startServer();
    await using _ = server;
    const { server: hasty, log: hastyLog } = await startServer({
      timeouts: { requestMs: 400, headersMs: 200 },
    });
    await using _hasty = hasty;
    const body = JSON.stringify(report('slow'));
    const head = `POST /api/v2/data/bukkit HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    const talk = async (send: (write: (text: string) => void) => Promise<void>, { url } = server) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
        socket.destroy();
      });
      const closed = once(socket, 'close');
      await send((text) => void socket.write(text));
      await closed;
      return answer.split('\r\n')[0];
    };
    const slow = await talk(async (write) => {
      write(head);
      for (const letters of [body.slice(0, 10), body.slice(10, 50), body.slice(50)]) {
        await sleep(20);
        write(letters);
      }
    });
    assert.equal(slow, 'HTTP/1.1 202 Accepted');
    const endless = await talk(async (write) => write(head + body.slice(0, -1)), hasty);
    assert.equal(endless, 'HTTP/1.1 408 Request Timeout');
    const post = 'POST /api/v2/data/bukkit HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    const empty = await talk(async (write) => write(`${post}\r\n`));
    assert.equal(empty, 'HTTP/1.1 400 Bad Request');
    const announced = await talk(async (write) =>
      write(`${post}Expect: 100-continue\r\nContent-Length: 262145\r\n\r\n`),
    );
    assert.equal(announced, 'HTTP/1.1 413 Payload Too Large');
    assert.deepEqual([...log, ...hastyLog], []);
  });

  test('is taken though what follows it is no request, after which the connection is closed', async () => {
    const { server } = await startServer();
    await using _ = server;
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify(report('followed'));
    const post = `POST /api/v2/data/bukkit HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (const [index, pieces] of [[post], [post.slice(0, -9), post.slice(-9)]].entries()) {
      const socket = connect(Number(port), hostname);
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      const [last = '', ...before] = pieces.toReversed();
      for (const piece of before) {
        socket.write(piece);
        await sleep(20);
      }
      socket.write(`${last}GET / HTTP/1.1\r\nBad Name: a\r\n\r\n`);
      await once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
      // The second time, this server has reported already.
      assert.match(received, new RegExp(`^HTTP/1\\.1 ${index === 0 ? 202 : 429} `));
    }
  });
});

test('an address that floods the collector with large reports does not keep others out, and all of the time is covered', async () => {
  const { server, send } = await startServer({ trustedProxies: ['127.0.0.1/32'] });
  await using _ = server;
  const large = gzipSync(JSON.stringify({ ...report('flooding'), padding: 'x'.repeat(1_000_000) }));
  const flooded = new Set<number>();
  let isOver = false;
  const flood = Array.from({ length: 40 }, async (_, connection) => {
    while (!isOver) {
      const headers = { 'content-encoding': 'gzip', 'x-forwarded-for': `2001:db8::${connection}` };
      const { status, headers: answered } = await send(large, { headers });
      flooded.add(status);
      if (status === 503) assert.equal(answered.get('retry-after'), '5');
    }
  });
  await waitUntil(() => flooded.has(503));
  const ordinary: (readonly [number, boolean])[] = [];
  for (let count = 0; count < 10; count++) {
    const { status } = await send(report(`server ${count}`), { headers: { 'x-forwarded-for': '192.0.2.1' } });
    ordinary.push([status, server.findReason() === undefined]);
  }
  isOver = true;
  await Promise.all(flood);
  assert.deepEqual(ordinary, new Array(10).fill([202, true]));
  assert.deepEqual(flooded, new Set([503, 202, 429]));
});

describe('a slot', () => {
  /** Collects a slot that is covered from its beginning to its end, and closes it. */
  const collected = async (take: (started: Started) => Promise<void>) => {
    const started = await startServer();
    const { server, clock, store } = started;
    // As if it had run since the slot began.
    await using _ = server;
    await take(started);
    return { started, clock, store };
  };

  test('that has ended is closed by the next start, with a point for every line', async () => {
    const { store } = await collected(async ({ send, clock }) => {
      clock.time = start + 60_000;
      assert.equal((await send(report('a', 2, {}, { customCharts: [] }))).status, 202);
      assert.equal((await send(report('b', 2, { playerAmount: 900 }))).status, 202);
      assert.equal((await send(report('a', 3))).status, 202);
    });
    await using reports = await store.openReports();
    const [slot] = await reports.listSlots();
    assert.equal(slot?.start, start);
    await reports.cover(start, allParts);
    await reports[Symbol.asyncDispose]();
    const count = await countFromNow();
    const next = await startServer({ store, now: () => start + slotMs + 5000 });
    await waitUntil(async () => (await count('slots_closed_total')) > 0);
    await next.server[Symbol.asyncDispose]();
    const lines = (await exportFrom(store)).split('\n').filter((line) => line.includes('"record":"data"'));
    const dataOf = (pluginId: number, chartId: string) =>
      lines
        .find((line) => line.startsWith(`{"record":"data","pluginId":${pluginId},"chartId":"${chartId}"`))
        ?.replace(/.*"data":/, '');
    assert.equal(dataOf(2, 'servers'), `[[${start},2]]}`);
    assert.equal(dataOf(2, 'players'), `[[${start},207]]}`);
    assert.equal(dataOf(1, 'servers'), `[[${start},2]]}`);
    assert.equal(dataOf(1, 'players'), `[[${start},907]]}`);
    assert.equal(dataOf(3, 'servers'), `[[${start},1]]}`);
    assert.equal(dataOf(2, 'serverSoftware'), '[{"name":"Paper","y":2}]}');
    assert.equal(dataOf(5, 'servers'), undefined);
    assert.match(
      next.log.join(''),
      /"message":"slot closed","slot":"2026-07-01T00:00:00.000Z","coveredParts":30/,
    );
  });
});
