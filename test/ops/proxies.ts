/**
 * Responses through nginx, Caddy and haproxy as configured in ops/, compared with the server's own. Run by
 * `npm run test:ops`; needs all three installed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { makeSampleStore } from '../http/support/test-server.ts';
import { slotStart, TestCollector, testPluginId } from '../reporter/support/test-collector.ts';
import { startServing } from '../serve/support/serving.ts';
import { followLinks, pagesOfEachKind } from '../site/pages/support/crawl.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ask, type RawAnswer, type RunningProxy, startCaddy, startHaproxy, startNginx } from './proxy.ts';

/** Every kind of request, including errors. */
const targets = [
  '/api/v1/plugins',
  '/api/v1/plugins/1337',
  '/api/v1/plugins/1337/charts/players',
  '/api/v1/plugins/1337/charts/players/data/?maxElements=3',
  '/api/v1/plugins/1337/charts/players/data?maxElements=99999',
  '/openapi.json',
  '/api/v1/plugins/1337/charts/players/data?maxElements=-1',
  '/api/v1/plugins/999999999',
  '/api/v1/%ff',
  '/',
  '/?q=a%20b&sort=name',
  '/embed.js',
  '/embed/1337.svg',
  '/embed/1337.png',
  '/embed/1337/players.svg?theme=dark&width=400',
  '/badge/1337/players.json',
];

const codings = [undefined, 'gzip', 'br', 'br;q=0.1, gzip', 'identity', '*;q=0'];

/** Headers of a connection, or of the proxy itself. */
const ownHeaders = [
  ...['date', 'connection', 'keep-alive', 'transfer-encoding', 'server', 'via', 'age'],
  'x-cache-status',
];

const store = await makeSampleStore();
const startServer = (maxAge: number) =>
  startServing([
    ...['--store', store, '--admin-port', '0'],
    ...['--max-age', String(maxAge), '--public-url', 'https://metrics.example.org'],
  ]);

const maxAgeSeconds = 2;
const server = await startServer(maxAgeSeconds);
after(() => server[Symbol.asyncDispose]());

const proxies = { nginx: startNginx, Caddy: startCaddy, haproxy: startHaproxy };

for (const [name, startProxy] of Object.entries(proxies)) {
  describe(`through ${name}`, () => {
    let proxy: RunningProxy;
    before(async () => {
      proxy = await startProxy(server.url, server.adminUrl);
    });
    after(() => proxy[Symbol.asyncDispose]());

    test('every response is the same, in every coding, also the second time', async () => {
      for (const target of targets)
        for (const coding of [...codings, ...codings]) {
          const headers: Record<string, string> = coding === undefined ? {} : { 'accept-encoding': coding };
          for (const method of ['GET', 'HEAD'])
            assertSame(await both(proxy, target, { method, headers }), `${method} ${target} ${coding}`);
        }
    });

    test('a client with the current entity tag gets its 304', async () => {
      for (const target of targets) {
        const headers = { 'accept-encoding': 'gzip' };
        const { status, headers: first } = await ask(proxy.url + target, { headers });
        if (status !== 200) continue;
        const tag = first['etag'] ?? assert.fail(`${target} has no entity tag`);
        assert.match(tag, /^"/, `${target} has a weak entity tag`);
        const again = await both(proxy, target, { headers: { ...headers, 'if-none-match': tag } });
        assert.equal(again.through.status, 304, target);
        // nginx adds those of the cached response.
        for (const [header, value] of Object.entries(withoutOwn(again.direct)))
          assert.equal(again.through.headers[header], value, `${header} of the 304 of ${target}`);
        assert.equal(again.through.body.length, 0);
      }
    });

    test('other methods get the same response as from the server', async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
        assertSame(await both(proxy, '/api/v1/plugins/1337', { method }), method);
    });
  });
}

