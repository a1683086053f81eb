/**
 * Shapes: a small language, much like JSON Schema, that describes a body. A shape is compiled completely
 * before use, so a mistyped keyword is an error even if no answer reaches it.
 */

import { type Finding, shorten } from './finding.ts';
import { asList, asNumber, asObject, asString, isList, type Json, type JsonObject } from './json.ts';
import type { JsonNode } from './json-text.ts';
import { compileOrderedBy, compileUniqueBy } from './shape-order.ts';

/** Lists the faults of a value; `at` names its place in the body. */
export type Check = (node: JsonNode, at: string) => readonly Finding[];

/** Named shapes, which `{"is": "name"}` refers to. */
export type Shapes = JsonObject;

const MAX_FINDINGS = 3;

/** Compiles a shape; throws if it has an unknown keyword, or uses one wrongly. */
export function compileShape(shape: Json | undefined, shapes: Shapes): Check {
  const checks = Object.entries(asObject(shape, 'shape')).map(([keyword, operand]) => {
    const compile = KEYWORDS.get(keyword);
    if (compile === undefined) throw new TypeError(`shape: there is no keyword "${keyword}"`);
    return compile(operand, shapes);
  });
  return (node, at) => collect(checks.map((check) => () => check(node, at)));
}

const KEYWORDS: ReadonlyMap<string, (operand: Json, shapes: Shapes) => Check> = new Map([
  ['is', (operand, shapes) => compileShape(shapes[asString(operand, 'is')], shapes)],
  ['allOf', compileAllOf],
  ['when', compileWhen],
  ['type', compileType],
  ['const', compileConst],
  ['minimum', (operand) => compileNumber('at least', operand, (value, limit) => value >= limit)],
  ['maximum', (operand) => compileNumber('at most', operand, (value, limit) => value <= limit)],
  ['shortestNumber', () => verify('a number in its shortest form', isShortestNumber)],
  ['pattern', (operand) => compilePattern(asString(operand, 'pattern'))],
  ['minLength', (operand) => compileLength('at least', operand, (length, limit) => length >= limit)],
  ['maxLength', (operand) => compileLength('at most', operand, (length, limit) => length <= limit)],
  ['minItems', (operand) => compileItemCount('at least', operand, (count, limit) => count >= limit)],
  ['maxItems', (operand) => compileItemCount('at most', operand, (count, limit) => count <= limit)],
  ['items', compileItems],
  ['prefixItems', compilePrefixItems],
  ['properties', compileProperties],
  ['values', compileValues],
  ['names', compileNames],
  ['required', compileRequired],
  ['forbidden', compileForbidden],
  ['members', (operand) => compileMembers(operand, false)],
  ['firstMembers', (operand) => compileMembers(operand, true)],
  ['orderedBy', compileOrderedBy],
  ['uniqueBy', compileUniqueBy],
] satisfies [string, (operand: Json, shapes: Shapes) => Check][]);

function compileAllOf(operand: Json, shapes: Shapes): Check {
  const checks = asList(operand, 'allOf').map((shape) => compileShape(shape, shapes));
  return (node, at) => collect(checks.map((check) => () => check(node, at)));
}

function compileWhen(operand: Json, shapes: Shapes): Check {
  const { if: condition, must } = asObject(operand, 'when', ['if', 'must']);
  const applies = compileShape(condition, shapes);
  const check = compileShape(must, shapes);
  return (node, at) => (applies(node, at).length === 0 ? check(node, at) : []);
}

function compileType(operand: Json): Check {
  const types = (isList(operand) ? operand : [operand]).map((type) => asString(type, 'type'));
  const known = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
  const stranger = types.find((type) => !known.includes(type));
  if (stranger !== undefined) throw new TypeError(`type: "${stranger}" is none of ${known.join(', ')}`);
  return verify(types.join(' or '), (node) =>
    types.some((type) => type === node.kind || isInteger(type, node)),
  );
}

function compileConst(operand: Json): Check {
  const expected = JSON.stringify(operand);
  return verify(expected, (node) => JSON.stringify(JSON.parse(node.text)) === expected);
}

/** Judged by the text: `1.0` and `1e3` are numbers, but not written as integers. */
function isInteger(type: string, node: JsonNode): boolean {
  return type === 'integer' && node.kind === 'number' && /^-?[0-9]+$/.test(node.text);
}

/** Integers that a double holds exactly are written as integers; no number is longer than necessary. */
function isShortestNumber(node: JsonNode): boolean {
  if (node.kind !== 'number') return false;
  if (Number.isSafeInteger(node.value)) return node.text === String(node.value);
  return node.text.length <= String(node.value).length;
}

function compileNumber(
  words: string,
  operand: Json,
  holds: (value: number, limit: number) => boolean,
): Check {
  const limit = asNumber(operand, words);
  return verify(`${words} ${limit}`, (node) => node.kind !== 'number' || holds(node.value, limit));
}

