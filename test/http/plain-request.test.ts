// Plain requests: what is taken for one, and that the way of an answer cannot be told from the answer.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { parsePlainRequest } from '../../src/http/wire/plain-request.ts';
import { makeSampleStore, serveStore } from './support/test-server.ts';

const request = (lines: readonly string[], target = '/api/v1/software') =>
  `GET ${target} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

test('a plain request is read with what its answer depends on', () => {
  const text = request([
    'Host: x',
    'accept-encoding:  gzip ',
    'If-None-Match: "a", W/"b"',
    'Connection: Keep-Alive',
  ]);
  assert.deepEqual(parsePlainRequest(text), {
    target: '/api/v1/software',
    coding: 'gzip',
    ifNoneMatch: '"a", W/"b"',
  });
  assert.equal(parsePlainRequest(text), parsePlainRequest(text));
  assert.deepEqual(parsePlainRequest(request([], '/')), {
    target: '/',
    coding: 'identity',
    ifNoneMatch: undefined,
  });
});

const notPlain: Readonly<Record<string, string>> = {
  'another method': request([]).replace('GET', 'HEAD'),
  'another version': request([]).replace('1.1', '1.0'),
  'an absolute target': request([], 'http://x/api/v1/software'),
  'a target with a space': request([], '/a b'),
  'a target beyond ASCII': request([], '/ä'),
  'a connection that is to be closed': request(['Connection: close']),
  'a connection that is to be upgraded': request(['Connection: Upgrade', 'Upgrade: h2c']),
  'a body': request(['Content-Length: 0']),
  'a chunked body': request(['Transfer-Encoding: chunked']),
  'an expectation': request(['Expect: 100-continue']),
  'two headers of one name': request(['If-None-Match: "a"', 'if-none-match: "b"']),
  'a folded header': request(['A: b', ' c']),
  'a space before the colon': request(['Host : x']),
  'no name': request([': x']),
  'a control character': request(['A: \u0001']),
  'a bare line feed': request(['A: b\nC: d']),
  'line feeds alone': request(['A: b']).replaceAll('\r\n', '\n'),
  'no end': request(['A: b']).slice(0, -2),
  'more behind its end': request([]) + request([]),
  nothing: '',
};

for (const [what, text] of Object.entries(notPlain)) {
  test(`a request with ${what} is left to the parser`, () => {
    assert.equal(parsePlainRequest(text), undefined);
  });
}

test('more different requests than are kept in mind are still read right', () => {
  for (let count = 0; count < 2500; count++) {
    assert.equal(parsePlainRequest(request([], `/${count}`))?.target, `/${count}`);
  }
});

test('a connection is answered in order, whichever way each of its answers takes', async () => {
  await using server = await serveStore(await makeSampleStore());
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const data = '/api/v1/plugins/1337/charts/players/data';
  const steps: ReadonlyArray<readonly [text: string, status: number]> = [
    [request([], '/api/v1/software'), 200], // read from the store
    [request([], '/api/v1/software'), 200], // remembered
    [request(['Accept-Encoding: br'], data), 200], // read and coded
    [request(['If-None-Match: *'], data), 304],
    [request([], `${data}?maxElements=x`), 400], // handed over to the parser
    [request([], '/api/v1/software'), 200],
    [request([], `${data}?maxElements=2`) + request([], '/none'), 200], // two at once
  ];
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  for (const [index, [text]] of steps.entries()) {
    socket.write(text);
    while (statuses().length <= index) await new Promise((resolve) => socket.once('data', resolve));
  }
  while (statuses().length <= steps.length) await new Promise((resolve) => socket.once('data', resolve));
  assert.deepEqual(statuses(), [...steps.map(([, status]) => status), 404]);
  socket.destroy();
});

test('a client that closes its side after asking still gets its answer', async () => {
  await using server = await serveStore(await makeSampleStore());
  const { hostname, port } = new URL(server.url);
  for (const _ of ['read from the store', 'remembered']) {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.end(request([], '/api/v1/plugins/1/charts/servers/data?maxElements=9999'));
    let received = '';
    for await (const bytes of socket) received += bytes;
    assert.match(received, /^HTTP\/1\.1 200 /);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    assert.equal(body.length, Number(/content-length: (\d+)/.exec(head)?.[1]));
  }
});

test('a client that closes its side gets an error answer too, however long that takes to find out', async () => {
  await using server = await serveStore(await makeSampleStore());
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  // So many points are read in a later turn of the event loop, when the end of the requests is known already.
  socket.end(request([], '/api/v1/plugins/1337/charts/none/data?maxElements=99999'));
  let received = '';
  for await (const bytes of socket) received += bytes;
  assert.match(received, /^HTTP\/1\.1 404 [\s\S]*"title":"Unknown chart"/);
});
