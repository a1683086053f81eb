/** Assertions that several test files share. */
import assert from 'node:assert/strict';
import type { Answer } from './validated-client.ts';

/**
 * An error document, checked against the rules that all of them share: status, kind, member order,
 * Cache-Control, headers.
 */
export interface ExpectedProblem {
  readonly status: number;
  /** The last part of `type`. */
  readonly kind: string;
  /** The expected text of `detail`. */
  readonly detail?: RegExp;
}

/** Throws unless the response is this error document. */
export function assertProblem(answer: Answer, { status, kind, detail = /./ }: ExpectedProblem): void {
  const text = answer.bytes.toString('utf8');
  assert.equal(answer.status, status, text);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), status === 404 ? 'public, max-age=10' : 'no-store');
  assert.equal(answer.headers.get('content-length'), String(answer.bytes.length));
  assert.equal(answer.headers.get('etag'), undefined);
  const problem = JSON.parse(text);
  assert.equal(JSON.stringify(problem), text, 'compact JSON');
  assert.deepEqual(Object.keys(problem).slice(0, 4), ['type', 'title', 'status', 'detail']);
  assert.equal(problem.type, `/openapi.json#/components/responses/${kind}`);
  assert.equal(problem.status, status);
  assert.match(problem.detail, detail);
}

/** Throws unless two texts are equal. Not assert.equal: its diff of megabytes takes minutes to print. */
export function assertSameText(actual: string, expected: string, what: string): void {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  assert.fail(`${what} differs at ${at}: ${around(actual)} instead of ${around(expected)}`);
}
