// Unreadable stores, and bugs, and how they are logged.
import assert from 'node:assert/strict';
import { openSync, truncateSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorLog } from '../../src/http/logs.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { MetricsView } from '../../src/model/metrics-reader.ts';
import { assertProblem } from './support/assertions.ts';
import { chartPath, museumChart, sampleCharts } from './support/sample.ts';
import { openApp, type TestApp } from './support/test-app.ts';
import { makeSampleStore, type ReplacedMethods, replaceMethods } from './support/test-server.ts';
import type { Answer } from './support/validated-client.ts';

const line = museumChart('servers');
const lineData = `${chartPath(line)}/data`;
const targets = ['/api/v1/plugins', '/api/v1/software', '/api/v1/plugins/4242', chartPath(line), lineData];

function assertUnavailable(answer: Answer, store: string): void {
  assertProblem(answer, { status: 503, kind: 'store-unavailable' });
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assertNothingLeaks(answer, [store, 'sqlite', 'database', 'chunk', 'disk', '.db', '.ts']);
}

function assertNothingLeaks(answer: Answer, secrets: readonly string[]): void {
  const text = `${answer.bytes}${JSON.stringify([...answer.headers])}`.toLowerCase();
  for (const secret of secrets) assert.ok(!text.includes(secret.toLowerCase()), `${secret} leaks: ${text}`);
}

test('a damaged line answers 503, and the other charts still work', async () => {
  const store = await makeSampleStore();
  for (const damage of ["x''", 'zeroblob(40)', 'randomblob(500)']) {
    const db = new DatabaseSync(store);
    db.prepare(`update chunk set bytes = ${damage} where chart_uid = ?`).run(line.uid);
    db.close();
    const server = openApp(store);
    for (const target of [lineData, `${lineData}?maxElements=5`, `${lineData}?maxElements=999999`])
      assertUnavailable(await server.ask(target), store);
    assertLoggedOnceEach(server, 3);
    assert.equal((await server.ask(chartPath(line))).status, 200);
    assert.equal((await server.ask(`${chartPath(museumChart('players'))}/data`)).status, 200);
  }
});

const ruins: Readonly<Record<string, (store: string) => void>> = {
  'overwritten after its first page': (store) => writeAt(store, Buffer.alloc(3_000_000, 0xa5), 4096),
  'overwritten from its beginning': (store) => writeAt(store, Buffer.alloc(3_000_000, 0xa5), 0),
  'truncated to zero bytes': (store) => truncateSync(store, 0),
};

for (const [what, ruin] of Object.entries(ruins)) {
  test(`a store that is ${what} while it is served answers 503 or as before, and nothing else`, async () => {
    const store = await makeSampleStore();
    // Only the file itself: the log of SQLite would still be good.
    new DatabaseSync(store).exec('pragma wal_checkpoint(truncate)');
    const server = openApp(store);
    ruin(store);
    let badCount = 0;
    for (const target of [
      ...targets,
      ...sampleCharts.slice(0, 60).map((chart) => `${chartPath(chart)}/data`),
    ]) {
      const answer = await server.ask(target);
      if (answer.status === 200) continue;
      assertUnavailable(answer, store);
      badCount++;
    }
    assert.ok(badCount > 0);
    assertLoggedOnceEach(server, badCount);
  });
}

test('a store that becomes readable again is read again', async () => {
  const store = await makeSampleStore();
  let isBroken = true;
  const failing = <T>(work: () => T): T => {
    if (isBroken) throw new AppError('unavailable', `cannot open ${store}`);
    return work();
  };
  const server = openApp(store, {
    wrap: (reader) =>
      replaceMethods(reader, () => ({ generation: (of) => failing(() => reader.generation(of)) })),
  });
  for (const target of targets) assertUnavailable(await server.ask(target), store);
  assertUnavailable(await server.ask(lineData, { 'accept-encoding': 'br', 'if-none-match': '*' }), store);
  isBroken = false;
  for (const target of targets) assert.equal((await server.ask(target)).status, 200);
  isBroken = true;
  // A generation is cached for a millisecond.
  await sleep(2);
  for (const target of targets) assertUnavailable(await server.ask(target), store);
  assertLoggedOnceEach(server, targets.length * 2 + 1);
});

/** A plugin list that fails before its first batch. */
function failingList(error: unknown): ReturnType<MetricsView['listPlugins']> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}

test('a store that fails halfway through a read answers 503 to everyone waiting for it', async () => {
  const store = await makeSampleStore();
  const server = openApp(store, {
    wrap: (reader) =>
      replaceMethods(reader, () => ({
        async *listPlugins() {
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw new AppError('unavailable', `lost ${store}`, {
            cause: new Error('connection to 10.0.0.1 lost'),
          });
        },
      })),
  });
  const answers = await Promise.all(Array.from({ length: 5 }, () => server.ask('/api/v1/plugins')));
  for (const answer of answers) {
    assertUnavailable(answer, store);
    assertNothingLeaks(answer, ['10.0.0.1', 'lost']);
  }
});

