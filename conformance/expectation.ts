/** The `expect` of a case: status, headers and body of the answer, and of the following ones. */

import { compileBody } from './body-check.ts';
import type { Finding } from './finding.ts';
import { type AnswerCheck, compileHeader, compileSameHeaders } from './header-check.ts';
import { asList, asObject, asString, isList, type Json, type JsonObject } from './json.ts';
import type { Shapes } from './shape.ts';

/** Values that expectations refer to by name. */
export interface Vocabulary {
  readonly shapes: Shapes;
  /** Sets of header expectations, which `headersOf` names. */
  readonly headerSets: JsonObject;
}

/** One check for each expected answer; more than one only for raw requests. */
export type Expectation = readonly [AnswerCheck, ...AnswerCheck[]];

/** Compiles the `expect` of a case; throws if a runner could not understand it. */
export function compileExpectation(json: Json | undefined, vocabulary: Vocabulary): Expectation {
  const { next, ...first } = asObject(json, 'expect');
  const following = asList(next ?? [], 'next').map((one) => compileOne(asObject(one, 'next'), vocabulary));
  return [compileOne(first, vocabulary), ...following];
}

function compileOne(json: JsonObject, { shapes, headerSets }: Vocabulary): AnswerCheck {
  asObject(json, 'expect', ['status', 'headers', 'headersOf', 'sameHeadersAs', 'body']);
  const checks: AnswerCheck[] = [checkCoding];
  if (json['status'] !== undefined) checks.push(compileStatus(json['status']));
  const sets = asList(json['headersOf'] ?? [], 'headersOf').map(
    (name) => headerSets[asString(name, 'headersOf')],
  );
  for (const headers of [...sets, json['headers'] ?? {}]) {
    const entries = Object.entries(asObject(headers, 'headers'));
    checks.push(...entries.map(([name, operand]) => compileHeader(name, operand)));
  }
  if (json['sameHeadersAs'] !== undefined) checks.push(compileSameHeaders(json['sameHeadersAs']));
  if (json['body'] !== undefined) checks.push(compileBody(json['body'], shapes));
  return (answer, answers) => checks.flatMap((check) => check(answer, answers));
}

const checkCoding: AnswerCheck = ({ codingProblem }): readonly Finding[] =>
  codingProblem === undefined ? [] : [{ expected: 'a body in the coding that it names', got: codingProblem }];

function compileStatus(operand: Json): AnswerCheck {
  const statuses = isList(operand) ? operand : [operand];
  if (!statuses.every((status) => typeof status === 'number'))
    throw new TypeError('status: expected numbers');
  return ({ status }) =>
    statuses.includes(status)
      ? []
      : [{ expected: `status ${statuses.join(' or ')}`, got: `status ${status}` }];
}
