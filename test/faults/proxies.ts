/**
 * Clients that reset, pipeline, half-close and come by the dozen, through nginx and haproxy: no response ever reaches
 * another client. Run by `npm run test:faults`; needs nginx and haproxy.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSampleStore } from '../http/support/test-server.ts';
import { startHaproxy, startNginx } from '../ops/proxy.ts';
import { randomFrom } from '../support/points.ts';
import { amount } from './support/form.ts';
import { serveProgram } from './support/served-program.ts';

const server = await serveProgram(await makeSampleStore());
after(() => server[Symbol.asyncDispose]());
const seconds = amount({ quick: 5, long: 300 });
const line = '/api/v1/plugins/1337/charts/players/data';

for (const [name, start] of Object.entries({
  'no proxy': undefined,
  nginx: startNginx,
  haproxy: startHaproxy,
})) {
  test(`through ${name} no client gets the response of another`, async (t) => {
    await using proxy = await start?.(server.url);
    const { hostname, port } = new URL(proxy?.url ?? server.url);
    const counts = { answers: 0, connections: 0, resets: 0 };
    const until = performance.now() + seconds * 1000;
    const client = async (id: number) => {
      const random = randomFrom(id + 1);
      for (let turn = 0; performance.now() < until; turn++) {
        counts.connections++;
        const marks = Array.from(
          { length: 1 + Math.floor(random() * 5) },
          (_, index) => `${id}-${turn}-${index}`,
        );
        const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
        socket.on('error', () => {});
        await once(socket, 'connect');
        let received = '';
        socket.setEncoding('latin1').on('data', (text) => {
          received += text;
        });
        const text = marks.map((mark) => requestsFor(mark, random)).join('');
        const isCut = random() < 0.4;
        const ended = once(socket, 'close');
        socket.write(isCut ? text.slice(0, text.length * random()) : text);
        if (random() < 0.3) socket.end();
        if (isCut) {
          await sleep(random() * 8);
          socket.resetAndDestroy();
          counts.resets++;
        } else {
          const deadline = performance.now() + 5000;
          const isComplete = () => marksIn(received).length === marks.length || socket.closed;
          while (!isComplete() && performance.now() < deadline) await sleep(1);
          if (!socket.writableEnded)
            assert.equal(marksIn(received).length, marks.length, received.slice(-300));
          socket.destroy();
        }
        await ended;
        const seen = marksIn(received);
        assert.deepEqual(seen, marks.slice(0, seen.length));
        counts.answers += seen.length;
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, id) => client(id)));
    t.diagnostic(JSON.stringify(counts));
    assert.ok(counts.answers > 100);
    assert.equal((await server.get(line)).status, 200);
    assert.equal(server.stderr(), '');
  });
}

/** A request whose response contains its mark, sometimes preceded by one for data. */
function requestsFor(mark: string, random: () => number): string {
  const before =
    random() < 0.3 ? `GET ${line}?maxElements=${Math.floor(random() * 50)} HTTP/1.1\r\nHost: a\r\n\r\n` : '';
  return `${before}GET /mark-${mark} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

/** The marks of the responses, in order. */
function marksIn(received: string): string[] {
  return [...received.matchAll(/there is nothing at \/mark-([\d-]+);/g)].map(([, mark = '']) => mark);
}
