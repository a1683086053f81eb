// The words of the tree: doc comments begin with a noun or a verb, and nothing is a riddle.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Openers with which a doc comment does not say what the thing is or does, and words for which there are plainer ones. */
const riddles = [
  /^\/\*\*[\s*]+(What|Whether|How|Such|Where|Whom?|Whose|Which|Why|When|That|If|Of|So many|In place)\b/,
  /\b(mend(s|ed|ing)?|anew|out of reach|to be had|whoever|anybody|takes? no notice|held against)\b/i,
];

test('comments and documents use plain words', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync('{README.md,docs/*.md,{src,test,bench,build,sample,conformance,compare}/**/*.ts}', {
    cwd,
    exclude: ['test/words.test.ts'],
  });
  const faults = files.flatMap((file) => {
    const text = readFileSync(`${cwd}/${file}`, 'utf8');
    const passages = file.endsWith('.md')
      ? text.split('\n')
      : (text.match(/\/\*[\s\S]*?\*\/|\/\/ .*/g) ?? []);
    return passages
      .filter((passage) => riddles.some((riddle) => riddle.test(passage)))
      .map((passage) => `${file}: ${passage}`);
  });
  assert.deepEqual(faults, []);
});
