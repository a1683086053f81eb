/** The documents compared with the tree: tables, links, scripts, rooms and packages that they name. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documentsWithTables, readDocument, withTables } from './doc-tables.ts';
import { codeBlocks, headingsOf, linksOf, sectionOf, shellBlocks } from './markdown.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const architecture = readDocument('ARCHITECTURE.md');

describe('the documentation', () => {
  const documents = globSync('**/*.md', {
    cwd: checkout,
    exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
  });

  for (const name of documentsWithTables) {
    it(`has in ${name} the tables that the code generates (otherwise run \`npx node test/doc-tables.ts\`)`, () => {
      const document = readDocument(name);
      assert.equal(document, withTables(document));
    });
  }

  it('links only to existing targets', () => {
    assert.ok(
      documents.includes('README.md') && documents.some((name) => name.startsWith('docs/decisions/')),
    );
    const broken = documents.flatMap((name) =>
      linksOf(readDocument(name)).flatMap((link) => (leadsSomewhere(name, link) ? [] : [`${name}: ${link}`])),
    );
    assert.deepEqual(broken, []);
  });

  it('names only scripts that package.json has', () => {
    const known = Object.keys(packageJson().scripts);
    const current = documents.filter((name) => name !== 'CHANGELOG.md');
    const unknown = current.flatMap((name) =>
      [...readDocument(name).matchAll(/\bnpm run (?:--silent )?([a-z]+(?::[a-z]+)*)/g)]
        .filter(([, script = '']) => !known.includes(script))
        .map(([command]) => `${name}: ${command}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('lists only existing paths in its tree, and every room', () => {
    const section = sectionOf(architecture, 'The tree');
    const [tree = ''] = codeBlocks(section).map(({ text }) => text);
    const named = tree.split('\n').map((line) => line.split(' ')[0] ?? '');
    assert.deepEqual(
      named.filter((path) => !existsSync(join(checkout, path))),
      [],
    );
    const rooms = globSync('src/*/', { cwd: checkout }).map(
      (room) => `${room.replaceAll('\\', '/').replace(/\/$/, '')}/`,
    );
    assert.deepEqual(
      rooms.filter((room) => !named.includes(room)),
      [],
    );
  });

  it('gives each decision a unique number, which its title shows', () => {
    const decisions = documents.filter((name) => name.startsWith('docs/decisions/'));
    const numbers = decisions.map((name) => Number(/\d{4}/.exec(name)?.[0]));
    assert.equal(new Set(numbers).size, decisions.length);
    for (const [index, name] of decisions.entries())
      assert.ok(readDocument(name).startsWith(`# ${numbers[index]}. `), name);
  });

  it('begins in README.md with one command to start and one to test, which `.ci/run` takes from there', () => {
    const installing = shellBlocks(readDocument('README.md'))
      .map(({ command }) => command)
      .filter((command) => command.startsWith('npm install'));
    assert.deepEqual(installing, ['npm install && npm start', 'npm install && npm test']);
    const script = readDocument('.ci/run');
    const [taking = ''] = /^test_command=.*$/m.exec(script) ?? [];
    assert.ok(script.includes(`${taking}\nbash -c "$test_command"\n`));
    const take = (cwd: string) =>
      spawnSync('bash', ['-c', `set -e\n${taking}\nprintf %s "$test_command"`], { cwd, encoding: 'utf8' });
    assert.equal(take(checkout).stdout, installing[1]);
    using empty = temporaryDirectory();
    writeFileSync(empty.at('README.md'), '# plugin-metrics\n');
    const { status, stdout, stderr } = take(empty.path);
    assert.deepEqual([status, stdout, stderr], [1, '', 'README.md has no command for the tests\n']);
  });

  it('serves, collects and mirrors with one store on a machine: that of the units', () => {
    const unit = readDocument('ops/systemd/plugin-metrics.service');
    const [, served] = /^Environment=PLUGIN_METRICS_STORE=sqlite:(\S+)$/m.exec(unit) ?? [];
    const written = documents.flatMap((name) =>
      [
        ...readDocument(name).matchAll(
          /\bplugin-metrics (?:serve|collect|mirror) [^\n]*--store (\/var\/\S+)/g,
        ),
      ].map(([, store]) => store),
    );
    assert.deepEqual([...new Set(written)], [served]);
  });

  it('names the version of package.json as that of the last release and of the package', () => {
    const { version } = packageJson();
    const [, released] = /^## \[(\d[^\]]*)\]/m.exec(readDocument('CHANGELOG.md')) ?? [];
    const packed = documents
      .filter((name) => name.startsWith('docs/'))
      .flatMap((name) => [...readDocument(name).matchAll(/plugin-metrics-(\d[\d.]*)\.tgz/g)])
      .map(([, named]) => named);
    assert.deepEqual([...new Set([released, ...packed])], [version]);
  });

  it('explains every runtime dependency', () => {
    const section = sectionOf(architecture, 'Packages at run time');
    const named = [...section.matchAll(/^\| \[([^\]]+)\]/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys(packageJson().dependencies).sort());
  });
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(checkout, target))) return false;
  return heading === undefined || headingsOf(readDocument(target)).includes(heading);
}

function packageJson() {
  return JSON.parse(readDocument('package.json')) as {
    readonly version: string;
    readonly scripts: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
  };
}
