// Request headers are parsed as Node parses them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { findHeaders, type RequestHeaders } from '../../src/http/wire/request-headers.ts';
import { fc } from '../support/seed.ts';

const names: Readonly<Record<string, keyof RequestHeaders>> = {
  accept: 'accept',
  'accept-encoding': 'acceptEncoding',
  'x-forwarded-for': 'forwardedFor',
  host: 'host',
  'if-none-match': 'ifNoneMatch',
  upgrade: 'upgrade',
};
const others = [
  'user-agent',
  'cookie',
  'acce',
  'hosts',
  'accept-language',
  'x-forwarded-fox',
  'if-none-mutch',
];

const differences: string[] = [];
let requestCount = 0;
const server = createServer((request, response) => {
  requestCount++;
  const found = findHeaders(request.rawHeaders);
  for (const [name, field] of Object.entries(names)) {
    const expected = request.headers[name]?.toString();
    if (found[field] !== expected) differences.push(`${name}: ${found[field]} instead of ${expected}`);
  }
  response.end();
});

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

const anyCase = (name: string) =>
  fc.constantFrom(
    name,
    name.toUpperCase(),
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  );
const anyName = fc.constantFrom(...Object.keys(names), ...others).chain(anyCase);
const anyValue = fc.constantFrom('', 'a', '"x", W/"y"', 'gzip;q=0.5, br', '198.51.100.7', '*', 'Ünï');

test("any headers are the same as Node's, in any case, in any order and repeated", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyName, anyValue), { maxLength: 12 }), async (headers) => {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`GET / HTTP/1.1\r\nHost: first\r\nConnection: close\r\n${lines}\r\n`, 'latin1');
      socket.resume();
      await once(socket, 'close');
      assert.deepEqual(differences, []);
    }),
    { numRuns: 200 },
  );
  assert.ok(requestCount > 100, `${requestCount} requests were read`);
});
