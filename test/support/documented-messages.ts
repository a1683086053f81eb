/** The table of messages in docs/operating.md, in which users look up the remedy. */
import assert from 'node:assert/strict';
import { readDocument } from '../doc-tables.ts';

const [, section = ''] = readDocument('docs/operating.md').split(
  '\n### An import or another command fails\n',
);
const [table = ''] = section.split('\n### ');

/** The messages as they are in the table; `…` stands for the varying parts. */
export const documentedMessages: readonly string[] = [...table.matchAll(/^\| `(.*?)` +\|/gm)].map(
  ([, message = '']) => message,
);

/** Fails unless the table contains a message exactly once. Returns its text in the table. */
export function assertDocumented(text: string): string {
  const found = documentedMessages.filter((message) => patternOf(message).test(text));
  assert.equal(found.length, 1, `${text} is in docs/operating.md ${found.length} times: ${found.join(', ')}`);
  return found[0] ?? '';
}

function patternOf(message: string): RegExp {
  return new RegExp(message.split('…').map(RegExp.escape).join('.*'));
}
