// Clients that have closed their sending side: nearly all of them have gone, a few still read.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { importText } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';
import { largeArchive, largeArchivePath } from './support/large-plugin.ts';
import { RawConnection } from './support/raw-connection.ts';
import { chartPath, museumChart } from './support/sample.ts';
import {
  makeDirectory,
  makeSampleStore,
  serveHeld,
  serveStore,
  type TestServer,
} from './support/test-server.ts';
import { get } from './support/validated-client.ts';

const store = await makeSampleStore();
const dataPath = `${chartPath(museumChart('servers'))}/data`;
const large = (number: number) => `${dataPath}?maxElements=${999_999 - number}`;
const small = `${dataPath}?maxElements=300`;

/** Long enough for everything that was sent to have arrived. */
async function settle({ url }: TestServer): Promise<void> {
  for (let round = 0; round < 3; round++) assert.equal((await get(url, '/nothing')).status, 404);
}

test('a small response is made and sent in each coding, whatever other requests there are, and so is a cached one', async () => {
  for (const coding of ['identity', 'gzip']) {
    await using server = await serveHeld(store);
    for (const isMade of [true, false]) {
      using closing = await RawConnection.open(server.url);
      closing.socket.end(`GET ${small} HTTP/1.1\r\nAccept-Encoding: ${coding}\r\n\r\n`);
      if (isMade) {
        await waitUntil(() => server.heldCount() === 1);
        await settle(server);
        server.openGate();
      }
      assert.equal((await closing.read({ method: 'GET', target: small }))?.status, 200);
      assert.equal(await closing.rest(), '');
    }
    assert.equal(server.heldCount(), 1);
  }
});

/** Requests of a client that then closes its side; the first one is for a large response. */
const requests: readonly (readonly [string, string])[] = [
  ['one request', `GET ${large(0)} HTTP/1.1\r\n\r\n`],
  [
    'a request with a body that nobody reads',
    `GET ${large(0)} HTTP/1.1\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`,
  ],
  ['half of a second request', `GET ${large(0)} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHos`],
];

for (const [what, text] of requests) {
  test(`a large response is not gone on with after ${what}, and the connection is closed`, async () => {
    await using server = await serveHeld(store);
    using closing = await RawConnection.open(server.url);
    closing.write(text);
    await waitUntil(() => server.heldCount() === 1);
    closing.socket.end();
    await settle(server);
    server.openGate();
    await server.isLeft(1);
    assert.doesNotMatch(await closing.rest(), /^HTTP\/1\.1 200/);
    assert.equal(await server.count('responses_total', { cache: 'miss' }), 0);
    assert.equal(server.heldCount(), 1);
    assert.deepEqual(server.logLines, []);
  });
}

test('another client that waits for the same response gets it', async () => {
  await using server = await serveHeld(store);
  using closing = await RawConnection.open(server.url);
  closing.write(`GET ${large(0)} HTTP/1.1\r\n\r\n`);
  await waitUntil(() => server.heldCount() === 1);
  closing.socket.end();
  await settle(server);
  const other = get(server.url, large(0));
  await waitUntil(async () => (await server.count('responses_total', { cache: 'shared' })) === 1);
  server.openGate();
  assert.equal((await other).status, 200);
  assert.equal(server.heldCount(), 1);
});

test('a response that is sent as it is made is cut', async () => {
  const path = join(makeDirectory(), 'large.db');
  await importText(path, largeArchive());
  await using server = await serveStore(path);
  using closing = await RawConnection.open(server.url);
  closing.socket.pause();
  closing.write(`GET ${largeArchivePath} HTTP/1.1\r\n\r\n`);
  await waitUntil(async () => (await server.count('responses_total', { cache: 'miss' })) === 1);
  closing.socket.end();
  await server.isLeft();
  assert.equal(await server.countUnread(), 0);
  assert.deepEqual(server.logLines, []);
});
