// The application without a socket: cached answers, and what endpoints beside the interface may do.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { errorResponse, type ProblemDetails } from '../../src/http/problem.ts';
import { AppError } from '../../src/model/app-error.ts';
import { assertProblem } from './support/assertions.ts';
import { openApp, requestFor } from './support/test-app.ts';
import { makeSampleStore } from './support/test-server.ts';

const store = await makeSampleStore();
const players = '/api/v1/plugins/1337/charts/players/data';

test('the site is loaded by the first request that needs it, and the interface answers without it', async () => {
  let loads = 0;
  const path = '/page';
  const endpoint: Endpoint = {
    path,
    ask: () => ({
      ...{ key: path, mediaType: 'text/plain', source: 'data', size: 'small' },
      parts: () => [path],
    }),
  };
  const loadSite = async () => {
    loads++;
    return {
      endpoints: [endpoint],
      showProblem: async (problem: ProblemDetails) =>
        errorResponse(problem, { mediaType: 'text/plain', body: 'shown' }),
    };
  };
  const { app, ask } = openApp(store, { loadSite });
  assert.equal((await ask(players)).status, 200);
  assert.equal(loads, 0);
  const textOf = async (target: string) => {
    const { body } = await app.answer(requestFor(target));
    return String(Buffer.from(body));
  };
  assert.deepEqual(await Promise.all([path, path, '/nothing'].map(textOf)), [path, path, 'shown']);
  assert.equal(loads, 1);
});

test('a site that cannot be loaded is 503, the interface goes on, and the next request tries again', async () => {
  const attempts = [Promise.reject(new Error('no template')), Promise.reject(new Error('no script'))];
  for (const attempt of attempts) attempt.catch(() => {});
  const loaded = { endpoints: [], showProblem: () => undefined };
  const { app, ask, logLines } = openApp(store, { loadSite: async () => attempts.shift() ?? loaded });
  await assert.rejects(app.load(), { code: 'unavailable' });
  assert.equal((await ask('/')).status, 503);
  assert.match(logLines.join(''), /no script/);
  assert.equal((await ask(players)).status, 200);
  assert.equal((await ask('/')).status, 404);
});

describe('an endpoint beside the interface', () => {
  const text = 'text/plain; charset=utf-8';

  const failing = (path: string, error: AppError): Endpoint => ({
    path,
    ask() {
      throw error;
    },
  });
  const wrong = new AppError('malformed-query', 'the query is wrong');
  const endpoints: readonly Endpoint[] = [
    {
      path: '/origin',
      ask: ({ links: { server } }) => ({
        ...{ key: `/origin ${server}`, mediaType: text, source: 'data', size: 'small', server },
        parts: () => [server],
      }),
    },
    failing('/shown', wrong),
    failing('/unshown', wrong),
  ];
  const { ask, logLines } = openApp(store, {
    endpoints,
    showProblem: (problem, { target, headers: { accept } }) => {
      if (target === '/unshown') return Promise.reject(new Error('no form'));
      if (accept === undefined) return undefined;
      return Promise.resolve(
        errorResponse(problem, { mediaType: text, body: accept, headers: ['Vary', 'Accept'] }),
      );
    },
  });

  test('gets the origin of each request, or of its absolute target, or the public URL', async () => {
    for (const [target, host, origin] of [
      ['/origin', 'a.example:81', 'http://a.example:81'],
      ['/origin', 'b.example', 'http://b.example'],
      ['/origin', '[::1]:8080', 'http://[::1]:8080'],
      ['/origin', 'a.example:81', 'http://a.example:81'],
      ['http://proxied.example:81/origin', 'other.example', 'http://proxied.example:81'],
      ['https://proxied.example/origin', 'other.example', 'https://proxied.example'],
      ['http://a$b/origin', 'other.example', ''],
      ...['a b', 'x"><script>', 'user@host', 'a/b', 'a:port'].map((host) => ['/origin', host, ''] as const),
    ] as const)
      assert.equal((await ask(target, { host })).bytes.toString(), origin, `${target} ${host}`);
    const publicUrl = 'https://metrics.example.org';
    const named = openApp(store, { endpoints, publicUrl });
    assert.equal((await named.ask('/origin', { host: 'other.example' })).bytes.toString(), publicUrl);
  });

  test('sends errors in a form that the client can show, but for a method that is not offered', async () => {
    for (const [path, status] of [
      ['/shown', 400],
      ['/nothing', 404],
      ['/%ff', 400],
    ] as const) {
      const { headers, bytes, ...received } = await ask(path, { accept: 'text/plain' });
      assert.deepEqual([received.status, bytes.toString()], [status, 'text/plain']);
      assert.equal(headers.get('vary'), 'Accept');
      assert.equal(headers.get('cache-control'), status === 404 ? 'public, max-age=10' : 'no-store');
    }
    assertProblem(await ask('/shown'), { status: 400, kind: 'malformed-query' });
    assertProblem(await ask('/shown', { accept: 'text/plain' }, 'POST'), {
      status: 405,
      kind: 'method-not-offered',
    });
  });

  test('sends the problem document if rendering an error fails, and logs it', async () => {
    const answer = await ask('/unshown', { accept: 'text/plain' });
    assertProblem(answer, { status: 400, kind: 'malformed-query', detail: /^the query is wrong$/ });
    assert.match(logLines.join(''), /"no form"/);
  });
});
