// Hostile clients, and clients that look hostile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection } from './support/raw-connection.ts';
import {
  importRecords,
  makeDirectory,
  makeSampleStore,
  replaceMethods,
  serveStore,
} from './support/test-server.ts';
import { get } from './support/validated-client.ts';

// A response larger than the buffers between a server and a client that does not read.
const pointCount = 400_000;
const longStore = join(makeDirectory(), 'long.db');
await importRecords(longStore, [
  { record: 'software', id: 1, name: 's', url: 's', globalPluginId: null },
  {
    record: 'plugin',
    id: 1,
    name: 'p',
    owner: { id: 1, name: 'o' },
    softwareId: 1,
    isGlobal: false,
  },
  {
    record: 'chart',
    pluginId: 1,
    chartId: 'c',
    uid: 1,
    type: 'single_linechart',
    position: 0,
    title: 'c',
    isDefault: true,
    data: {},
  },
  {
    record: 'data',
    pluginId: 1,
    chartId: 'c',
    data: Array.from({ length: pointCount }, (_, index) => [1_700_000_000_000 + index * 1000, index % 1000]),
  },
]);

/** The target of a long response; each number has a different one. */
function longTarget(number: number): string {
  return `/api/v1/plugins/1/charts/c/data?maxElements=${pointCount - number}`;
}

function connectTo(url: string): net.Socket {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  return socket;
}

test('clients that reset before their response is ready do not end the server', async () => {
  await using server = await serveStore(await makeSampleStore());
  let number = 2;
  const attack = async () => {
    for (let round = 0; round < 60; round++) {
      const socket = connectTo(server.url);
      await once(socket, 'connect');
      number++;
      const target = `/api/v1/plugins/1337/charts/players/data?maxElements=${number}`;
      socket.write(`GET ${target} HTTP/1.1\r\nAccept-Encoding: br\r\n\r\n`);
      await sleep(round % 5);
      socket.write('HEAD /x HTTP/1.1\r\n\r\n');
      socket.resetAndDestroy();
    }
  };
  await Promise.all(Array.from({ length: 6 }, attack));
  assert.equal((await get(server.url, '/api/v1/software')).status, 200);
  assert.deepEqual(server.logLines, []);
});

test('pipelined requests for long responses that are never read cost no more memory than a few responses', async () => {
  await using server = await serveStore(longStore, { timeouts: { sendMs: 1500 } });
  using connection = await RawConnection.open(server.url);
  connection.socket.pause();
  const before = heldBytes();
  const requests = Array.from({ length: 32 }, (_, number) => `GET ${longTarget(number)} HTTP/1.1\r\n\r\n`);
  connection.write(requests.join(''));
  await sleep(1000);
  const grownBytes = heldBytes() - before;
  assert.ok(grownBytes < 120e6, `${grownBytes} bytes`);
  await waitUntil(
    async () => (await server.count('connections_dropped_total', { reason: 'not_reading' })) === 1,
  );
  connection.socket.resume();
  await connection.rest();
});

test('requests after a protocol upgrade, which the parser drops, are not left waiting', async () => {
  await using server = await serveStore(await makeSampleStore());
  const target = '/api/v1/software';
  for (const protocol of ['h2c', 'websocket']) {
    using connection = await RawConnection.open(server.url);
    const upgrade = `GET ${target} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
    connection.write(`${upgrade}GET ${target} HTTP/1.1\r\n\r\n`);
    const answer = await connection.read({ method: 'GET', target });
    assert.equal(answer?.status, 200);
    assert.equal(answer.headers.get('connection'), 'close');
    assert.equal(await connection.rest(), '');
  }
});

test('a connection that pipelines too many requests is closed, and others are served', async () => {
  await using server = await serveStore(await makeSampleStore());
  const block = 'GET / HTTP/1.1\r\n\r\n'.repeat(200_000);
  const sockets = Array.from({ length: 12 }, () => {
    const socket = connectTo(server.url);
    socket.pause();
    socket.write(block);
    return socket;
  });
  await waitUntil(
    async () => (await server.count('connections_dropped_total', { reason: 'pipelining' })) > 0,
  );
  assert.equal((await get(server.url, '/api/v1/software')).status, 200);
  for (const socket of sockets) socket.resetAndDestroy();
});

for (const coding of ['identity', 'gzip', 'br']) {
  test(`a client that half-closes after its request gets a small response, in ${coding} too`, async () => {
    await using server = await serveStore(longStore);
    for (const target of ['/api/v1/plugins/1/charts/c/data', '/api/v1/plugins/1/charts/none']) {
      for (const _ of ['made now', 'cached']) {
        const socket = connectTo(server.url);
        socket.end(`GET ${target} HTTP/1.1\r\nAccept-Encoding: ${coding}\r\n\r\n`);
        const received = Buffer.concat(await socket.toArray());
        const headEnd = received.indexOf('\r\n\r\n');
        const head = received.toString('latin1', 0, headEnd);
        assert.match(head, target.endsWith('none') ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 /);
        assert.equal(received.length - headEnd - 4, Number(/content-length: (\d+)/i.exec(head)?.[1]));
      }
    }
  });
}

test('300 clients that ask for long responses and go away leave an idle server', async () => {
  await using server = await serveStore(longStore);
  const before = heldBytes();
  for (let number = 0; number < 300; number++) {
    const socket = connectTo(server.url);
    await once(socket, 'connect');
    socket.write(`GET ${longTarget(number)} HTTP/1.1\r\n\r\n`);
    await sleep(5);
    // All that a process that ends leaves of a connection: it reads nothing more.
    socket.pause();
    if (number % 2 === 0) socket.destroy();
    else socket.end();
  }
  await waitUntil(async () => (await server.count('open_connections')) === 0);
  const miss = await server.count('responses_total', { cache: 'miss' });
  const cpu = process.cpuUsage();
  await sleep(1000);
  assert.equal(await server.count('responses_total', { cache: 'miss' }), miss, 'nothing is made any more');
  assert.ok(process.cpuUsage(cpu).user < 300_000);
  assert.ok(heldBytes() - before < 120e6);
  assert.deepEqual(server.logLines, []);
});

test('a client that does not read its response is dropped, despite keep-alive', async () => {
  await using server = await serveStore(longStore, { timeouts: { sendMs: 300 } });
  const heads = [
    'HTTP/1.1\r\nConnection: close',
    'HTTP/1.0',
    'HTTP/1.1',
    'HTTP/1.0\r\nConnection: keep-alive',
  ];
  const connections = await Promise.all(heads.map(() => RawConnection.open(server.url)));
  for (const [index, connection] of connections.entries()) {
    connection.socket.pause();
    connection.write(`GET ${longTarget(0)} ${heads[index]}\r\n\r\n`);
  }
  await waitUntil(
    async () => (await server.count('connections_dropped_total', { reason: 'not_reading' })) === heads.length,
  );
  for (const connection of connections) connection[Symbol.dispose]();
});

for (const [name, target, make] of [
  ['series', longTarget(0), async () => longStore],
  ['registry', '/api/v1/plugins/1/charts', makeLargeRegistry],
] as const) {
  test(`a client that reads a large ${name} slowly but steadily is not dropped`, async () => {
    await using server = await serveStore(await make(), { timeouts: { sendMs: 1500 } });
    const socket = connectTo(server.url);
    socket.write(`GET ${target} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    let receivedBytes = 0;
    for await (const bytes of socket) {
      receivedBytes += bytes.length;
      await sleep(20);
    }
    assert.ok(receivedBytes > 6e6, `${receivedBytes} bytes`);
    assert.equal(await server.count('connections_dropped_total', { reason: 'not_reading' }), 0);
  });
}

