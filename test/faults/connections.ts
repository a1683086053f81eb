/**
 * Thousands of connections, more than the process may open, and clients that stop at every stage. Run by `npm
 * run test:faults`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSampleStore, serveStore } from '../http/support/test-server.ts';
import { mainPath } from '../support/run-program.ts';
import { waitUntil } from '../support/wait-until.ts';
import { amount } from './support/form.ts';
import { serveProgram } from './support/served-program.ts';

const store = await makeSampleStore();
const target = '/api/v1/plugins/1337/charts/players/data?maxElements=1';
const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`;

test('5,000 idle connections cost little memory, and other clients are served', async (t) => {
  await using server = await serveProgram(store);
  await server.get(target);
  const before = server.residentBytes();
  const sockets = await open(server.url, 5000);
  const perConnection = (server.residentBytes() - before) / sockets.length;
  const askedAt = performance.now();
  assert.equal((await server.get(target)).status, 200);
  t.diagnostic(
    `${Math.round(perConnection)} bytes a connection; answered in ${(performance.now() - askedAt).toFixed(1)} ms`,
  );
  assert.ok(perConnection < 30_000, `${perConnection} bytes`);
  const one = sockets.at(-1);
  one?.write(request);
  assert.match(String((await once(one ?? assert.fail(), 'data'))[0]), /^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
  await waitUntil(() => server.handleCount() < 200);
});

test('more connections than the file descriptor limit neither end the process nor keep it busy', async (t) => {
  const start = (argv: readonly string[]) =>
    spawn('bash', ['-c', 'ulimit -n 256; exec "$@"', '-', process.execPath, mainPath, ...argv]);
  await using server = await serveProgram(store, { start });
  const { hostname, port } = new URL(server.url);
  const first = net.connect(Number(port), hostname);
  await once(first, 'connect');
  const sockets = await open(server.url, 600);
  await sleep(300);
  const cpuBefore = server.cpuSeconds();
  await sleep(1500);
  const share = (server.cpuSeconds() - cpuBefore) / 1.5;
  t.diagnostic(`${(share * 100).toFixed(0)} % of a core with 600 connections on 256 handles`);
  assert.ok(share < 0.2, `${share}`);
  first.write(request);
  assert.match(String((await once(first, 'data'))[0]), /^HTTP\/1\.1 200 /, 'who is connected is served');
  for (const socket of sockets) socket.destroy();
  await waitUntil(() => server.handleCount() < 100);
  assert.equal((await server.get(target)).status, 200, 'new ones are served again');
  first.destroy();
});

test('clients that reset, close or vanish after any byte of two requests do no harm', async () => {
  await using server = await serveStore(store);
  const text = `${request}HEAD ${target} HTTP/1.1\r\n\r\n`;
  const step = amount({ quick: 3, long: 1 });
  for (const leave of ['resetAndDestroy', 'end', 'destroy'] as const) {
    for (let length = 0; length <= text.length; length += step) {
      const [socket] = await open(server.url, 1);
      socket?.write(text.slice(0, length));
      if (length % 2 === 0) await sleep(1);
      socket?.[leave]();
      if (leave === 'end') {
        const received = Buffer.concat((await socket?.toArray()) ?? []).toString('latin1');
        const expected = length === text.length ? 2 : length >= request.length ? 1 : 0;
        assert.equal(received.match(/HTTP\/1\.1 200 /g)?.length ?? 0, expected, `${length} bytes`);
      }
    }
  }
  const answer = await fetch(server.url + target);
  assert.equal(answer.status, 200);
  assert.deepEqual(server.logLines, []);
});

async function open(url: string, count: number): Promise<net.Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: net.Socket[] = [];
  // The queue of a listening socket has 511 places.
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => {
      const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on('error', () => {});
      return socket;
    });
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    sockets.push(...some);
  }
  return sockets;
}
