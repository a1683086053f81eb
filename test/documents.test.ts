/**
 * The documents compared with the tree: tables, links, scripts, rooms, packages and versions that they name.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { storeVersion } from '../src/store/store-version.ts';
import { documentsWithTables, readDocument, withTables } from './doc-tables.ts';
import { headingsOf, linksOf, sectionOf } from './markdown.ts';

const documents = globSync('**/*.md', {
  exclude: (name) => /(^|\/)(node_modules|dist|\.builds)$/.test(name),
});
const architecture = readDocument('ARCHITECTURE.md');
const manifest = JSON.parse(readDocument('package.json')) as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

for (const name of documentsWithTables) {
  test(`${name} has the tables that the code generates (otherwise run \`npx node test/doc-tables.ts\`)`, () => {
    const document = readDocument(name);
    assert.equal(document, withTables(document));
  });
}

test('every link leads to an existing target', () => {
  const broken = documents.flatMap((name) =>
    linksOf(readDocument(name)).flatMap((link) => {
      const [path = '', heading] = link.split('#');
      const target = path === '' ? name : join(dirname(name), path);
      const isThere =
        existsSync(target) && (heading === undefined || headingsOf(readDocument(target)).includes(heading));
      return isThere ? [] : [`${name}: ${link}`];
    }),
  );
  assert.deepEqual(broken, []);
});

test('every script that is named exists, and the workflow runs every suite', () => {
  const scriptsIn = (name: string) =>
    [...readDocument(name).matchAll(/\bnpm (?:run (?:--silent )?|(?=test\b))([a-z]+(?:[:-][a-z]+)*)/g)].map(
      ([, script = '']) => script,
    );
  const workflow = '.github/workflows/ci.yml';
  for (const name of [...documents, workflow].filter((one) => one !== 'CHANGELOG.md'))
    for (const script of scriptsIn(name)) assert.ok(script in manifest.scripts, `${name}: ${script}`);
  const suites = Object.keys(manifest.scripts).filter((name) =>
    /^(test|lint|types|coverage)(?!:(?:all|more))(:|$)/.test(name),
  );
  const missing = suites.filter((name) => !scriptsIn(workflow).includes(name));
  assert.deepEqual(missing, []);
});

test('the tree in ARCHITECTURE.md has existing paths and every room, and its table every package', () => {
  const [, tree = ''] = /```\w+\n([\s\S]*?)```/.exec(sectionOf(architecture, 'The tree')) ?? [];
  const named = [...tree.matchAll(/^\S+/gm)].map(([path]) => path);
  const rooms = globSync('src/*/').map((room) => `${room.replace(/\/$/, '')}/`);
  assert.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
  assert.deepEqual(
    rooms.filter((room) => !named.includes(room)),
    [],
  );
  const table = sectionOf(architecture, 'Packages at run time');
  const packages = [...table.matchAll(/^\| \[([^\]]+)\]/gm)].map(([, name]) => name);
  assert.deepEqual(packages.sort(), Object.keys(manifest.dependencies).sort());
});

test('the version is that of the last release and of the package in the documents', () => {
  const texts = documents
    .filter((name) => name.startsWith('docs/'))
    .map(readDocument)
    .join('\n');
  const [, released] = /^## \[(\d[^\]]*)\]/m.exec(readDocument('CHANGELOG.md')) ?? [];
  const packed = [...texts.matchAll(/plugin-metrics-(?:client-)?(\d[\d.]*)\.tgz/g)].map(
    ([, version]) => version,
  );
  assert.deepEqual([...new Set([released, ...packed])], [manifest.version]);
});

test('the table of store versions ends with the version that this program creates', () => {
  const [table = ''] = /\| program \| store \|\n(?:\|.*\n)+/.exec(readDocument('docs/operating.md')) ?? [];
  assert.equal(table.trimEnd().split(' | ').at(-1), `${storeVersion} |`);
});
