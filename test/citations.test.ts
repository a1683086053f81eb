/**
 * Comments and documents name only files, commands, options and metrics that exist. Exempt are the changelog's past releases
 * and superseded decisions.
 */
import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readDocument } from './doc-tables.ts';
import { collectingMetrics, servingMetrics } from './support/defined-metrics.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const tree = globSync('**/*', {
  cwd: checkout,
  exclude: (name) => /(^|\/)(node_modules|dist|\.git)$/.test(name),
}).concat(globSync('{.ci,.github}/**/*', { cwd: checkout }));

/** A text of the tree that cites others. */
interface CitingText {
  readonly name: string;
  readonly text: string;
}

const documents: readonly CitingText[] = tree
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: currentPart(name, readDocument(name)) }));
const programs = textsOf('{src,test,bench,build,sample,conformance}/**/*.ts');
const operations = textsOf('{ops/**,Dockerfile,.ci/run,.github/**/*.yml}');
const comments = programs.map(({ name, text }) => ({ name, text: commentsOf(text) }));

test('every file and folder named in a comment or document exists', () => {
  const unknown = citations([...documents, ...comments, ...operations], (text) => [
    ...text.matchAll(
      /(?<![\w/@.*{}-])(?:\.{1,2}\/)*(\w[\w.-]*(?:\/[\w.-]+)*\.(?:ts|css|md|service|timer))\b/g,
    ),
    ...text.matchAll(/`((?:[a-z][\w-]*\/)+)`/g),
    ...text.matchAll(
      /(?<![\w/.-])((?:src|test|docs|bench|build|ops|sample|conformance)\/[\w./-]*\w)(?![\w*{-])/g,
    ),
  ]).filter(({ cited }) => !isInTree(cited) && !cited.includes('NAME') && !madeFiles.test(cited));
  assert.deepEqual(unknown, []);
});

test('every command line in comments and documents has an existing command and options', () => {
  const known = optionsByCommand();
  const calls =
    /(?:(?<!-u )\bplugin-metrics|\bcli --) (?!plugin-metrics)([a-z]+)\b((?:[^|`"'\n\\;)]|\\\n)*)/g;
  const unknown: string[] = [];
  for (const { name, text } of [...documents.map(codeOf), ...operations, ...programs.map(quotedOf)])
    for (const [call, command = '', rest = ''] of text.matchAll(calls)) {
      const options = known.get(command);
      if (options === undefined) unknown.push(`${name}: ${call}`);
      for (const [option] of rest.matchAll(/--[a-z][a-z-]*/g))
        if (options !== undefined && !options.has(option)) unknown.push(`${name}: ${command} ${option}`);
    }
  assert.deepEqual(unknown, []);
});

test('every option that is named alone exists', () => {
  const known = new Set([...optionsByCommand().values()].flatMap((options) => [...options]));
  // Messages name options too. Style sheet properties, in draw/ and site/, look like options.
  const messages = programs.filter(({ name }) => /^src\/(?!draw|site)/.test(name));
  const unknown = [
    ...citations([...documents, ...comments], (text) => [...text.matchAll(/`(--[a-z][a-z-]*)(?: [^`]*)?`/g)]),
    ...citations(messages, (text) => [...text.matchAll(/(?<![\w-])(--[a-z][a-z-]*)(?![\w.-])/g)]),
  ].filter(({ cited }) => !known.has(cited) && !otherOptions.includes(cited));
  assert.deepEqual(unknown, []);
});

test('every metric that is named exists', () => {
  const known = [...servingMetrics, ...collectingMetrics].map(({ name }) => name);
  const unknown = citations([...documents, ...programs, ...operations], (text) => [
    ...text.matchAll(/\b(plugin_metrics_[a-z_]+)(?!\w|\.db)/g),
  ]).filter(
    ({ cited }) =>
      !known.includes(cited.replace(/_(bucket|sum|count)$/, '')) &&
      !otherNames.includes(cited) &&
      !(cited.endsWith('_') && known.some((name) => name.startsWith(cited))),
  );
  assert.deepEqual(unknown, []);
});

/** Files created by a build or a start. */
const madeFiles = /^(dist\/|sample\/sample\.db$)/;

/** Options of the checker, of the bench, of npm, of Node and of V8, and properties of style sheets. */
const otherOptions: readonly string[] = [
  ...[
    '--help',
    '--version',
    '--profile',
    '--subject',
    '--silent',
    '--no-concurrent-marking',
    '--test-global-setup',
    '--semi-space-growth-factor',
  ],
  ...['--only', '--rounds'],
  ...['--ground', '--text', '--plugin-chart-ground', '--plugin-chart-text', '--plugin-chart-accent'],
];

/** A lower-case variable, and databases of tests. */
const otherNames: readonly string[] = ['plugin_metrics_store', 'plugin_metrics_test_'];

interface Citation {
  readonly name: string;
  readonly cited: string;
}

function citations(
  texts: readonly CitingText[],
  find: (text: string) => readonly RegExpMatchArray[],
): readonly Citation[] {
  return texts.flatMap(({ name, text }) => find(text).map(([, cited = '']) => ({ name, cited })));
}

/** Matches a path of the tree, or the end of one: `collect/listener/` and `server.ts` are enough. */
function isInTree(cited: string): boolean {
  const path = cited.replace(/\/$/, '');
  return tree.some((one) => one === path || one.endsWith(`/${path}`));
}

/** The options of each command, from the table in docs/command-line.md. */
function optionsByCommand(): ReadonlyMap<string, ReadonlySet<string>> {
  const table = readDocument('docs/command-line.md');
  const byCommand = new Map<string, Set<string>>();
  for (const [, command = ''] of table.matchAll(/^\| `([a-z]+)(?: [^`]*)?` +\| [a-z]/gm))
    byCommand.set(command, new Set(['--help']));
  for (const [, option = '', commands = ''] of table.matchAll(/^\| `(--[a-z-]+)[^|]*\|.*\| ([^|]*)\|$/gm))
    for (const [, command = ''] of commands.matchAll(/`([a-z]+)(?: [a-z]+)?`/g))
      byCommand.get(command)?.add(option);
  return byCommand;
}

function textsOf(pattern: string): readonly CitingText[] {
  return globSync(pattern, { cwd: checkout })
    .filter((name) => statSync(join(checkout, name)).isFile())
    .map((name) => ({ name, text: readDocument(name) }));
}

function currentPart(name: string, text: string): string {
  if (name === 'CHANGELOG.md') return text.split(/^## \[\d/m)[0] ?? '';
  return /^Superseded by/m.test(text) ? '' : text;
}

function commentsOf(text: string): string {
  return (text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? []).join('\n');
}

/** The code in a document: fenced blocks and spans. */
function codeOf({ name, text }: CitingText): CitingText {
  return { name, text: (text.match(/^```[\s\S]*?^```$|`[^`\n]+`/gm) ?? []).join('\n') };
}

/** The command lines that a program has in quotes or backticks. */
function quotedOf({ name, text }: CitingText): CitingText {
  return { name, text: (text.match(/["'`]plugin-metrics [a-z]+[^"'`\n]*["'`]/g) ?? []).join('\n') };
}
