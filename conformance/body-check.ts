/** Expectations of a body. */

import type { Answer } from './answer.ts';
import { type Finding, shorten } from './finding.ts';
import { type AnswerCheck, getAnswer } from './header-check.ts';
import { asList, asNumber, asObject, asString, type Json } from './json.ts';
import { findNode, type JsonText, parseJsonText } from './json-text.ts';
import { compileShape, type Shapes } from './shape.ts';

/** Compiles the `body` of an expectation; throws when it uses a rule that does not exist. */
export function compileBody(operand: Json, shapes: Shapes): AnswerCheck {
  const checks = Object.entries(asObject(operand, 'body')).map(([rule, value]) => {
    const compile = RULES.get(rule);
    if (compile === undefined) throw new TypeError(`body: there is no rule "${rule}"`);
    return compile(value, shapes);
  });
  return (answer, answers) => checks.flatMap((check) => check(answer, answers));
}

const RULES: ReadonlyMap<string, (operand: Json, shapes: Shapes) => AnswerCheck> = new Map([
  ['empty', () => checkEmpty],
  ['json', () => (answer) => withJson(answer, () => [])],
  ['compactJson', () => (answer) => withJson(answer, checkCompact)],
  ['shape', compileBodyShape],
  ['sameAs', (operand) => compileComparison(operand, true)],
  ['differsFrom', (operand) => compileComparison(operand, false)],
  ['lastOf', compileLastOf],
] satisfies [string, (operand: Json, shapes: Shapes) => AnswerCheck][]);

const checkEmpty: AnswerCheck = (answer) =>
  answer.body.length === 0 ? [] : [{ expected: 'no body', got: showBody(answer) }];

function checkCompact({ firstSpaceAt }: JsonText): readonly Finding[] {
  if (firstSpaceAt === undefined) return [];
  return [{ expected: 'no white space between tokens', got: `white space at offset ${firstSpaceAt}` }];
}

function compileBodyShape(operand: Json, shapes: Shapes): AnswerCheck {
  const check = compileShape(operand, shapes);
  return (answer) => withJson(answer, ({ root }) => check(root, 'body'));
}

/** The bodies, or the values at `hereAt` and `at` in them, are exactly the same (or differ). */
function compileComparison(operand: Json, same: boolean): AnswerCheck {
  const reference = asObject(operand, 'sameAs', ['answer', 'at', 'hereAt']);
  const other = asString(reference['answer'], 'answer');
  const at = readPath(reference['at']);
  const hereAt = readPath(reference['hereAt']);
  return (answer, answers) => {
    const expected = pickText(getAnswer(answers, other), at);
    const got = pickText(answer, hereAt);
    if (expected === undefined || got === undefined) {
      return [{ expected: `values at ${JSON.stringify(at)} and ${JSON.stringify(hereAt)}`, got: 'none' }];
    }
    if ((expected === got) === same) return [];
    const place = at.length === 0 ? `the body of ${other}` : `${at.join('.')} in the body of ${other}`;
    return [
      same
        ? { expected: `${place}: ${shortenAround(expected, got)}`, got: shortenAround(got, expected) }
        : { expected: `something else than ${place}`, got: shorten(got) },
    ];
  };
}

/** The body's items are exactly the last `count` items of another answer. */
function compileLastOf(operand: Json): AnswerCheck {
  const reference = asObject(operand, 'lastOf', ['answer', 'count']);
  const other = asString(reference['answer'], 'answer');
  const count = asNumber(reference['count'], 'count');
  return (answer, answers) => {
    const all = listItems(getAnswer(answers, other));
    const got = listItems(answer);
    if (all === undefined || got === undefined)
      return [{ expected: 'two JSON arrays', got: showBody(answer) }];
    const expected = count === 0 ? [] : all.slice(-count);
    if (expected.join() === got.join()) return [];
    return [
      {
        expected: `the last ${expected.length} items of ${other}: ${shorten(expected.join())}`,
        got: `${got.length} items: ${shorten(got.join())}`,
      },
    ];
  };
}

function listItems(answer: Answer): readonly string[] | undefined {
  const root = parseBody(answer)?.root;
  return root?.kind === 'array' ? root.items.map((item) => item.text) : undefined;
}

function pickText(answer: Answer, at: readonly (string | number)[]): string | undefined {
  if (at.length === 0) return answer.body.toString('latin1');
  const root = parseBody(answer)?.root;
  return root && findNode(root, at)?.text;
}

function readPath(json: Json | undefined): readonly (string | number)[] {
  return asList(json ?? [], 'path').map((step) => (typeof step === 'number' ? step : asString(step, 'path')));
}

function withJson(answer: Answer, check: (text: JsonText) => readonly Finding[]): readonly Finding[] {
  let text: JsonText;
  try {
    text = decodeJson(answer);
  } catch (error) {
    return [{ expected: `JSON in UTF-8 (${String(error)})`, got: showBody(answer) }];
  }
  return check(text);
}

function parseBody(answer: Answer): JsonText | undefined {
  try {
    return decodeJson(answer);
  } catch {
    return undefined;
  }
}

function decodeJson(answer: Answer): JsonText {
  return parseJsonText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.body));
}

function showBody(answer: Answer): string {
  return answer.body.length === 0 ? 'an empty body' : shorten(answer.body.toString());
}

/** The text from shortly before the first difference to `other`. */
function shortenAround(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const start = Math.max(0, at - 20);
  return `${start > 0 ? '…' : ''}${shorten(text.slice(start, start + 60))} (${text.length} bytes)`;
}
