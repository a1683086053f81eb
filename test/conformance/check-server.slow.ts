/**
 * The checker against the server behind a proxy that breaks one rule each: a check that cannot fail is a
 * defect.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkServer } from '../../conformance/check-server.ts';
import { makeSampleStore, serveStore } from '../http/support/test-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Fault = (answer: Answer, request: http.IncomingMessage) => Partial<Answer>;

const program = fileURLToPath(new URL('../../conformance/run.ts', import.meta.url));
const server = await serveStore(await makeSampleStore());
after(() => server[Symbol.asyncDispose]());

/** A fault for each part of a response that is checked, and the case that must fail. */
const faults: readonly (readonly [noticed: string, fault: Fault])[] = [
  ['plugins: a plugin summary has exactly', replaced(/("id":\d+),("name":"[^"]*")/g, '$2,$1')],
  ['charts: chart ids, types, uids', replaced(/"uid":\d+/g, '"uid":1')],
  ['data: timestamps are milliseconds within their limits', replaced(/,(\d+)\]\]$/, ',$1.0]]')],
  ['headers: the software list is compact JSON', replaced('[{', '[ {')],
  [
    'errors: an unknown path answers 404 with a problem document',
    replaced(/("type":[^,]*),("title":[^,]*)/, '$2,$1'),
  ],
  [
    'paths: the software list answers the same with a trailing slash',
    (_, { url }) => (url?.endsWith('/') ? { status: 301 } : {}),
  ],
  ['methods: PATCH on the plugin list answers 405', without('allow')],
  ['errors: a malformed plugin id answers 400 with Cache-Control', without('cache-control')],
  [
    'conditional: the plugin list has the same ETag twice',
    ({ headers }) => ({ headers: { ...headers, etag: `"${Math.random()}"` } }),
  ],
  [
    'codings: a large body under Accept-Encoding: gzip comes as gzip',
    ({ headers }) => (headers['content-encoding'] === 'gzip' ? { body: Buffer.from('[]') } : {}),
  ],
  [
    'raw: two pipelined requests',
    (_, { headers }) => (headers.accept === undefined ? { body: Buffer.from('[]') } : {}),
  ],
];

for (const [noticed, fault] of faults) {
  test(`a fault fails "${noticed}"`, async () => {
    await using wrong = await startProxy(fault);
    const report = await checkServer({
      baseUrl: wrong.url,
      subjects: [noticed.split(':')[0] ?? ''],
      timeoutMs: 2000,
    });
    const names = report.broken.map(({ subject, name }) => `${subject}: ${name}`);
    assert.ok(
      names.some((name) => name.startsWith(noticed)),
      names.join('\n'),
    );
    assert.equal(report.failed, report.broken.length);
  });
}

test('a base URL may have a path, and a profile has some of the cases', async () => {
  await using proxy = await startProxy(() => ({}), '/stats');
  const report = await checkServer({ baseUrl: `${proxy.url}/`, profile: 'interface' });
  assert.deepEqual(report.broken, []);
  assert.ok(report.passed > 25 && report.passed < 400);
});

test('a case without data on the server is neither passed nor failed', async () => {
  await using proxy = await startProxy(() => ({ body: Buffer.from('[]') }));
  const report = await checkServer({ baseUrl: proxy.url, subjects: ['charts'] });
  assert.ok(report.notApplicable.length > 20);
  assert.deepEqual([report.passed, report.failed], [0, 0]);
});

test('a server that keeps every rule ends with exit code 0 and only the count on the last line', async () => {
  const { code, stdout, stderr } = await run('--profile', 'interface', server.url);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^[0-9]+ passed, 0 failed\n$/);
});

test('a broken rule ends with exit code 1, the response and a command that repeats the request', async () => {
  await using proxy = await startProxy(replaced(/"isGlobal":false/g, '"isGlobal":0'));
  const { code, stdout } = await run('--subject', 'plugins', '--profile', 'interface', proxy.url);
  assert.equal(code, 1);
  const [broken = '', count] = stdout.split('\n');
  assert.match(
    broken,
    /^FAILED {2}plugins: the plugin list is an array of plugin summaries \[interface 2\.1, 4 endpoint 1\]: expected boolean at body\[\d+\]\.isGlobal, got 0/,
  );
  assert.ok(broken.endsWith(` | curl -sig --path-as-is '${proxy.url}/api/v1/plugins'`));
  assert.equal(count, '3 passed, 1 failed');
});

test('wrong usage, a base URL that is none and an unreachable server end with exit code 2', async () => {
  const unreachable = 'http://127.0.0.1:1';
  for (const [said, ...argv] of [
    [/^error: .+\n\nusage: /],
    [/^error: .+\n\nusage: /, unreachable, unreachable],
    [/^error: .+\n\nusage: /, 'ftp://example.org'],
    [/^error: .+\n\nusage: /, '--profile', 'x', unreachable],
    [/^error: .+\n\nusage: /, '--timeout-ms', '0', unreachable],
    [/^error: there is no subject "x"; there are .+\n\nusage: /, '--subject', 'x', unreachable],
    [/^error: .+\n\nusage: /, '--unknown', unreachable],
    [/^error: no answer from http:\/\/127\.0\.0\.1:1\/: .*ECONNREFUSED.*\n$/, unreachable],
  ] as const) {
    const { code, stdout, stderr } = await run(...argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, said);
  }
});

/** Runs the checker as a program. */
function run(...argv: readonly string[]) {
  const { promise, resolve } = Promise.withResolvers<{
    readonly code: unknown;
    readonly stdout: string;
    readonly stderr: string;
  }>();
  execFile(process.execPath, [program, ...argv], (error, stdout, stderr) => {
    resolve({ code: error?.code ?? 0, stdout, stderr });
  });
  return promise;
}

function replaced(from: RegExp | string, to: string): Fault {
  return ({ headers, body }) =>
    headers['content-encoding'] === undefined ? { body: Buffer.from(body.toString().replace(from, to)) } : {};
}

function without(name: string): Fault {
  return ({ headers: { [name]: _, ...headers } }) => ({ headers });
}

/** Passes requests below a path on to the server, and its responses back with a fault. */
async function startProxy(fault: Fault, prefix = '') {
  const proxy = http.createServer(async (request, response) => {
    const { method, headers, url = '' } = request;
    const sent = http.request(server.url, { method, headers, path: url.slice(prefix.length), agent: false });
    const [received] = await once(request.pipe(sent), 'response');
    const body = Buffer.concat(await Array.fromAsync<Buffer>(received));
    const answer: Answer = { status: received.statusCode, headers: received.headers, body };
    const wrong = { ...answer, ...fault(answer, request) };
    const length =
      method === 'HEAD' || !('content-length' in wrong.headers)
        ? {}
        : { 'content-length': `${wrong.body.length}` };
    response.writeHead(wrong.status, { ...wrong.headers, ...length }).end(wrong.body);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await once(proxy.close(), 'close');
    },
  };
}
