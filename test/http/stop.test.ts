// Stopping a server: pending responses are finished, nothing new begins, and a deadline bounds it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importText } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';
import { largeArchive, largeArchivePath } from './support/large-plugin.ts';
import { RawConnection } from './support/raw-connection.ts';
import { chartPath, museumChart } from './support/sample.ts';
import {
  makeDirectory,
  makeSampleStore,
  replaceMethods,
  serveStore,
  type TestServer,
} from './support/test-server.ts';
import { get, getText } from './support/validated-client.ts';

const store = await makeSampleStore();
const large = `${chartPath(museumChart('servers'))}/data?maxElements=999999`;
const plugins = { method: 'GET', target: '/api/v1/plugins' };

/** A server whose plugin list is not rendered until the gate is opened. */
async function serveSlowly(): Promise<
  TestServer & { readonly openGate: () => void; readonly begun: Promise<void> }
> {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const server = await serveStore(store, {
    wrap: (reader) =>
      replaceMethods(reader, (view) => ({
        async *listPlugins() {
          begun.resolve();
          await gate.promise;
          yield* view.listPlugins();
        },
      })),
  });
  return Object.assign(server, { openGate: gate.resolve, begun: begun.promise });
}

test('a pending request is finished, and new connections are refused', async () => {
  const server = await serveSlowly();
  const idle = await RawConnection.open(server.url);
  const asked = get(server.url, '/api/v1/plugins');
  await server.begun;
  const stopped = server[Symbol.asyncDispose]();
  assert.equal(await idle.rest(), '', 'an idle connection is closed');
  await assert.rejects(RawConnection.open(server.url), { code: 'ECONNREFUSED' });
  server.openGate();
  const answer = await asked;
  assert.equal(answer.status, 200);
  // Otherwise it would wait for the 65 seconds of keep-alive.
  await stopped;
});

test('a response that the client reads slowly arrives complete', async () => {
  const slowStore = join(makeDirectory(), 'large.db');
  // Larger than the buffers between a server and a client that does not read.
  await importText(slowStore, largeArchive({ pieCount: 12 }));
  const request = { method: 'GET', target: largeArchivePath };
  let expected: string | undefined;
  for (const head of [` HTTP/1.1\r\n\r\n`, ` HTTP/1.1\r\nConnection: close\r\n\r\n`]) {
    const server = await serveStore(slowStore);
    expected ??= await getText(server.url, request.target);
    const before = await server.count('responses_total');
    using connection = await RawConnection.open(server.url);
    connection.socket.pause();
    connection.write(`GET ${request.target}${head}`);
    await waitUntil(async () => (await server.count('responses_total')) > before);
    const stopped = server[Symbol.asyncDispose]();
    await sleep(60);
    connection.socket.resume();
    assert.ok((await connection.read(request))?.bytes.equals(Buffer.from(expected)));
    await stopped;
  }
});

test('requests pipelined before the stop are answered', async () => {
  const server = await serveSlowly();
  using connection = await RawConnection.open(server.url);
  connection.write(`GET /api/v1/plugins HTTP/1.1\r\n\r\nGET ${large} HTTP/1.1\r\n\r\n`);
  await server.begun;
  const stopped = server[Symbol.asyncDispose]();
  server.openGate();
  assert.equal((await connection.read(plugins))?.status, 200);
  assert.equal((await connection.read({ method: 'GET', target: large }))?.status, 200);
  await stopped;
});

test('a stop does not wait forever for a client that does not read, or does not finish its request', async (t) => {
  const server = await serveSlowly();
  using deaf = await RawConnection.open(server.url);
  using slow = await RawConnection.open(server.url);
  using waiting = await RawConnection.open(server.url);
  using deafTunnel = await RawConnection.open(server.url);
  for (const { socket } of [deaf, deafTunnel]) socket.pause();
  deaf.write(`GET ${large} HTTP/1.1\r\n\r\n`.repeat(30));
  // Node's parser gives up a connection with CONNECT.
  deafTunnel.write(`${`GET ${large} HTTP/1.1\r\n\r\n`.repeat(30)}CONNECT a:1 HTTP/1.1\r\n\r\n`);
  slow.write('POST /api/v1/plugins HTTP/1.1\r\nContent-Length: 9\r\n\r\na');
  waiting.write('GET /api/v1/plugins HTTP/1.1\r\n\r\n');
  await server.begun;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopped = server[Symbol.asyncDispose]();
  t.mock.timers.tick(9_999);
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isStopped, false, 'it waits for as long as it may');
  t.mock.timers.tick(1);
  t.mock.timers.reset();
  await stopped;
  assert.deepEqual(server.logLines, []);
});
