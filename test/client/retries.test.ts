// Retries, and failures that are final.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fetch, PluginMetricsClient, PluginMetricsError } from '../../src/client/client.ts';
import { systemClock } from '../../src/client/retry.ts';
import { cutAnswer, json, noAnswer, serveAnswers, type TestAnswer } from './support/answering-server.ts';
import { testClock } from './support/test-clock.ts';

const list = '/api/v1/plugins';

const passing: Readonly<Record<string, TestAnswer>> = {
  '429': { status: 429 },
  '500': { status: 500 },
  '503': { status: 503 },
  'a reset': noAnswer,
  'a truncated response': cutAnswer('[{"id":1'),
  'invalid gzip': { headers: { 'Content-Encoding': 'gzip' }, body: 'no gzip at all' },
};

for (const [name, fault] of Object.entries(passing)) {
  test(`${name} is retried if there are retries, and otherwise an error`, async () => {
    const server = await serveAnswers({ [list]: [fault, fault, fault, json([])] });
    await assert.rejects(new PluginMetricsClient(server.url).listPlugins(), PluginMetricsError);
    assert.deepEqual(server.targets(), [list]);
    const clock = testClock();
    assert.deepEqual(await new PluginMetricsClient(server.url, { retries: 2, clock }).listPlugins(), []);
    assert.deepEqual(clock.waitsMs, [1000, 2000]);
  });
}

test('waits grow up to a minute, and the last failure is thrown', async () => {
  const server = await serveAnswers({ [list]: { status: 502 } });
  const clock = testClock();
  const client = new PluginMetricsClient(server.url, { retries: 8, clock });
  await assert.rejects(client.listPlugins(), { status: 502, message: `${server.url}${list}: answered 502` });
  assert.deepEqual(clock.waitsMs, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

const nowMs = Date.parse('2026-07-01T00:00:00Z');
const retryAfter = {
  '7': 8000,
  '0': 1000,
  'Wed, 01 Jul 2026 00:00:30 GMT': 31_000,
  'Wed, 01 Jul 2020 00:00:00 GMT': 1000,
  soon: 1000,
  '-5': 1000,
};

for (const [header, waitMs] of Object.entries(retryAfter))
  test(`Retry-After: ${header} is respected`, async () => {
    const server = await serveAnswers({
      [list]: [{ status: 429, headers: { 'Retry-After': header } }, json([])],
    });
    const clock = testClock({ nowMs });
    await new PluginMetricsClient(server.url, { retries: 1, clock }).listPlugins();
    assert.deepEqual(clock.waitsMs, [waitMs]);
  });

for (const header of ['301', 'Wed, 01 Jul 2026 00:05:01 GMT'])
  test(`Retry-After: ${header} is more than five minutes, so nothing is retried, and the error says why`, async () => {
    const server = await serveAnswers({ [list]: { status: 503, headers: { 'Retry-After': header } } });
    const clock = testClock({ nowMs });
    await assert.rejects(new PluginMetricsClient(server.url, { retries: 5, clock }).listPlugins(), {
      status: 503,
      message: `${server.url}${list}: answered 503; its Retry-After is ${header}, and a retry waits 300 s at most`,
    });
    assert.deepEqual([server.targets(), clock.waitsMs], [[list], []]);
  });

for (const status of [400, 401, 403, 405, 410])
  test(`${status} is not retried`, async () => {
    const server = await serveAnswers({ [list]: { status } });
    const clock = testClock();
    await assert.rejects(new PluginMetricsClient(server.url, { retries: 5, clock }).listPlugins(), {
      status,
    });
    assert.deepEqual([server.targets(), clock.waitsMs], [[list], []]);
  });

test('an unreachable server is an error without a status', async () => {
  const server = await serveAnswers({ [list]: noAnswer });
  await assert.rejects(new PluginMetricsClient(server.url).listPlugins(), (error) => {
    assert.ok(error instanceof PluginMetricsError && error.cause instanceof Error);
    assert.deepEqual([error.status, error.problem, error.isNotFound], [undefined, undefined, false]);
    assert.equal(error.url, `${server.url}${list}`);
    return true;
  });
});

test('a wait leaves no listener on the signal', async () => {
  const { signal } = aborter();
  let listenerCount = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...listener: Parameters<typeof add>) => {
    listenerCount += 1;
    add(...listener);
  };
  signal.removeEventListener = (...listener: Parameters<typeof remove>) => {
    listenerCount -= 1;
    remove(...listener);
  };
  await systemClock.wait(1, signal);
  await assert.rejects(systemClock.wait(60_000, AbortSignal.abort(new Error('too late'))), /too late/);
  assert.equal(listenerCount, 0);
});

test('an abort ends the wait for a retry at once, and no request follows', async () => {
  const server = await serveAnswers({ [list]: { status: 503, headers: { 'Retry-After': '60' } } });
  const { signal, abort } = aborter();
  const clock = {
    ...systemClock,
    wait: (ms: number) => {
      setTimeout(abort, 5);
      return systemClock.wait(ms, signal);
    },
  };
  const client = new PluginMetricsClient(server.url, { retries: 5, clock });
  await assert.rejects(client.listPlugins({ signal }), { message: 'enough' });
  assert.deepEqual(server.targets(), [list]);
});

test('an abort while a response arrives is not a network failure', async () => {
  const { signal, abort } = aborter();
  const server = await serveAnswers({
    [list]: (response) => {
      response.writeHead(200).write('[');
      setTimeout(abort, 5);
    },
  });
  const clock = testClock();
  const client = new PluginMetricsClient(server.url, { retries: 5, clock });
  await assert.rejects(client.listPlugins({ signal }), { message: 'enough' });
  assert.deepEqual([server.targets(), clock.waitsMs], [[list], []]);
});

test('a PluginMetricsError of the given fetch is final, before a response and within its body', async () => {
  const refusal = new PluginMetricsError('too much', { url: 'http://127.0.0.1/' });
  const endless = new ReadableStream({
    pull: (controller) => controller.error(refusal),
  });
  const fetches: readonly Fetch[] = [() => Promise.reject(refusal), async () => new Response(endless)];
  for (const refusing of fetches) {
    const clock = testClock();
    const client = new PluginMetricsClient('http://127.0.0.1', { fetch: refusing, retries: 5, clock });
    await assert.rejects(client.listPlugins(), (error) => error === refusal);
    assert.deepEqual(clock.waitsMs, []);
  }
});

function aborter(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) };
}
