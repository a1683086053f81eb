/** The checker against servers that each break one rule: a check that cannot fail is a defect. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CheckError, checkServer } from '../../conformance/check-server.ts';
import { type Faults, startReferenceServer, type WireAnswer } from './reference-server.ts';

interface WrongServer {
  readonly fault: string;
  readonly faults: Faults;
  /** The case that must fail, as `subject: name`. */
  readonly noticed: RegExp;
}

const WRONG_SERVERS: readonly WrongServer[] = [
  {
    fault: 'swaps two fields of a plugin summary',
    faults: render('/api/v1/plugins', (text) => text.replace(/("id":1),("name":"Ex[^,]*)/, '$2,$1')),
    noticed: /^plugins: a plugin summary has exactly/,
  },
  {
    fault: 'adds a field to a plugin summary',
    faults: render('/api/v1/plugins', (text) => text.replace('{"id":2,', '{"id":2,"more":1,')),
    noticed: /^plugins: a plugin summary has exactly/,
  },
  {
    fault: 'leaves out a field of a plugin summary',
    faults: render('/api/v1/plugins', (text) => text.replace(/,"isGlobal":false\}\]$/, '}]')),
    noticed: /^plugins: the plugin list is an array of plugin summaries/,
  },
  {
    fault: 'gives software to a plugin detail',
    faults: render('/api/v1/plugins/1', (text) => text.replace(/\}$/, ',"software":null}')),
    noticed: /^plugins: a plugin answers the detail of the id asked for, without software/,
  },
  {
    fault: 'answers another plugin than was asked for',
    faults: render('/api/v1/plugins/1/', (text) => text.replace('"id":1,', '"id":2,')),
    noticed: /^plugins: a plugin answers the detail of the id asked for\/,/,
  },
  {
    fault: 'orders the plugin list otherwise',
    faults: render('/api/v1/plugins', (text) => text.replace('{"id":2,', '{"id":11,')),
    noticed: /^plugins: the plugin list is ordered/,
  },
  {
    fault: 'takes a negative plugin id for an unknown one',
    faults: status('/api/v1/plugins/-1', 404),
    noticed: /^plugins: the malformed plugin id -1/,
  },
  {
    fault: 'answers null for an unknown plugin',
    faults: wire((answer) => (answer.status === 404 ? { ...answer, body: Buffer.from('null') } : answer)),
    noticed: /^plugins: an unknown plugin answers 404/,
  },
  {
    fault: 'passes a registry through JSON.parse',
    faults: render('/api/v1/plugins/1/charts', (text) => JSON.stringify(JSON.parse(text))),
    noticed: /^charts: a registry is ordered by position/,
  },
  {
    fault: 'answers another chart than the registry holds',
    faults: render('/api/v1/plugins/1/charts/12', (text) => text.replace('"title":"T"', '"title":"U"')),
    noticed: /^charts: a chart whose id looks like an integer equals its entry/,
  },
  {
    fault: 'answers 500 for __proto__',
    faults: status('/api/v1/plugins/1/charts/__proto__', 500),
    noticed: /^charts: the chart id __proto__ that is no key/,
  },
  {
    fault: 'does not decode chart ids',
    faults: status('/api/v1/plugins/1/charts/%70%6C%61%79%65%72%73', 404),
    noticed: /^charts: a percent-encoded chart id names the same chart at the chart/,
  },
  {
    fault: 'answers two charts of one uid',
    faults: render('/api/v1/plugins/1/charts', (text) => text.replace('"uid":2', '"uid":1')),
    noticed: /^charts: chart ids, types, uids/,
  },
  {
    fault: 'answers the first points instead of the last',
    faults: render(
      '/api/v1/plugins/1/charts/players/data?maxElements=5',
      () => '[[1,1],[2,2],[3,3],[4,4],[5,5]]',
    ),
    noticed: /^data: maxElements=5 answers the latest 5 points/,
  },
  {
    fault: 'answers points in descending order',
    faults: render('/api/v1/plugins/1/charts/players/data', (text) =>
      JSON.stringify(JSON.parse(text).reverse()),
    ),
    noticed: /^data: the data of a line chart is an array of \[timestamp, value\], ascending/,
  },
  {
    fault: 'ignores maxElements',
    faults: render('/api/v1/plugins/1/charts/players/data?maxElements=1', () => '[[1,1],[2,2]]'),
    noticed: /^data: maxElements=1 limits a line chart to 1 entries/,
  },
  {
    fault: 'answers one entry too many by default',
    faults: render('/api/v1/plugins/1/charts/players/data', (text) => text.replace('[[', '[[1,1],[')),
    noticed: /^data: a line chart answers at most 1440 entries by default: without/,
  },
  {
    fault: 'writes integers with a fraction',
    faults: render('/api/v1/plugins/1/charts/players/data', (text) => text.replace(/,(\d+)\]\]$/, ',$1.0]]')),
    noticed: /^data: timestamps are milliseconds within their limits/,
  },
  {
    fault: 'takes 1e3 for a number',
    faults: status('/api/v1/plugins/1/charts/players/data?maxElements=1e3', 200),
    noticed: /^data: a malformed maxElements on a line chart answers 400: maxElements=1e3/,
  },
  {
    fault: 'judges maxElements of a pie',
    faults: status('/api/v1/plugins/1/charts/12/data?maxElements=abc', 400),
    noticed: /^data: a chart of another type ignores maxElements: maxElements=abc/,
  },
  {
    fault: 'answers a pie in the form of a map',
    faults: render('/api/v1/plugins/1/charts/12/data', () => '[{"code":"DE","value":1}]'),
    noticed: /^data: the data of a chart of type simple_pie has the form/,
  },
  {
    fault: 'leaves out globalPlugin of a software that has none',
    faults: render('/api/v1/software', (text) => text.replace(',"globalPlugin":null', '')),
    noticed: /^software: the software list is an array/,
  },
  {
    fault: 'orders the software list otherwise',
    faults: render('/api/v1/software', (text) => text.replace('"id":4', '"id":0')),
    noticed: /^software: the software list is ordered/,
  },
  {
    fault: 'redirects a trailing slash',
    faults: wire((answer, { url }) =>
      url === '/api/v1/software/'
        ? { ...answer, status: 301, headers: { Location: '/api/v1/software' } }
        : answer,
    ),
    noticed: /^paths: the software list answers the same with a trailing slash/,
  },
  {
    fault: 'refuses unknown query parameters',
    faults: wire((answer, { url }) => (url.includes('foo=bar') ? { ...answer, status: 400 } : answer)),
    noticed: /^paths: a chart ignores unknown query parameters/,
  },
  {
    fault: 'finds no error in an undecodable path',
    faults: status('/api/v1/plugins/1/charts/%ff', 404),
    noticed: /^paths: the undecodable path \/api\/v1\/plugins\/1\/charts\/%ff/,
  },
  {
    fault: 'answers HEAD with another length',
    faults: wire((answer, { method }) =>
      method === 'HEAD' ? { ...answer, headers: { ...answer.headers, 'Content-Length': '0' } } : answer,
    ),
    noticed: /^methods: HEAD on the plugin list answers the headers of GET/,
  },
  {
    fault: 'leaves out Allow',
    faults: wire((answer) => ({ ...answer, headers: drop(answer.headers, 'Allow') })),
    noticed: /^methods: PATCH on the plugin list answers 405/,
  },
  {
    fault: 'answers OPTIONS with 200',
    faults: wire((answer) => (answer.status === 204 ? { ...answer, status: 200 } : answer)),
    noticed: /^methods: OPTIONS on the plugin list answers 204/,
  },
  {
    fault: 'allows no request header in a preflight',
    faults: wire((answer) => ({ ...answer, headers: drop(answer.headers, 'Access-Control-Allow-Headers') })),
    noticed: /^methods: a CORS preflight/,
  },
  {
    fault: 'judges the body of a POST',
    faults: wire((answer, request) =>
      request.method === 'POST' && request.headers['content-type'] ? { ...answer, status: 415 } : answer,
    ),
    noticed: /^methods: POST with a body of an unknown type answers 405/,
  },
  {
    fault: 'orders the members of a problem otherwise',
    faults: wire((answer) => ({
      ...answer,
      body: Buffer.from(answer.body.toString().replace(/("type":[^,]*),("title":"Wrong")/, '$2,$1')),
    })),
    noticed: /^errors: an unknown path answers 404 with a problem document/,
  },
  {
    fault: 'answers errors as application/json',
    faults: header('Content-Type', (value) => value.replace('problem+', '')),
    noticed: /^errors: a malformed maxElements answers 400 with a problem document/,
  },
  {
    fault: 'lets errors be cached for long',
    faults: header('Cache-Control', (value) => (value === 'no-store' ? 'public, max-age=60' : value)),
    noticed: /^errors: a malformed plugin id answers 400 with Cache-Control/,
  },
  {
    fault: 'has one type for all problems',
    faults: wire((answer) =>
      answer.status < 400
        ? answer
        : { ...answer, body: Buffer.from(answer.body.toString().replace(/problems.4\d\d/, 'problem/400')) },
    ),
    noticed: /^errors: a malformed plugin id has another problem type/,
  },
  {
    fault: 'answers 431 to an over-long URL',
    faults: wire((answer) => (answer.status === 414 ? { ...answer, status: 431 } : answer)),
    noticed: /^errors: a URL of 20,000 characters answers 414/,
  },
  {
    fault: 'leaves cross-origin headers off errors',
    faults: wire((answer) =>
      answer.status < 400
        ? answer
        : { ...answer, headers: drop(answer.headers, 'Access-Control-Allow-Origin') },
    ),
    noticed: /^headers: the problem document of an unknown path/,
  },
  {
    fault: 'allows credentials',
    faults: wire((answer) => ({
      ...answer,
      headers: { ...answer.headers, 'Access-Control-Allow-Credentials': 'true' },
    })),
    noticed: /^headers: a plugin may be read from every origin/,
  },
  {
    fault: 'writes white space between tokens',
    faults: { render: (text) => text.replace('[{', '[ {') },
    noticed: /^headers: the software list is compact JSON/,
  },
  {
    fault: 'names no charset',
    faults: header('Content-Type', (value) => value.replace('; charset=utf-8', '')),
    noticed: /^headers: the plugin list is compact JSON/,
  },
  {
    fault: 'turns away a client by its User-Agent',
    faults: wire((answer, { headers }) =>
      headers['user-agent']?.includes('bot') ? { ...answer, status: 403 } : answer,
    ),
    noticed: /^headers: the request header User-Agent: Googlebot/,
  },
  {
    fault: 'has weak ETags',
    faults: header('ETag', (value) => `W/${value}`),
    noticed: /^headers: a chart has a strong ETag/,
  },
  {
    fault: 'names Vary only where it encodes',
    faults: wire((answer) =>
      answer.headers['Content-Encoding'] ? answer : { ...answer, headers: drop(answer.headers, 'Vary') },
    ),
    noticed: /^headers: a chart has a strong ETag, Cache-Control and Vary/,
  },
  {
    fault: 'has one ETag for all codings',
    faults: header('ETag', (value) => value.replace(/(?:br|gzip|zstd)"$/, '"')),
    noticed: /^conditional: the ETags of gzip and br differ/,
  },
  {
    fault: 'never answers 304',
    faults: wire((answer) => (answer.status === 304 ? { ...answer, status: 200 } : answer)),
    noticed: /^conditional: If-None-Match of \* answers 304/,
  },
  {
    fault: 'leaves Cache-Control off a 304',
    faults: wire((answer) =>
      answer.status === 304 ? { ...answer, headers: drop(answer.headers, 'Cache-Control') } : answer,
    ),
    noticed: /^conditional: the plugin list answers 304 to its own ETag/,
  },
  {
    fault: 'answers 304 to any condition',
    faults: wire((answer, { headers }) =>
      headers['if-none-match'] === undefined ? answer : { ...answer, status: 304, body: Buffer.alloc(0) },
    ),
    noticed: /^conditional: If-None-Match of another tag answers 200/,
  },
  {
    fault: 'has a new ETag for every answer',
    faults: header('ETag', () => `"${Math.random()}"`),
    noticed: /^conditional: the plugin list has the same ETag twice/,
  },
  {
    fault: 'encodes although gzip;q=0',
    faults: wire((answer, { headers }) =>
      headers['accept-encoding'] === 'gzip;q=0' ? encode(answer) : answer,
    ),
    noticed: /^codings: a large body under Accept-Encoding: gzip;q=0 /,
  },
  {
    fault: 'names a coding that the body does not have',
    faults: wire((answer, { headers }) =>
      headers['accept-encoding'] === 'gzip' ? { ...answer, body: Buffer.from('[]') } : answer,
    ),
    noticed: /^codings: a large body under Accept-Encoding: gzip comes as gzip/,
  },
  {
    fault: 'encodes other bytes',
    faults: wire((answer) =>
      answer.headers['Content-Encoding'] === 'gzip' ? { ...answer, body: gzipSync('[]') } : answer,
    ),
    noticed: /^codings: a large body under Accept-Encoding: gzip comes as gzip/,
  },
  {
    fault: 'encodes small bodies',
    faults: wire((answer, { headers }) =>
      answer.status === 200 && headers['accept-encoding'] === 'gzip' ? encode(answer) : answer,
    ),
    noticed: /^codings: a body under 1 KiB goes out as it is under Accept-Encoding: gzip/,
  },
  {
    fault: 'leaves cross-origin headers off what the parser refuses',
    faults: wire((answer, { method }) => (method === '' ? { ...answer, headers: {} } : answer)),
    noticed: /^raw: a NUL byte in the path answers 400/,
  },
  {
    fault: 'closes the connection on garbage without a word',
    faults: { refuses: false },
    noticed: /^raw: a request line that is garbage/,
  },
  {
    fault: 'answers pipelined requests with the same body',
    faults: wire((answer, { headers }) =>
      headers.connection === 'close' && headers.host && headers.accept === undefined
        ? { ...answer, headers: drop(answer.headers, 'Content-Length'), body: Buffer.from('[]') }
        : answer,
    ),
    noticed: /^raw: two pipelined requests/,
  },
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

for (const { fault, faults, noticed } of WRONG_SERVERS) {
  test(`a server that ${fault} fails a case`, async () => {
    await using server = await startReferenceServer(faults);
    const subject = noticed.source.slice(1).split(':')[0] ?? '';
    const report = await checkServer({ baseUrl: server.baseUrl, subjects: [subject], timeoutMs: 2000 });
    const names = report.broken.map((broken) => `${broken.subject}: ${broken.name}`);
    assert.ok(
      names.some((name) => noticed.test(name)),
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

function render(url: string, change: (text: string) => string): Faults {
  return { render: (text, request) => (request.url === url ? change(text) : text) };
}

function wire(change: NonNullable<Faults['wire']>): Faults {
  return {
    wire: (answer, request) => {
      const { headers, ...changed } = change(answer, request);
      const length =
        request.method === 'HEAD' || !('Content-Length' in headers)
          ? {}
          : { 'Content-Length': `${changed.body.length}` };
      return { ...changed, headers: { ...headers, ...length } };
    },
  };
}

function status(url: string, code: number): Faults {
  return wire((answer, request) => (request.url === url ? { ...answer, status: code } : answer));
}

function header(name: string, change: (value: string) => string): Faults {
  return wire((answer) => {
    const value = answer.headers[name];
    return value === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, [name]: change(value) } };
  });
}

function drop(headers: WireAnswer['headers'], name: string): WireAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}

function encode(answer: WireAnswer): WireAnswer {
  return {
    ...answer,
    headers: { ...answer.headers, 'Content-Encoding': 'gzip' },
    body: gzipSync(answer.body),
  };
}