test('while the store is unreachable, cached responses have an Age', async () => {
  const store = await makeSampleStore();
  const outage = { ms: 0 };
  const server = openApp(store, {
    wrap: (reader) => replaceMethods(reader, () => ({ unreachableMs: () => outage.ms })),
  });
  const fresh = await server.ask(lineData);
  assert.equal(fresh.headers.has('age'), false);
  outage.ms = 7_900;
  const old = await server.ask(lineData);
  assert.deepEqual([old.status, old.headers.get('age')], [200, '7']);
  assert.deepEqual(old.bytes, fresh.bytes);
  const known = await server.ask(lineData, { 'if-none-match': fresh.headers.get('etag') });
  assert.deepEqual([known.status, known.headers.get('age')], [304, '7']);
  outage.ms = 0;
  assert.equal((await server.ask(lineData)).headers.has('age'), false);
});

const bugStore = await makeSampleStore();
const bugs: Readonly<Record<string, ReplacedMethods>> = {
  'a reader that rejects': () => ({
    listPlugins: () => failingList(new TypeError('secret of /var/lib/store.db')),
  }),
  'a generation that throws': () => ({
    generation: () => {
      throw new TypeError('secret of /var/lib/store.db');
    },
  }),
  'a reader that throws a value that is not an Error': () => ({
    listPlugins: () => failingList('secret of /var/lib/store.db'),
  }),
  'an error of the program that no request can cause': () => ({
    listPlugins: () => failingList(new AppError('conflict', 'secret of /var/lib/store.db')),
  }),
};

for (const [what, methods] of Object.entries(bugs)) {
  test(`${what} answers 500 with a generic text, and the log has one line with the details`, async () => {
    const server = openApp(bugStore, { wrap: (reader) => replaceMethods(reader, methods) });
    const answer = await server.ask('/api/v1/plugins?token=abc');
    assertProblem(answer, { status: 500, kind: 'internal-error' });
    assertNothingLeaks(answer, ['secret', '/var', 'TypeError', 'stack', '.ts']);
    assertLogged(server, 1);
    const { message, reason, stack } = JSON.parse(server.logLines.join(''));
    assert.equal(reason, 'secret of /var/lib/store.db');
    if (what.includes('generation')) {
      assert.equal(message, 'not answered because of a bug');
      assert.match(stack, /TypeError: secret of .*\n {4}at /);
    }
    const head = await server.ask('/api/v1/plugins', {}, 'HEAD');
    assert.deepEqual([head.status, head.bytes.length], [500, 0]);
  });
}

test('a client error is not logged', async () => {
  const server = openApp(bugStore);
  for (const target of [
    '/api/v1/plugins/x',
    '/api/v1/plugins/99',
    '/nothing',
    '/%ZZ',
    `/${'a'.repeat(9000)}`,
  ])
    assert.ok((await server.ask(target)).status >= 400);
  assert.equal((await server.ask('/api/v1/plugins', {}, 'POST')).status, 405);
  assertLogged(server, 0);
});

/** With this many failed responses each reason is logged exactly once. */
function assertLoggedOnceEach(server: TestApp, failedCount: number): void {
  const reasons = server.logLines.map((line) => String(JSON.parse(line).reason));
  assert.equal(new Set(reasons).size, reasons.length, reasons.join('\n'));
  assert.equal(reasons.length > 0, failedCount > 0);
  assert.ok(reasons.length <= failedCount);
}

function assertLogged(server: TestApp, count: number): void {
  assert.equal(server.logLines.length, count, server.logLines.join(''));
  for (const line of server.logLines) assert.match(line, /^\{.*\}\n$/);
}

function writeAt(file: string, bytes: Buffer, position: number): void {
  writeSync(openSync(file, 'r+'), bytes, 0, bytes.length, position);
}

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const clock = { ms: 0 };
  const log = new ErrorLog({ write: (line) => void lines.push(JSON.parse(line)) }, () => clock.ms);
  return { lines, clock, say: (error: unknown) => log.log('/api/v1/plugins', error) };
}

test('a repeated failure is logged again after a while, with its count in between', () => {
  const { lines, clock, say } = setUp();
  const lost = () => new AppError('unavailable', 'the store is lost');
  for (let count = 0; count < 5; count++) say(lost());
  clock.ms = 10_000;
  say(lost());
  clock.ms = 20_001;
  say(lost());
  assert.deepEqual(
    lines.map(({ reason, target, repeated }) => ({ reason, target, repeated })),
    [
      { reason: 'the store is lost', target: '/api/v1/plugins', repeated: undefined },
      { reason: 'the store is lost', target: '/api/v1/plugins', repeated: 4 },
      { reason: 'the store is lost', target: '/api/v1/plugins', repeated: undefined },
    ],
  );
});

test('different failures are all logged, up to a bound', () => {
  const { lines, say } = setUp();
  for (let count = 0; count < 250; count++) say(new AppError('unavailable', `reason ${count}`));
  assert.equal(lines.length, 250);
});
