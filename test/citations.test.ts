/**
 * Comments and documents name only files, options and metrics that exist. Past releases in the changelog are
 * exempt.
 */
import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { metricHelp } from '../src/api/v2/metrics.ts';
import { optionText } from '../src/cli/command.ts';
import { commands } from '../src/cli/program.ts';
import { readDocument } from './doc-tables.ts';
import { allMetrics } from './support/defined-metrics.ts';

const tree = globSync('{.ci,.github,**}/**', {
  exclude: (name) => /(^|\/)(node_modules|dist|\.git|\.builds)$/.test(name),
});
const texts = (pattern: RegExp, part: (text: string, name: string) => string = String) =>
  tree
    .filter((name) => pattern.test(name) && statSync(name).isFile())
    .map((name) => ({ name, text: part(readDocument(name), name) }));
const documents = texts(/\.md$/, (text, name) =>
  name === 'CHANGELOG.md' ? (text.split(/^## \[\d/m)[0] ?? '') : text,
);
const comments = texts(/^(src|test|bench|build|sample|conformance)\/.*\.ts$/, (text) =>
  (text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? []).join('\n'),
);
const operations = texts(/^(ops\/|Dockerfile$|\.ci\/run$|\.github\/.*\.yml$)/);
const messages = texts(/^src\/(?!draw|site).*\.ts$/);

/** Each of the texts' citations that is not known. */
function unknown(
  cited: readonly { readonly name: string; readonly text: string }[],
  pattern: RegExp,
  isKnown: (citation: string) => boolean,
): string[] {
  return cited.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)]
      .map(([, citation = '']) => citation)
      .filter((citation) => !isKnown(citation))
      .map((citation) => `${name}: ${citation}`),
  );
}

test('every file and folder that is named exists', () => {
  const named =
    /(?<![\w/@.*{}%-])(?:\.{1,2}\/)*(\w[\w.-]*(?:\/[\w.-]+)*\.(?:ts|css|md|service|timer)|(?:src|test|docs|bench|build|ops|sample|conformance)\/[\w./-]*\w)(?![\w*{-])/g;
  const made = /^(dist\/|sample\/sample\.db$|postgresql\.service$)|NAME/;
  const isKnown = (path: string) =>
    made.test(path) || tree.some((one) => one === path || one.endsWith(`/${path}`));
  assert.deepEqual(unknown([...documents, ...comments, ...operations], named, isKnown), []);
});

test('every command and option that is named exists', () => {
  const names = Object.keys(commands).flatMap((name) => name.split(' '));
  const call = /(?:(?<!-u )`plugin-metrics|\bcli --) (?!plugin-metrics)([a-z]+)\b/g;
  const isCommand = (name: string) => names.includes(name);
  assert.deepEqual(unknown([...documents, ...operations, ...comments], call, isCommand), []);
  const options = Object.values(commands).flatMap(({ settings }) =>
    Object.entries(settings).map(([key, setting]) => optionText(key, setting).split(' ')[0]),
  );
  const isOption = (name: string) => options.includes(name) || otherOptions.includes(name);
  assert.deepEqual(unknown([...documents, ...comments], /`(--[a-z][a-z-]*)(?: [^`]*)?`/g, isOption), []);
  assert.deepEqual(unknown(messages, /(?<![\w-])(--[a-z][a-z-]*)(?![\w.-])/g, isOption), []);
});

/** Options of the checker, the bench, npm, Node and V8, and properties of style sheets. */
const otherOptions = [
  '--help --version --profile --subject --silent --only --rounds --no-concurrent-marking --test-global-setup --input-type',
  '--semi-space-growth-factor --ground --text --plugin-chart-ground --plugin-chart-text --plugin-chart-accent',
].flatMap((line) => line.split(' '));

test('every name in code quotes of the documents for developers stands in the tree', () => {
  const code = texts(/\.(ts|js|css|html|java|json|yml|yaml|conf|cfg|service)$|^(Dockerfile|\.ci\/run)$/).map(
    ({ text }) => text,
  );
  const inTree = new Set(code.flatMap((text) => text.match(/[\w$]+/g) ?? []));
  const forDevelopers = documents.filter(({ name }) =>
    /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/(extending|decisions)/.test(name),
  );
  // What SQLite and PostgreSQL have.
  const ofOthers = ['data_version', 'pg_trgm'];
  // A word of the code: two capitals or more, or one that is not the first, or an underscore. Others are
  // words of English, too.
  const quoted = forDevelopers.map(({ name, text }) => ({
    name,
    text: (text.match(/^```text\n[\s\S]*?^```$|`[^`\n]+`/gm) ?? []).join('\n'),
  }));
  const word = /(?<![\w./:-])#?([a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|[a-z]+(?:_[a-z]+)+)(?![\w./-])/g;
  assert.deepEqual(
    unknown(quoted, word, (name) => inTree.has(name) || ofOthers.includes(name)),
    [],
  );
});

test('every metric that is named exists', () => {
  const ofPlugins = Object.keys(metricHelp).map((name) => `plugin_metrics_${name}`);
  const known = [...allMetrics.map(({ name }) => name), ...ofPlugins];
  const isKnown = (name: string) => known.includes(name.replace(/_(bucket|sum|count)$/, ''));
  const named = /\b(plugin_metrics_(?!store\b|test)[a-z_]+[a-z])(?!\w|\.db|\*)/g;
  assert.deepEqual(unknown([...documents, ...comments, ...operations], named, isKnown), []);
});