test('large responses are not rendered once all their clients have gone', async () => {
  await using server = await serveStore(longStore);
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    const missesBefore = await server.count('responses_total', { cache: 'miss' });
    const sockets = await Promise.all(
      Array.from({ length: 24 }, async (_, number) => {
        const socket = connectTo(server.url);
        await once(socket, 'connect');
        socket.write(`GET ${longTarget(number + 1)} HTTP/1.1\r\n\r\n`);
        return socket;
      }),
    );
    for (const socket of sockets) socket[leave]();
    assert.equal((await get(server.url, longTarget(500))).status, 200);
    const made = (await server.count('responses_total', { cache: 'miss' })) - missesBefore;
    assert.ok(made < 8, `${made} answers were made`);
  }
});

test('an id that no chart can have is unknown without a store read', async () => {
  let questionCount = 0;
  await using server = await serveStore(await makeSampleStore(), {
    wrap: (reader) =>
      replaceMethods(reader, (view) => ({
        getChart: (...args) => {
          questionCount++;
          return view.getChart(...args);
        },
        readChartData: (...args) => {
          questionCount++;
          return view.readChartData(...args);
        },
      })),
  });
  for (const id of ['%00', 'a%00', '%20', 'a%2Fb', '.', '-a', '%C3%A4', 'a'.repeat(101), '%0A', '%2e%2e']) {
    for (const behind of ['', '/data', '/data?maxElements=-1']) {
      const answer = await get(server.url, `/api/v1/plugins/1337/charts/${id}${behind}`);
      assert.equal(answer.status, 404, id);
    }
  }
  assert.equal(questionCount, 0);
});

test('an unknown chart is answered without reading the other charts of its plugin', async () => {
  await using server = await serveStore(await makeLargeRegistry());
  const costsMs: number[] = [];
  for (let round = 0; round < 8; round++) {
    const before = process.cpuUsage();
    const answer = await get(server.url, `/api/v1/plugins/1/charts/none${round % 2 === 0 ? '' : '/data'}`);
    costsMs.push(process.cpuUsage(before).user / 1000);
    assert.equal(answer.status, 404);
  }
  // Reading 18 MB takes longer.
  assert.ok(Math.min(...costsMs) < 10, `${costsMs} ms of CPU time`);
});

test('a stop during long responses logs nothing', async () => {
  const server = await serveStore(longStore, { timeouts: { sendMs: 200 } });
  const sockets = Array.from({ length: 6 }, (_, number) => {
    const socket = connectTo(server.url);
    socket.pause();
    socket.write(`GET ${longTarget(number)} HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n`.repeat(3));
    return socket;
  });
  await sleep(50);
  const stopped = server[Symbol.asyncDispose]();
  await sleep(50);
  for (const socket of sockets.slice(0, 3)) socket.destroy();
  for (const socket of sockets.slice(3)) socket.resume();
  await stopped;
  assert.deepEqual(server.logLines, []);
});

/** Makes a store with a plugin whose charts have 18 MB of settings. */
async function makeLargeRegistry(): Promise<string> {
  const store = join(makeDirectory(), 'large-registry.db');
  const chart = { record: 'chart', pluginId: 1, type: 'simple_pie', position: 0, isDefault: true };
  await importRecords(store, [
    { record: 'software', id: 1, name: 's', url: 's', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'p', owner: { id: 1, name: 'o' }, softwareId: 1, isGlobal: false },
    ...Array.from({ length: 20 }, (_, index) => ({
      ...chart,
      chartId: `c${index}`,
      uid: index + 1,
      title: 't',
      data: { text: 'x'.repeat(900_000) },
    })),
  ]);
  return store;
}

/** The resident memory of this process, in bytes. */
function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, 'it did not happen within 30 s');
    await sleep(20);
  }
}
