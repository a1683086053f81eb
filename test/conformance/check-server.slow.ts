/** The checker against servers that each break one rule: a check that cannot fail is a defect. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CheckError, checkServer } from '../../conformance/check-server.ts';
import { type Faults, startReferenceServer, type WireAnswer, type WireRequest } from './reference-server.ts';

type Wire = NonNullable<Faults['wire']>;

const data = '/api/v1/plugins/1/charts/players/data';

/** Faults in the text of a 200 response: target, what is replaced, by what, and the case that must fail, as `subject: name`. */
const wrongTexts: readonly (readonly [url: string, from: RegExp | string, to: string, noticed: string])[] = [
  ['/api/v1/plugins', /("id":1),("name":"Ex[^,]*)/, '$2,$1', 'plugins: a plugin summary has exactly'],
  [
    '/api/v1/plugins/1',
    /\}$/,
    ',"software":null}',
    'plugins: a plugin answers the detail of the id asked for, without software',
  ],
  // As JSON.parse would order it.
  [
    '/api/v1/plugins/1/charts',
    /^\{(.*),("12":.*),("9":.*),("Zeta":.*)$/,
    '{$3,$2,$1,$4',
    'charts: a registry is ordered by position',
  ],
  ['/api/v1/plugins/1/charts', '"uid":2', '"uid":1', 'charts: chart ids, types, uids'],
  [
    `${data}?maxElements=5`,
    /.*/,
    '[[1,1],[2,2],[3,3],[4,4],[5,5]]',
    'data: maxElements=5 answers the latest 5 points',
  ],
  [data, /,(\d+)\]\]$/, ',$1.0]]', 'data: timestamps are milliseconds within their limits'],
  ['/api/v1/software', '[{', '[ {', 'headers: the software list is compact JSON'],
];

/** Wrong statuses: target, status, and the case that must fail. */
const wrongStatuses: readonly (readonly [url: string, status: number, noticed: string])[] = [
  [
    `${data}?maxElements=1e3`,
    200,
    'data: a malformed maxElements on a line chart answers 400: maxElements=1e3',
  ],
  ['/api/v1/software/', 301, 'paths: the software list answers the same with a trailing slash'],
];

