// The words of the tree: doc comments begin with a noun or a verb, nothing is a riddle, and names have one
// meaning.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/**
 * Openers with which a doc comment does not say what the thing is or does, and words for which there are
 * plainer ones.
 */
const riddles = [
  /^\/\*\*[\s*]+(What|Whether|How|Such|Where|Whom?|Whose|Which|Why|When|That|If|Of|So many|In place)\b/,
  /\b(mend(s|ed|ing)?|anew|out of reach|to be had|whoever|anybody|takes? no notice|held against)\b/i,
];

const cwd = fileURLToPath(new URL('..', import.meta.url));

test('comments and documents use plain words', () => {
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

test('lines of comments end at 110 characters', () => {
  const files = globSync('{src,test,bench,build,sample,conformance,compare,catalogues}/**/*.ts', { cwd });
  assert.deepEqual(
    files.flatMap((file) =>
      readFileSync(`${cwd}/${file}`, 'utf8')
        .split('\n')
        .filter(
          (line) => line.length > 110 && /^\s*(\/\/|\/?\*)/.test(line) && !line.includes('biome-ignore'),
        )
        .map((line) => `${file}: ${line}`),
    ),
    [],
  );
});

/** Comments, strings and the text of templates. */
const textOrComment = /\/\*[\s\S]*?\*\/|\/\/ .*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\$])*/g;

/** Identifiers of these words had several meanings; `snapshot` is the name of a table. */
const ambiguous =
  /snapshots?(?=[A-Z]|$)|Snapshot|moments?(?=[A-Z]|$)|Moment|^(TimeWindow|SteppedWindow|TimeRange|TakenTimes|ChartSpan)$/;
const kept = new Set(['snapshot', 'snapshots', 'fileSnapshot']);

test('no identifier has a word of several meanings', () => {
  const faults = [
    ...globSync('{src,test,bench,build,sample,conformance,compare}/**/*.ts', {
      cwd,
      exclude: ['test/words.test.ts'],
    }),
  ].flatMap((file) => {
    const code = readFileSync(`${cwd}/${file}`, 'utf8').replaceAll(textOrComment, '');
    const names = new Set(code.match(/[A-Za-z_$][\w$]*/g));
    return [...names]
      .filter((name) => ambiguous.test(name) && !kept.has(name))
      .map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(faults, []);
});

// The client and the reporter are packages of their own: their users import Chart and Plugin.
test('no two exports have one name, and none that of a global of Node or of browsers', () => {
  const files = globSync('src/**/*.ts', { cwd, exclude: ['src/client/**', 'src/reporter/**'] });
  const found = new Map<string, string[]>();
  for (const file of files)
    for (const [, name = ''] of readFileSync(`${cwd}/${file}`, 'utf8').matchAll(
      /^export (?:async |abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
    ))
      found.set(name, [...(found.get(name) ?? []), file]);
  assert.ok(found.size > 500);
  const [library = ''] = globSync(`${cwd}/node_modules/@typescript/*/lib/lib.dom.d.ts`);
  const globals = new Set([
    ...Object.getOwnPropertyNames(globalThis),
    ...Array.from(
      readFileSync(library, 'utf8').matchAll(/^(?:declare (?:var|function)|interface|type) (\w+)/gm),
      ([, name = '']) => name,
    ),
  ]);
  assert.ok(globals.has('Request') && globals.has('HTMLElement'));
  assert.deepEqual(
    [...found].filter(([name, { length }]) => length > 1 || globals.has(name)),
    [],
  );
});
