// The log of failures, with a clock that is turned by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createErrorLog } from '../../src/http/error-log.ts';
import { AppError } from '../../src/model/app-error.ts';

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const clock = { ms: 0 };
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const logError = createErrorLog(() => clock.ms);
  return { lines, clock, say: (error: unknown) => logError(log, '/api/v1/plugins', error) };
}

test('the same failure is logged again after a while, with how often it happened in between', () => {
  const { lines, clock, say } = setUp();
  const lost = () => new AppError('unavailable', 'the store is lost');
  for (let count = 0; count < 5; count++) say(lost());
  clock.ms = 10_000;
  say(lost());
  clock.ms = 20_001;
  say(lost());
  assert.deepEqual(
    lines.map(({ reason, url, repeated }) => ({ reason, url, repeated })),
    [
      { reason: 'the store is lost', url: '/api/v1/plugins', repeated: undefined },
      { reason: 'the store is lost', url: '/api/v1/plugins', repeated: 4 },
      { reason: 'the store is lost', url: '/api/v1/plugins', repeated: undefined },
    ],
  );
});

test('different failures are logged each, however many there are', () => {
  const { lines, say } = setUp();
  for (let count = 0; count < 250; count++) say(new AppError('unavailable', `reason ${count}`));
  assert.equal(lines.length, 250);
});

test('a bug is logged with its stack', () => {
  const { lines, say } = setUp();
  say(new TypeError('oh'));
  const { err, msg } = lines[0] as { err: { stack: string }; msg: string };
  assert.match(err.stack, /TypeError: oh\n {4}at /);
  assert.equal(msg, 'not answered because of a bug');
});