/** Wrong headers: name, what is replaced (all of it without), by what (undefined leaves the header out), and the case that must fail. */
const wrongHeaders: readonly (readonly [
  name: string,
  from: RegExp | string,
  to: string | undefined,
  noticed: string,
])[] = [
  ['Allow', '', undefined, 'methods: PATCH on the plugin list answers 405'],
  ['Content-Type', 'problem+', '', 'errors: a malformed maxElements answers 400 with a problem document'],
  [
    'Cache-Control',
    'no-store',
    'public, max-age=60',
    'errors: a malformed plugin id answers 400 with Cache-Control',
  ],
  ['ETag', /^/, 'W/', 'headers: a chart has a strong ETag'],
  ['ETag', /(?:br|gzip|zstd)"$/, '"', 'conditional: the ETags of gzip and br differ'],
];

/** Other faults, by what the server does, and the case that must fail. */
const otherFaults: readonly (readonly [fault: Faults | Wire, noticed: string])[] = [
  [
    (answer, { method }) =>
      changed(answer, method === 'HEAD', { headers: { ...answer.headers, 'Content-Length': '0' } }),
    'methods: HEAD on the plugin list answers the headers of GET',
  ],
  [
    (answer, { method, headers }) =>
      changed(answer, method === 'POST' && headers['content-type'] !== undefined, { status: 415 }),
    'methods: POST with a body of an unknown type answers 405',
  ],
  [
    replacing(/("type":[^,]*),("title":"Wrong")/, '$2,$1'),
    'errors: an unknown path answers 404 with a problem document',
  ],
  [
    (answer) => changed(answer, answer.status === 414, { status: 431 }),
    'errors: a URL of 20,000 characters answers 414',
  ],
  [
    (answer) =>
      changed(answer, true, { headers: { ...answer.headers, 'Access-Control-Allow-Credentials': 'true' } }),
    'headers: a plugin may be read from every origin',
  ],
  [
    (answer, { headers }) =>
      changed(answer, headers['user-agent']?.includes('bot') === true, { status: 403 }),
    'headers: the request header User-Agent: Googlebot',
  ],
  [
    (answer, { headers }) =>
      changed(answer, headers['if-none-match'] !== undefined, { status: 304, body: Buffer.alloc(0) }),
    'conditional: If-None-Match of another tag answers 200',
  ],
  [
    (answer) => changed(answer, true, { headers: { ...answer.headers, ETag: `"${Math.random()}"` } }),
    'conditional: the plugin list has the same ETag twice',
  ],
  [
    (answer) => changed(answer, answer.headers['Content-Encoding'] === 'gzip', { body: gzipSync('[]') }),
    'codings: a large body under Accept-Encoding: gzip comes as gzip',
  ],
  [{ refuses: false }, 'raw: a request line that is garbage'],
  [
    (answer, { headers }) =>
      changed(answer, headers.connection === 'close' && headers.accept === undefined, {
        body: Buffer.from('[]'),
      }),
    'raw: two pipelined requests',
  ],
];

const wrongServers: readonly (readonly [fault: string, faults: Faults, noticed: string])[] = [
  ...wrongTexts.map(
    ([target, from, to, noticed]) =>
      [
        `writes ${to} instead of ${from} at ${target}`,
        { render: (text: string, { url }: WireRequest) => (url === target ? text.replace(from, to) : text) },
        noticed,
      ] as const,
  ),
  ...wrongStatuses.map(
    ([target, status, noticed]) =>
      [
        `answers ${target} with ${status}`,
        wire((answer, { url }) => changed(answer, url === target, { status })),
        noticed,
      ] as const,
  ),
  ...wrongHeaders.map(
    ([name, from, to, noticed]) =>
      [
        `has ${to ?? 'nothing'} instead of ${from} in ${name}`,
        wire((answer) => {
          const { [name]: value, ...headers } = answer.headers;
          const replaced = to === undefined ? {} : { [name]: (value ?? '').replace(from, to) };
          return changed(answer, value !== undefined, { headers: { ...headers, ...replaced } });
        }),
        noticed,
      ] as const,
  ),
  ...otherFaults.map(
    ([fault, noticed], index) =>
      [`has fault ${index}`, typeof fault === 'function' ? wire(fault) : fault, noticed] as const,
  ),
];

test('a server that keeps every rule passes every case, in both profiles', async () => {
  await using server = await startReferenceServer();
  const contract = await checkServer({ baseUrl: server.baseUrl });
  const demanded = await checkServer({ baseUrl: server.baseUrl, profile: 'interface' });
  assert.deepEqual([contract.broken, demanded.broken], [[], []]);
  assert.ok(contract.passed > 400 && demanded.passed > 25 && demanded.passed < contract.passed);
  assert.deepEqual(
    contract.notApplicable.map(({ needs }) => needs),
    ['a registry without constructor', 'a registry without constructor'],
  );
});

test('a base URL may have a path', async () => {
  await using server = await startReferenceServer({ prefix: '/stats' });
  const report = await checkServer({ baseUrl: `${server.baseUrl}/` });
  assert.deepEqual(report.broken, []);
});

for (const [fault, faults, noticed] of wrongServers) {
  test(`a server that ${fault} fails "${noticed}"`, async () => {
    await using server = await startReferenceServer(faults);
    const subjects = [noticed.split(':')[0] ?? ''];
    const report = await checkServer({ baseUrl: server.baseUrl, subjects, timeoutMs: 2000 });
    const names = report.broken.map(({ subject, name }) => `${subject}: ${name}`);
    assert.ok(
      names.some((name) => name.startsWith(noticed)),
      names.join('\n'),
    );
    assert.equal(report.failed, report.broken.length);
  });
}

test('a case without data on the server is neither passed nor failed', async () => {
  await using server = await startReferenceServer({ render: () => '[]' });
  const report = await checkServer({ baseUrl: server.baseUrl, subjects: ['charts'] });
  assert.ok(report.notApplicable.length > 20);
  assert.equal(report.passed, 0);
  assert.equal(report.failed, 0);
});

test('an impossible base URL or subject and an unreachable server give different errors', async () => {
  const isCode = (code: string) => (error: unknown) => error instanceof CheckError && error.code === code;
  await assert.rejects(checkServer({ baseUrl: 'ftp://example.org' }), isCode('usage'));
  await assert.rejects(checkServer({ baseUrl: 'nonsense' }), isCode('usage'));
  await assert.rejects(checkServer({ baseUrl: 'http://127.0.0.1:1', subjects: ['x'] }), isCode('usage'));
  await assert.rejects(checkServer({ baseUrl: 'http://127.0.0.1:1' }), isCode('unreachable'));
});

/** A fault in answers, whose length is right all the same. */
function wire(change: Wire): Faults {
  return {
    wire: (answer, request) => {
      const wrong = change(answer, request);
      if (request.method === 'HEAD' || !('Content-Length' in wrong.headers)) return wrong;
      return changed(wrong, true, {
        headers: { ...wrong.headers, 'Content-Length': `${wrong.body.length}` },
      });
    },
  };
}

function changed(answer: WireAnswer, isWrong: boolean, change: Partial<WireAnswer>): WireAnswer {
  return isWrong ? { ...answer, ...change } : answer;
}

function replacing(from: RegExp, to: string): Wire {
  return (answer) =>
    changed(answer, answer.status >= 400, { body: Buffer.from(answer.body.toString().replace(from, to)) });
}
