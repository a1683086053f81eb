/** The two shape keywords that compare neighbours: `orderedBy` and `uniqueBy`. */

import { type Finding, shorten } from './finding.ts';
import { asList, type Json } from './json.ts';
import { findNode, type JsonNode } from './json-text.ts';

/** Stands for the member's own name in a key; only for objects. */
const MEMBER_NAME = '@name';

/**
 * Items of an array, or values of an object, strictly ascending by the keys: a member name, an array index
 * or `@name`. Numbers compare as numbers, strings as their UTF-8 bytes.
 */
export function compileOrderedBy(operand: Json): (node: JsonNode, at: string) => readonly Finding[] {
  const keys = readKeys(operand, 'orderedBy');
  return (node, at) => {
    const entries = listEntries(node).map((entry) => keys.map((key) => readKey(entry, key)));
    for (const [index, entry] of entries.entries()) {
      const before = entries[index - 1];
      if (before !== undefined && compareKeys(before, entry) >= 0) {
        const got = `${shorten(before.join(' '))} before ${shorten(entry.join(' '))}`;
        return [{ expected: `${at} strictly ascending by ${keys.join(', ')}`, got }];
      }
    }
    return [];
  };
}

/** No two items of an array, or values of an object, with the same key. */
export function compileUniqueBy(operand: Json): (node: JsonNode, at: string) => readonly Finding[] {
  const keys = readKeys(operand, 'uniqueBy');
  return (node, at) => {
    const seen = new Set<string>();
    for (const entry of listEntries(node)) {
      const value = JSON.stringify(keys.map((key) => readKey(entry, key)));
      if (seen.has(value))
        return [{ expected: `${at} without two entries of one ${keys.join(', ')}`, got: value }];
      seen.add(value);
    }
    return [];
  };
}

interface Entry {
  readonly name: string;
  readonly value: JsonNode;
}

function readKeys(operand: Json, keyword: string): readonly (string | number)[] {
  return asList(operand, keyword).map((key) => {
    if (typeof key !== 'string' && typeof key !== 'number')
      throw new TypeError(`${keyword}: a key is a name or an index`);
    return key;
  });
}

function listEntries(node: JsonNode): readonly Entry[] {
  if (node.kind === 'object') return node.members;
  return node.kind === 'array' ? node.items.map((value, index) => ({ name: String(index), value })) : [];
}

/** A key that is missing, or neither number nor string, counts as its text: other keywords check types. */
function readKey(entry: Entry, key: string | number): string | number {
  if (key === MEMBER_NAME) return entry.name;
  const node = findNode(entry.value, [key]);
  return node?.kind === 'number' || node?.kind === 'string' ? node.value : (node?.text ?? '');
}

function compareKeys(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (const [index, a] of left.entries()) {
    const b = right[index] ?? '';
    const difference =
      typeof a === 'number' && typeof b === 'number'
        ? a - b
        : Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`));
    if (difference !== 0) return difference;
  }
  return 0;
}
