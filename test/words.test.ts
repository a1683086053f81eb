// The words of the tree: doc comments begin with a noun or a verb, and comments and documents use plain words.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const codeFolders = ['src', 'test', 'bench', 'build', 'sample', 'conformance', 'compare'];

/** Openers that make a doc comment a riddle, since it then does not say what the thing is or does. */
const opener = /^\/\*\*[\s*]+(What|Whether|How|Such|Where|Whom?|Whose|Which|Why|When|That|If)\b/;

/** Doc comments without information. */
const empty = /^\/\*\*[\s*]+(What it needs|One of them|All of them|The same|Options|Its options)\.?\s*\*\/$/i;

/** Words to avoid, with plain alternatives. */
const riddles: Readonly<Record<string, string>> = {
  'mend(?:s|ed|ing)?': 'fix, repair',
  anew: 'again',
  'let(?:s|ting)? go': 'drop, release',
  'go(?:es)? under|went under': 'fail, break',
  'what stands': 'name the thing',
  'out of reach': 'unreachable',
  'to be had': 'available',
  'to the letter': 'exactly, unchanged',
  'whoever|anybody': 'the client, any user',
  'takes? no notice': 'ignore',
  'mean(?:s|t)? harm': 'hostile',
  'held against': 'compared with',
  '(?:in|with) which words': 'the message',
  '(?:that|which) is none': 'invalid',
  'in the place of': 'instead of',
  'what is there': 'existing',
};
const riddle = new RegExp(`\\b(?:${Object.keys(riddles).join('|')})\\b`, 'i');

test('doc comments begin with a noun or a verb, and say something', () => {
  const faults = comments().filter(({ text }) => opener.test(text) || empty.test(text));
  assert.deepEqual(faults.map(placeOf), []);
});

test('comments, test names and documents use plain words', () => {
  const places = [...comments(), ...testNames(), ...paragraphs()]
    .filter(({ text }) => riddle.test(text))
    .map(placeOf);
  assert.deepEqual(places, []);
});

test('forbidden words are found, and plain sentences pass', () => {
  for (const text of ['/** What it needs. */', '/**\n * Whether it is so. */', '/** How long. */'])
    assert.ok(opener.test(text) || empty.test(text), text);
  for (const text of ['/** Parses what a client sent. */', '/** Limit on the wait. */'])
    assert.ok(!opener.test(text) && !empty.test(text), text);
  for (const text of ['it lets go of them', 'made anew']) assert.match(text, riddle);
  for (const text of ['it lets others go', 'recommended', 'no one waits']) assert.doesNotMatch(text, riddle);
});

/** Text with its place in the tree. */
interface Passage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function placeOf({ file, line, text }: Passage): string {
  return `${file}:${line}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`;
}

/** Block comments one by one, and consecutive line comments joined. */
function comments(): Passage[] {
  return passages(
    codeFolders.flatMap((folder) => listFiles(folder, '.ts')),
    /\/\*\*?[\s\S]*?\*\/|(?:(?<=^|\s)\/\/[^\n]*(?:\n\s*)?)+/g,
  );
}

function testNames(): Passage[] {
  return passages(listFiles('test', '.ts'), /\b(?:test|it|describe)\(\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`]*`)/g);
}

/** Lines of the documents; the changelog and the decisions are not checked. */
function paragraphs(): Passage[] {
  const documents = ['README.md', ...listFiles('docs', '.md')].filter(
    (file) => !file.startsWith('docs/decisions/'),
  );
  return passages(documents, /^[^\n]+$/gm);
}

function passages(files: readonly string[], pattern: RegExp): Passage[] {
  return files
    .filter((file) => file !== 'test/words.test.ts')
    .flatMap((file) => {
      const content = readFileSync(absolute(file), 'utf8');
      return [...content.matchAll(pattern)].map(({ 0: text, index }) => ({
        file,
        line: content.slice(0, index).split('\n').length,
        text,
      }));
    });
}

function listFiles(folder: string, extension: string): string[] {
  return readdirSync(absolute(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function absolute(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
