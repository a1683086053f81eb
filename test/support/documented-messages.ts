/** The table of messages in docs/operating.md, by which a user finds the way out. */
import assert from 'node:assert/strict';
import { readDocument } from '../doc-tables.ts';

const [, section = ''] = readDocument('docs/operating.md').split(
  '\n### An import or another command fails\n',
);
const [table = ''] = section.split('\n### ');

/** The messages, as they stand in the table: `…` is for what differs. */
export const documentedMessages: readonly string[] = [...table.matchAll(/^\| `(.*?)` +\|/gm)].map(
  ([, message = '']) => message,
);

/** Fails unless a message is in the table, and only once. Returns what the table has. */
export function assertDocumented(text: string): string {
  const found = documentedMessages.filter((message) => patternOf(message).test(text));
  assert.equal(found.length, 1, `${text} is in docs/operating.md ${found.length} times: ${found.join(', ')}`);
  return found[0] ?? '';
}

function patternOf(message: string): RegExp {
  return new RegExp(message.split('…').map(RegExp.escape).join('.*'));
}