for (const [name, startProxy] of Object.entries({ nginx: startNginx, Caddy: startCaddy })) {
  test(`reports of plugins go through ${name} to the collector, and nothing else does`, async () => {
    using folder = temporaryDirectory();
    await using collector = await TestCollector.start(folder.at('collected.db'), 'bukkit');
    await using proxy = await startProxy(server.url, server.adminUrl, collector.url);
    const send = async (path: string, serverUUID: string) => {
      const body = gzipSync(JSON.stringify({ serverUUID, service: { id: testPluginId } }));
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return (await fetch(proxy.url + path, { method: 'POST', headers, body })).status;
    };
    assert.equal(await send('/api/v2/data/bukkit', 'a'), 202);
    assert.equal(await send('/submitData/bukkit', 'b'), 202);
    assert.equal(await send('/submitData', 'c'), 202);
    assert.equal(await send('/submitData', 'c'), 429);
    assert.equal(await send('/api/v2/data/nothing', 'd'), 404);
    assert.equal(await send('/api/v2/plugins', 'd'), 405);
    assert.deepEqual((await collector.closeSlot())['servers'], [[slotStart, 3]]);
  });
}

for (const [name, startProxy] of Object.entries({ nginx: startNginx, Caddy: startCaddy }))
  for (const strips of [true, false])
    test(`every link works below a path that ${name} ${strips ? 'takes off' : 'passes on'}`, async () => {
      const base = '/metrics';
      const publicUrl = `https://metrics.example.org${base}`;
      await using below = await startServing(['--store', store, '--public-url', publicUrl]);
      await using proxy = await startProxy(below.url, undefined, undefined, { base, strips });
      const askPage = async (path: string) => {
        const { status, headers, body } = await ask(proxy.url + path, { headers: { accept: 'text/html' } });
        return { status, headers: new Headers(headers), body: body.toString() };
      };
      const pages = pagesOfEachKind.map((path) => base + path);
      const { headers } = await ask(`${proxy.url}${base}`);
      assert.equal(headers['location']?.endsWith(`${base}/`), true);
      assert.ok((await followLinks({ base, publicUrl, ask: askPage }, pages)) > 200);
    });

const cached = ['/api/v1/plugins', '/', '/embed/1337.png'];

test('nginx answers what is fresh, and reports cache hits and misses', async () => {
  // Fresh however long the test takes.
  await using lasting = await startServer(3600);
  await using proxy = await startNginx(lasting.url);
  for (const path of cached) {
    const first = await ask(proxy.url + path);
    assert.equal(first.headers['x-cache-status'], 'MISS', path);
    const before = await answered('[0-9]+', lasting);
    for (let count = 0; count < 5; count++) {
      const again = await ask(proxy.url + path);
      assert.equal(again.headers['x-cache-status'], 'HIT', path);
      assert.deepEqual(again.body, first.body);
    }
    assert.equal(await answered('[0-9]+', lasting), before, path);
  }
});

test('nginx asks again if a response is stale, and answers for a server that is down', async () => {
  await using proxy = await startNginx(server.url);
  for (const path of cached) assert.equal((await ask(proxy.url + path)).status, 200, path);
  await sleep(maxAgeSeconds * 1000 + 1100);
  const before = await answered('304');
  for (const path of cached) await ask(proxy.url + path);
  const isRevalidated = async () => (await answered('304')) >= before + cached.length;
  await waitUntil(isRevalidated, () => 'it revalidates what is stale with the entity tag');
  server.signal('SIGTERM');
  await server.ended;
  await sleep(maxAgeSeconds * 1000 + 1100);
  for (const path of cached) assert.equal((await ask(proxy.url + path)).status, 200, path);
});

interface Pair {
  readonly direct: RawAnswer;
  readonly through: RawAnswer;
}

async function both(proxy: RunningProxy, target: string, options: Parameters<typeof ask>[1]): Promise<Pair> {
  return { direct: await ask(server.url + target, options), through: await ask(proxy.url + target, options) };
}

function assertSame({ direct, through }: Pair, what: string): void {
  assert.equal(through.status, direct.status, what);
  assert.deepEqual(withoutOwn(through), withoutOwn(direct), what);
  assert.ok(through.body.equals(direct.body), `the body of ${what}`);
}

function withoutOwn({ headers }: RawAnswer): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name)));
}

/** Counts the requests that the server itself has answered. */
async function answered(status: string, by = server): Promise<number> {
  const text = (await ask(`${by.adminUrl}/metrics`)).body.toString();
  const counts = text.matchAll(RegExp(`^plugin_metrics_requests_total\\{status="${status}"\\} (\\d+)`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
