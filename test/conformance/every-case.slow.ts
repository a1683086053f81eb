/** Runs each case against a server whose responses are all wrong: none may pass. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { loadCases } from '../../conformance/case-files.ts';
import type { Fixtures } from '../../conformance/fixtures.ts';
import { runCase } from '../../conformance/run-case.ts';

test('every case fails on a server whose responses are all alike, or on one whose responses all differ', async () => {
  const passedAlike = await listPassed(startServer(() => ({ status: 200, label: 'x' })));
  let count = 0;
  const passedFickle = await listPassed(
    startServer((headers) => {
      count += 1;
      return { status: headers['if-none-match'] === undefined ? 200 : 304, label: `${count}` };
    }),
  );
  assert.deepEqual(
    passedAlike.filter((name) => passedFickle.includes(name)),
    [],
  );
});

/** Lists the cases that do not fail on the server. */
async function listPassed(server: http.Server): Promise<readonly string[]> {
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = { url: new URL(`http://127.0.0.1:${port}`), timeoutMs: 2000 };
  const { cases, vocabulary } = await loadCases();
  const passed: string[] = [];
  try {
    for (const testCase of cases) {
      const { kind } = await runCase(testCase, { target, fixtures: ANYTHING, vocabulary });
      if (kind !== 'failed') passed.push(`${kind} ${testCase.subject}: ${testCase.name}`);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return passed;
}

type Answering = (headers: http.IncomingHttpHeaders) => { readonly status: number; readonly label: string };

/** Answers every request with a page; the label is part of its ETag and of its body. */
function startServer(answering: Answering): http.Server {
  const server = http.createServer({ requireHostHeader: false }, (request, response) => {
    const { status, label } = answering(request.headers);
    response.writeHead(status, {
      'Content-Type': 'text/html',
      ETag: `"${label}"`,
      'WWW-Authenticate': 'Basic',
    });
    response.end(`<html>${label}</html>`);
  });
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n<html></html>'));
  return server.listen(0, '127.0.0.1');
}

/** Claims to have a path for every placeholder. */
const ANYTHING: Fixtures = new (class extends Map<string, string> {
  override has(): boolean {
    return true;
  }
  override get(): string {
    return '/x';
  }
})();
