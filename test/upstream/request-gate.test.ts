// The request rate, the concurrency, and the pauses that a source asks for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import { followRedirect } from '../../src/upstream/connection/redirects.ts';
import { RequestGate } from '../../src/upstream/connection/request-gate.ts';
import { parseUpstreamAddress } from '../../src/upstream/connection/upstream-address.ts';
import { fastClock } from './mirror-into.ts';

const { signal } = new AbortController();

test('requests pass at the rate', async () => {
  const clock = fastClock(0);
  const gate = new RequestGate({ rate: 2, concurrency: 1 }, clock);
  const starts: number[] = [];
  for (let count = 0; count < 5; count++) await gate.pass(async () => void starts.push(clock.now()), signal);
  assert.deepEqual(starts, [0, 500, 1000, 1500, 2000]);
});

test('no more requests than the limit are under way, and they start in order', async () => {
  const gate = new RequestGate({ rate: 1e6, concurrency: 3 }, fastClock(0));
  let openCount = 0;
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      gate.pass(async () => {
        order.push(index);
        openCount++;
        assert.ok(openCount <= 3);
        await new Promise((resolve) => setTimeout(resolve, 1));
        openCount--;
      }, signal),
    ),
  );
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
});

test('no request passes while the source asks for a pause', async () => {
  const clock = fastClock(0);
  const gate = new RequestGate({ rate: 100, concurrency: 1 }, clock);
  gate.rest(30_000);
  await gate.pass(async () => assert.equal(clock.now(), 30_000), signal);
});

test('an aborted request frees its place for the next one', async () => {
  const gate = new RequestGate({ rate: 100, concurrency: 1 }, fastClock(0));
  await assert.rejects(
    gate.pass(async () => {}, AbortSignal.abort(new Error('stop'))),
    /stop/,
  );
  await assert.rejects(
    gate.pass(() => Promise.reject(new Error('failed')), signal),
    /failed/,
  );
  await gate.pass(async () => {}, signal);
});

test('a redirect may go from http to https on one host, and nowhere else', () => {
  const from = 'http://example.org/api/v1/plugins';
  assert.equal(followRedirect(from, '/x?a=1'), 'http://example.org/x?a=1');
  assert.equal(followRedirect(from, 'https://EXAMPLE.org/x'), 'https://example.org/x');
  const refused = [
    'http://example.org:8080/x',
    'https://example.org:8443/x',
    'https://www.example.org/x',
    'http://me:secret@example.org/x',
    'file:///etc/passwd',
    'http://[',
  ];
  for (const location of refused) assert.throws(() => followRedirect(from, location), AppError, location);
  assert.throws(() => followRedirect('https://example.org/', 'http://example.org/'), AppError);
});

test('only trailing slashes are removed from an address', () => {
  assert.equal(parseUpstreamAddress('HTTPS://Example.org//'), 'https://example.org');
  assert.equal(parseUpstreamAddress('http://[::1]:80/a/b/'), 'http://[::1]/a/b');
});