function compilePattern(source: string): Check {
  const pattern = new RegExp(source, 'u');
  return verify(`text matching ${source}`, (node) => node.kind !== 'string' || pattern.test(node.value));
}

function compileLength(
  words: string,
  operand: Json,
  holds: (length: number, limit: number) => boolean,
): Check {
  const limit = asNumber(operand, words);
  return verify(
    `${words} ${limit} characters`,
    (node) => node.kind !== 'string' || holds([...node.value].length, limit),
  );
}

function compileItemCount(
  words: string,
  operand: Json,
  holds: (count: number, limit: number) => boolean,
): Check {
  const limit = asNumber(operand, words);
  return (node, at) =>
    node.kind !== 'array' || holds(node.items.length, limit)
      ? []
      : [{ expected: `${words} ${limit} items in ${at}`, got: `${node.items.length} items` }];
}

function compileItems(operand: Json, shapes: Shapes): Check {
  const check = compileShape(operand, shapes);
  return (node, at) =>
    node.kind === 'array'
      ? collect(node.items.map((item, index) => () => check(item, `${at}[${index}]`)))
      : [];
}

function compilePrefixItems(operand: Json, shapes: Shapes): Check {
  const checks = asList(operand, 'prefixItems').map((shape) => compileShape(shape, shapes));
  return (node, at) => {
    if (node.kind !== 'array') return [];
    if (node.items.length < checks.length) {
      return [{ expected: `${checks.length} items in ${at}`, got: `${node.items.length} items` }];
    }
    return collect(
      checks.map((check, index) => () => {
        const item = node.items[index];
        return item === undefined ? [] : check(item, `${at}[${index}]`);
      }),
    );
  };
}

function compileProperties(operand: Json, shapes: Shapes): Check {
  const checks = new Map(
    Object.entries(asObject(operand, 'properties')).map(([name, shape]) => [
      name,
      compileShape(shape, shapes),
    ]),
  );
  return eachMember((member, at) => checks.get(member.name)?.(member.value, at) ?? []);
}

function compileValues(operand: Json, shapes: Shapes): Check {
  const check = compileShape(operand, shapes);
  return eachMember((member, at) => check(member.value, at));
}

function compileNames(operand: Json): Check {
  const pattern = new RegExp(asString(operand, 'names'), 'u');
  return eachMember((member, at) =>
    pattern.test(member.name) ? [] : [{ expected: `a name matching ${pattern.source}`, got: at }],
  );
}

function compileRequired(operand: Json): Check {
  const names = asList(operand, 'required').map((name) => asString(name, 'required'));
  return (node, at) => {
    const missing = names.filter((name) => !memberNames(node).includes(name));
    if (node.kind !== 'object' || missing.length === 0) return [];
    return [{ expected: `${missing.join(', ')} in ${at}`, got: `only ${memberNames(node).join(', ')}` }];
  };
}

function compileForbidden(operand: Json): Check {
  const names = asList(operand, 'forbidden').map((name) => asString(name, 'forbidden'));
  return eachMember((member, at) =>
    names.includes(member.name) ? [{ expected: `no ${at}`, got: shorten(member.value.text) }] : [],
  );
}

/** Exactly these members (or, with `open`, these first), in this order. */
function compileMembers(operand: Json, open: boolean): Check {
  const names = asList(operand, 'members').map((name) => asString(name, 'members'));
  return (node, at) => {
    if (node.kind !== 'object') return [];
    const found = memberNames(node);
    const compared = open ? found.slice(0, names.length) : found;
    if (compared.length === names.length && names.every((name, index) => name === compared[index])) return [];
    const wording = open ? 'beginning with the members' : 'with exactly the members';
    return [{ expected: `${at} ${wording} ${names.join(', ')}`, got: shorten(found.join(', ')) }];
  };
}

function memberNames(node: JsonNode): readonly string[] {
  return node.kind === 'object' ? node.members.map((member) => member.name) : [];
}

function eachMember(
  check: (member: { name: string; value: JsonNode }, at: string) => readonly Finding[],
): Check {
  return (node, at) =>
    node.kind === 'object'
      ? collect(node.members.map((member) => () => check(member, `${at}.${member.name}`)))
      : [];
}

function verify(expected: string, holds: (node: JsonNode) => boolean): Check {
  return (node, at) => (holds(node) ? [] : [{ expected: `${expected} at ${at}`, got: shorten(node.text) }]);
}

/**
 * Runs the checks until there are enough findings: a list of 30,000 wrong entries needs no 30,000 findings.
 */
function collect(checks: readonly (() => readonly Finding[])[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const check of checks) {
    if (findings.length >= MAX_FINDINGS) break;
    findings.push(...check());
  }
  return findings;
}
