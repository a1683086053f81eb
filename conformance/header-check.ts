/** Expectations of headers. */

import type { Answer } from './answer.ts';
import { type Finding, shorten } from './finding.ts';
import { asList, asObject, asString, type Json } from './json.ts';

/** Answers of a case by name: those of its `given` requests. */
export type Answers = ReadonlyMap<string, Answer>;

/** Finds the faults of an answer, which may be compared with earlier ones. */
export type AnswerCheck = (answer: Answer, answers: Answers) => readonly Finding[];

/** The answer of that name; it is an error of the case if there was no such request. */
export function getAnswer(answers: Answers, name: string): Answer {
  const answer = answers.get(name);
  if (answer === undefined) throw new TypeError(`there is no answer "${name}"`);
  return answer;
}

/** Headers that differ between any two answers, or that belong to the connection. */
const PASSING = ['date', 'age', 'connection', 'keep-alive', 'proxy-connection'];

/** Compiles the expectation of one header: an exact value, or an object of rules. */
export function compileHeader(name: string, operand: Json): AnswerCheck {
  if (typeof operand === 'string')
    return verifyHeader(name, JSON.stringify(operand), (value) => value === operand);
  const checks = Object.entries(asObject(operand, name)).map(([rule, value]) =>
    compileRule(name, rule, value),
  );
  return (answer, answers) => checks.flatMap((check) => check(answer, answers));
}

/** Compiles "all headers are those of the answer named", except those that change with time or connection. */
export function compileSameHeaders(operand: Json): AnswerCheck {
  const other = asString(operand, 'sameHeadersAs');
  return (answer, answers) => {
    const expected = getAnswer(answers, other).headers;
    const names = new Set(
      [...expected.keys(), ...answer.headers.keys()].filter((name) => !PASSING.includes(name)),
    );
    return [...names].flatMap((name) =>
      expected.get(name) === answer.headers.get(name)
        ? []
        : [
            {
              expected: `${name}: ${show(expected.get(name))}, as of ${other}`,
              got: show(answer.headers.get(name)),
            },
          ],
    );
  };
}

function compileRule(name: string, rule: string, operand: Json): AnswerCheck {
  if (rule === 'present') return verifyHeader(name, 'any value', (value) => value !== undefined);
  if (rule === 'absent') return verifyHeader(name, 'nothing', (value) => value === undefined);
  if (rule === 'matches') {
    const pattern = new RegExp(asString(operand, name), 'i');
    return verifyHeader(name, `a value matching ${pattern.source}`, (value) => pattern.test(value ?? ''));
  }
  if (rule === 'oneOf') {
    const values = asList(operand, name);
    const words = values.map((value) => value ?? 'nothing').join(' or ');
    return verifyHeader(name, words, (value) => values.includes(value ?? null));
  }
  if (rule === 'includes') {
    const tokens = asList(operand, name).map((token) => asString(token, name).toLowerCase());
    return verifyHeader(name, `a list with ${tokens.join(', ')}`, (value) => includesAll(value, tokens));
  }
  const other = asString(operand, name);
  if (rule === 'sameAs') {
    return (answer, answers) => {
      const expected = getAnswer(answers, other).headers.get(name.toLowerCase());
      const words = `${show(expected)}, as of ${other}`;
      return verifyHeader(name, words, (value) => value === expected && value !== undefined)(answer, answers);
    };
  }
  if (rule === 'differsFrom') {
    return (answer, answers) => {
      const unexpected = getAnswer(answers, other).headers.get(name.toLowerCase());
      const words = `another value than that of ${other}`;
      return verifyHeader(
        name,
        words,
        (value) => value !== undefined && value !== unexpected,
      )(answer, answers);
    };
  }
  throw new TypeError(`${name}: there is no header rule "${rule}"`);
}

/** A list that holds `*` holds every token (as `Access-Control-Allow-Headers: *` does). */
function includesAll(value: string | undefined, tokens: readonly string[]): boolean {
  const found = (value ?? '').split(',').map((token) => token.trim().toLowerCase());
  return found.includes('*') || tokens.every((token) => found.includes(token));
}

function verifyHeader(
  name: string,
  expected: string,
  holds: (value: string | undefined) => boolean,
): AnswerCheck {
  return (answer) => {
    const value = answer.headers.get(name.toLowerCase());
    return holds(value) ? [] : [{ expected: `${name}: ${expected}`, got: show(value) }];
  };
}

function show(value: string | undefined): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value));
}
