// The error log, with a manual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorLog } from '../../src/http/logs.ts';
import { AppError } from '../../src/model/app-error.ts';

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
