/** Runs one case: fills its placeholders, sends its requests and checks the answer. */

import type { Answer } from './answer.ts';
import type { Case } from './case-files.ts';
import { compileExpectation, type Vocabulary } from './expectation.ts';
import type { Finding } from './finding.ts';
import { describeFixture, type Fixtures } from './fixtures.ts';
import { basePath, sendRequest, type Target } from './http-client.ts';
import { asObject, type Json } from './json.ts';
import { fill } from './placeholders.ts';
import { sendRaw } from './raw-client.ts';
import { type CaseRequest, expandRequest, parseRequest } from './request.ts';

/** Outcome of a case. */
export type Outcome =
  | { readonly kind: 'passed' }
  | {
      readonly kind: 'failed';
      readonly findings: readonly Finding[];
      readonly request: CaseRequest | undefined;
    }
  | { readonly kind: 'notApplicable'; readonly needs: string };

/** Context shared by all cases of one run. */
export interface RunContext {
  readonly target: Target;
  readonly fixtures: Fixtures;
  readonly vocabulary: Vocabulary;
}

/** A server's data may change between two requests of a case, so cases that compare answers are retried. */
const MAX_TRIES = 3;

/** Runs the case. Throws only if the case itself is wrong. */
export async function runCase(testCase: Case, context: RunContext): Promise<Outcome> {
  const needs = findMissing(testCase, context.fixtures);
  if (needs !== undefined) return { kind: 'notApplicable', needs };
  const maxTries = Object.keys(testCase.given).length > 0 ? MAX_TRIES : 1;
  let outcome = await tryCase(testCase, context);
  for (let tries = 1; tries < maxTries && outcome.kind === 'failed'; tries += 1) {
    outcome = await tryCase(testCase, context);
  }
  return outcome;
}

async function tryCase(testCase: Case, context: RunContext): Promise<Outcome> {
  const answers = new Map<string, Answer>();
  let request: CaseRequest | undefined;
  try {
    for (const [name, json] of Object.entries(testCase.given)) {
      request = parseRequest(fillAll(json, context, answers), `${testCase.name}: ${name}`);
      const [answer] = await send(request, 1, context.target);
      const status = asObject(json, name)['status'] ?? 200;
      if (answer?.status !== status) {
        return fail(request, { expected: `status ${status} from ${name}`, got: `status ${answer?.status}` });
      }
      answers.set(name, answer);
    }
    request = parseRequest(fillAll(testCase.request, context, answers), testCase.name);
    const expectation = compileExpectation(fillAll(testCase.expect, context, answers), context.vocabulary);
    const received = await send(request, expectation.length, context.target);
    const findings = expectation.flatMap((check, index) => {
      const answer = received[index];
      return answer === undefined ? [] : check(answer, answers);
    });
    return findings.length === 0 ? { kind: 'passed' } : { kind: 'failed', findings, request };
  } catch (error) {
    // A TypeError is a fault of the case or of the runner; anything else is the connection's.
    if (error instanceof TypeError) throw error;
    return fail(request, {
      expected: 'an answer',
      got: error instanceof Error ? error.message : String(error),
    });
  }
}

function fail(request: CaseRequest | undefined, finding: Finding): Outcome {
  return { kind: 'failed', findings: [finding], request };
}

async function send(request: CaseRequest, answerCount: number, target: Target): Promise<readonly Answer[]> {
  const expanded = expandRequest(request);
  if (expanded.kind === 'raw') return sendRaw(target, expanded.raw, answerCount);
  return [await sendRequest(target, expanded)];
}

/** Names the data that the server lacks for this case; undefined if it lacks nothing. */
function findMissing(testCase: Case, fixtures: Fixtures): string | undefined {
  let needs: string | undefined;
  fill([testCase.given, testCase.request, testCase.expect], (name) => {
    if (!fixtures.has(name)) needs ??= describeFixture(name);
    return undefined;
  });
  return needs;
}

/** Fills fixtures, `{prefix}`, `{host}` and `{ANSWER.header.NAME}`; an unknown placeholder is a fault. */
function fillAll(json: Json, { target, fixtures }: RunContext, answers: ReadonlyMap<string, Answer>): Json {
  return fill(json, (name) => {
    if (name.startsWith('times:')) return undefined;
    if (name === 'prefix') return basePath(target.url);
    if (name === 'host') return target.url.host;
    const [answerName = '', header] = name.split('.header.');
    const answer = answers.get(answerName);
    if (answer === undefined || header === undefined) {
      const value = fixtures.get(name);
      if (value === undefined) throw new TypeError(`there is no placeholder {${name}}`);
      return value;
    }
    const value = answer.headers.get(header);
    if (value === undefined) throw new Error(`the answer "${answerName}" has no ${header}`);
    return value;
  });
}
