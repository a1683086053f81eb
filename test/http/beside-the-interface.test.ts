// Features of the endpoints beside the interface: redirects, headers, the origin of the request, forms of errors.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Endpoint, Redirect } from '../../src/http/endpoint.ts';
import { errorResponse } from '../../src/http/problem.ts';
import { AppError } from '../../src/model/app-error.ts';
import { makeSampleStore, serveStore, type TestServer } from './support/test-server.ts';
import { headerMap } from './support/validated-client.ts';

const text = 'text/plain; charset=utf-8';

const endpoints: readonly Endpoint[] = [
  {
    path: '/moved',
    ask: () => ({
      key: '/moved',
      mediaType: text,
      source: 'data',
      size: 'small',
      async *parts() {
        yield new Redirect('/here?a=%C3%A9');
      },
    }),
  },
  {
    path: '/moved-large',
    ask: () => ({
      key: '/moved-large',
      mediaType: text,
      source: 'data',
      size: 'large',
      async *parts() {
        yield new Redirect('/here?a=%C3%A9');
      },
    }),
  },
  {
    path: '/framed',
    ask: () => ({
      key: '/framed',
      mediaType: text,
      source: 'data',
      headers: ['Content-Security-Policy', "default-src 'none'"],
      size: 'small',
      async *parts() {
        yield 'framed';
      },
    }),
  },
  {
    path: '/origin',
    ask: ({ origin }) => ({
      key: `/origin ${origin}`,
      mediaType: text,
      source: 'data',
      origin,
      size: 'small',
      async *parts() {
        yield origin;
      },
    }),
  },
  {
    path: '/png',
    ask: () => ({
      key: '/png',
      mediaType: 'image/png',
      source: 'data',
      size: 'small',
      async *parts() {
        yield Buffer.alloc(5000, 7);
      },
    }),
  },
  {
    path: '/busy',
    ask: () => {
      throw new AppError('unavailable', 'ask again', { kind: 'overloaded' });
    },
  },
  {
    path: '/shown',
    ask: () => {
      throw new AppError('invalid', 'the query is wrong', { kind: 'malformed-query' });
    },
  },
  {
    path: '/unshown',
    ask: () => {
      throw new AppError('invalid', 'the query is wrong', { kind: 'malformed-query' });
    },
  },
];

interface Received {
  readonly status: number | undefined;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

describe('an endpoint beside the interface', () => {
  let server: TestServer;
  let named: TestServer;

  before(async () => {
    const store = await makeSampleStore();
    server = await serveStore(store, {
      endpoints,
      showProblem: (problem, { target, headers: { accept } }) => {
        if (target === '/unshown') return Promise.reject(new Error('no form'));
        if (accept === undefined) return undefined;
        return Promise.resolve(
          errorResponse(problem, { mediaType: text, body: accept, headers: ['Vary', 'Accept'] }),
        );
      },
    });
    named = await serveStore(store, { endpoints, publicUrl: 'https://metrics.example.org' });
  });

  after(async () => {
    await server[Symbol.asyncDispose]();
    await named[Symbol.asyncDispose]();
  });

  async function ask(
    path: string,
    { method = 'GET', headers = {}, from = server }: AskOptions = {},
  ): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const { hostname, port } = new URL(from.url);
    const options = { hostname, port, path, method, headers, agent: false };
    http.request(options, resolve).on('error', reject).end();
    const response = await promise;
    const parts = await response.toArray();
    const body = Buffer.concat(parts).toString('utf8');
    return { status: response.statusCode, headers: headerMap(response.rawHeaders), body };
  }

  interface AskOptions {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly from?: TestServer;
  }

  test('may answer 308 with a location that is cacheable', async () => {
    for (const path of ['/moved', '/moved-large'])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await ask(path, { method });
        assert.deepEqual([status, headers.get('location'), body], [308, '/here?a=%C3%A9', '']);
        assert.match(headers.get('cache-control') ?? '', /^public, max-age=60,/);
        assert.equal(headers.get('access-control-allow-origin'), '*');
      }
  });

  test('sends its own headers with every 200, cached or not', async () => {
    for (let round = 0; round < 2; round++) {
      const { headers, body } = await ask('/framed');
      assert.deepEqual([headers.get('content-security-policy'), body], ["default-src 'none'", 'framed']);
    }
  });

  test('gets the origin of each request', async () => {
    for (const host of ['a.example:81', 'b.example', '[::1]:8080', 'a.example:81'])
      assert.equal((await ask('/origin', { headers: { Host: host } })).body, `http://${host}`);
  });

  test('gets the origin of an absolute target, whatever the header says', async () => {
    for (const origin of ['http://proxied.example:81', 'https://proxied.example']) {
      const { body } = await ask(`${origin}/origin`, { headers: { Host: 'other.example' } });
      assert.equal(body, origin);
    }
    assert.equal((await ask('http://a$b/origin', { headers: { Host: 'other.example' } })).body, '');
  });

  test('gets no origin from a host that is invalid in a URL', async () => {
    for (const host of ['a b', 'x"><script>', 'user@host', 'a/b', 'a:port'])
      assert.equal((await ask('/origin', { headers: { Host: host } })).body, '');
  });

  test('gets the public URL instead of the host, if that is set', async () => {
    const { body } = await ask('/origin', { headers: { Host: 'other.example' }, from: named });
    assert.equal(body, 'https://metrics.example.org');
  });

  test('does not compress a PNG again', async () => {
    const { headers, body } = await ask('/png', { headers: { 'Accept-Encoding': 'gzip, br' } });
    assert.deepEqual([headers.get('content-encoding'), body.length], [undefined, 5000]);
  });

  test('keeps its own text in an error with Retry-After', async () => {
    const { status, headers, body } = await ask('/busy');
    assert.deepEqual([status, headers.get('retry-after'), JSON.parse(body).detail], [503, '5', 'ask again']);
  });

  test('sends errors in a form that the client can show', async () => {
    for (const [path, status] of [
      ['/shown', 400],
      ['/nothing', 404],
      ['/%ff', 400],
    ] as const) {
      const { headers, ...received } = await ask(path, { headers: { Accept: 'text/plain' } });
      assert.deepEqual(received, { status, body: 'text/plain' });
      assert.equal(headers.get('vary'), 'Accept');
      assert.equal(headers.get('cache-control'), status === 404 ? 'public, max-age=10' : 'no-store');
    }
    assert.match((await ask('/shown')).headers.get('content-type') ?? '', /^application\/problem\+json/);
  });

  test('answers an unsupported method with a problem document, whatever the client accepts', async () => {
    const { status, headers } = await ask('/shown', { method: 'POST', headers: { Accept: 'text/plain' } });
    assert.equal(status, 405);
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
  });

  test('sends the problem document if rendering an error fails, and logs it', async () => {
    const { status, body } = await ask('/unshown', { headers: { Accept: 'text/plain' } });
    assert.deepEqual([status, JSON.parse(body).detail], [400, 'the query is wrong']);
    assert.match(server.logLines.join(''), /"no form"/);
  });
});
