/**
 * Requests generated from the OpenAPI document, valid and invalid, and for images and pages: never a 5xx, and
 * every response of the interface is as documented. Run by `npm run test:faults`.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, test } from 'node:test';
import { listApiEndpoints, openapiDocument } from '../../src/api/routes.ts';
import { createSite } from '../../src/site/site.ts';
import { makeSampleStore, serveStore } from '../http/support/test-server.ts';
import { type Request, send } from '../http/support/validated-client.ts';
import { fc } from '../support/seed.ts';
import { amount } from './support/form.ts';

const store = await makeSampleStore();
const api = await serveStore(store);
const site = createSite();
const endpoints = [...listApiEndpoints({ hasLiveFields: false }), ...site.endpoints];
const whole = await serveStore(store, { endpoints, showProblem: site.showProblem });
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
after(async () => {
  agent.destroy();
  await api[Symbol.asyncDispose]();
  await whole[Symbol.asyncDispose]();
});

/** Words that stand for themselves in a request line. */
const words = (text: string) => fc.constantFrom('', ...text.split(' '));

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.stringMatching(/^[!-~]{0,12}$/),
  fc.stringMatching(/^(%[0-9A-Fa-f]{2}){1,6}$/),
  words('.. . %2e%2e %00 %ff % %2 __proto__ constructor %2F // ;'),
);
const anyNumber = fc.oneof(
  fc.bigInt({ min: -3n, max: 10n ** 30n }).map(String),
  words('1337 4242 01337 1e3 1.5 +1 0x1 %20 %31 NaN 3 200 1600'),
  anyText,
);
const anyName = fc.oneof(
  words(
    'players servers versions serverSoftware location bukkit ExamplePlugin owner dark flat 1d all auto name -servers 1337:players 1337:players,1337:servers',
  ),
  anyText,
);

/** Fills each parameter of a template with a valid or invalid value. */
function filled(template: string): fc.Arbitrary<string> {
  const parts = template.split(/(\{\w+\})/).map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    return /^\{(id|pluginId)\}$/.test(part) ? fc.oneof(fc.constant('1337'), anyNumber) : anyName;
  });
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

const queryNames = words(
  'maxElements theme width height range title scale label color style charts q sort page sum from to step top',
);
const anyQuery = fc
  .array(fc.tuple(fc.oneof(queryNames, anyText), fc.oneof(anyNumber, anyName)), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));

const anyHeaders = fc.record(
  {
    'Accept-Encoding': fc.constantFrom('gzip', 'br', 'br;q=0.1, gzip', '*;q=0', 'identity;q=0', ';;q=,'),
    'If-None-Match': fc.constantFrom('*', '"a"', 'W/"a", "b"', '"', ','),
    Accept: fc.constantFrom('text/html', '*/*', 'application/json;q=0', ','),
    Range: fc.constantFrom('bytes=0-1', 'bytes=-', 'x'),
    Host: fc.constantFrom('a', 'a:1', '[::1]', '"><script>', 'x'.repeat(300)),
    'X-Forwarded-Host': fc.stringMatching(/^[!-~]{0,20}$/),
  },
  { requiredKeys: [] },
);

function requests(templates: readonly string[]): fc.Arbitrary<Request> {
  const path = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...templates).chain(filled) },
    { weight: 1, arbitrary: fc.array(anyText, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  );
  return fc
    .record({
      method: fc.constantFrom(
        ...[...Array.from({ length: 12 }, () => 'GET'), 'HEAD', 'OPTIONS', 'POST', 'DELETE'],
      ),
      path,
      slash: fc.constantFrom('', '', '/'),
      query: anyQuery,
      headers: anyHeaders,
    })
    .map(({ method, path: one, slash, query, headers }) => ({
      method,
      target: `${one}${slash}${query}`.replaceAll('#', '%23').slice(0, 9000),
      headers: Object.fromEntries(
        Object.entries(headers).filter(([, value]) => value !== undefined),
      ) as Record<string, string>,
    }));
}

const sitePaths = [
  ...[
    '/embed/{id}.svg',
    '/embed/{id}/{chartId}.png',
    '/signatures/{url}/{name}.svg',
    '/badge/{id}/{chartId}.json',
  ],
  ...[
    '/plugin/{id}',
    '/plugin/{url}/{name}/{id}/{chartId}.csv',
    '/compare',
    '/',
    '/software/{url}',
    '/owner/{id}',
  ],
  ...['/sitemap.xml', '/robots.txt', '/{name}/{id}'],
];

for (const [what, templates, ask, counts] of [
  [
    'generated from the OpenAPI document get the documented responses, and no 5xx',
    Object.keys(openapiDocument({ hasLiveFields: false }).paths ?? {}),
    async (request: Request) => (await send(api.url, request)).status,
    { quick: 3000, long: 150_000 },
  ],
  ['for images, badges and pages get no 5xx', sitePaths, statusOf, { quick: 1500, long: 100_000 }],
] as const)
  test(`${amount(counts)} requests ${what}`, async (t) => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(requests(templates), async (request) => {
        // The document has no template for an empty id; the router knows the path, so OPTIONS is answered.
        fc.pre(request.method !== 'OPTIONS' || !request.target.includes('//'));
        const status = await ask(request);
        assert.ok(status < 500, `${request.method} ${request.target}: ${status}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
      { numRuns: amount(counts) },
    );
    t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
    assert.deepEqual([...api.logLines, ...whole.logLines], []);
  });

async function statusOf({ method = 'GET', target, headers = {} }: Request): Promise<number> {
  const { hostname, port } = new URL(whole.url);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.request({ agent, hostname, port, method, path: target, headers }, resolve).on('error', reject).end();
  const answer = await promise;
  for await (const _ of answer);
  return answer.statusCode ?? 0;
}
