/** The package: its files, and that it runs on its own. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { readDocument } from '../doc-tables.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { linksOf } from '../markdown.ts';
import { type Serving, startServing } from '../serve/support/serving.ts';
import { childrenOf } from '../support/child-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import { checkout, type InstalledPackage, installPackage } from './installed-package.ts';

let installed: InstalledPackage;

before(async () => {
  installed = await installPackage();
});

after(() => installed[Symbol.dispose]());

test('the package has the program, its documents and its resources, and nothing else', () => {
  const modules = globSync('**/*.ts', { cwd: join(checkout, 'src'), exclude: ['site/browser/**'] });
  const typedModules = modules.filter((name) => ['client', 'reporter'].includes(dirname(name)));
  const expected = [
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'SECURITY.md',
    'README.md',
    'openapi.json',
    'package.json',
    'dist/client.min.js',
    'sample/sample.ndjson.gz',
    ...globSync('dist/browser/*', { cwd: checkout }),
    ...globSync(['docs/**', 'fonts/*', 'ops/**', 'reporter/**'], { cwd: checkout }).filter(
      (path) => statSync(join(checkout, path)).isFile() && !path.includes('compose.'),
    ),
    ...modules.map((name) => `dist/${name.replace(/\.ts$/, '.js')}`),
    ...[...typedModules, 'model/chart-types.ts'].map((name) => `dist/${name.replace(/\.ts$/, '.d.ts')}`),
  ];
  const files = installed.packed.files.map(({ path }) => path);
  assert.deepEqual(files.sort(), expected.map((path) => path.replaceAll('\\', '/')).sort());
});

test('every link and picture of a document points to a file of the package', () => {
  const root = join(installed.folder, 'node_modules/plugin-metrics');
  const documents = globSync('**/*.md', { cwd: root, exclude: ['node_modules'] });
  const links = documents.flatMap((name) =>
    linksOf(readFileSync(join(root, name), 'utf8')).map((link) => ({ name, link })),
  );
  assert.ok(documents.length > 20 && links.length > 100);
  assert.deepEqual(
    links.filter(({ name, link }) => !existsSync(join(root, dirname(name), link.replace(/#.*/, '')))),
    [],
  );
});

test('an unpacked package installs without a checkout, and names only its own files', () => {
  const root = join(installed.folder, 'node_modules/plugin-metrics');
  const packed = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly bin: Readonly<Record<string, string>>;
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
    readonly engines: Readonly<Record<string, string>>;
  };
  const ofInstall = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ];
  assert.deepEqual(
    Object.keys(packed.scripts).filter((name) => [...ofInstall, 'dependencies'].includes(name)),
    [],
  );
  const named = [packed.bin, ...Object.values(packed.exports)].flatMap((one) =>
    typeof one === 'string' ? [one] : Object.values(one),
  );
  for (const file of named) assert.ok(existsSync(join(root, file)), file);
  const [, oldestNode = ''] = /oldestNode = (\d+)/.exec(readDocument('src/main.ts')) ?? [];
  assert.deepEqual(packed.engines, { node: `>=${oldestNode}` });
});

test('the package has the documented size', () => {
  const [, saidMb = ''] = /one file of (\d+) MB/.exec(readDocument('docs/operating.md')) ?? [];
  assert.equal((installed.packed.size / 1e6).toFixed(0), saidMb);
});

test('the installed program shows the demo in the folder in which it is started', async () => {
  const folder = join(installed.folder, 'trial');
  mkdirSync(folder);
  const program = join(installed.folder, 'node_modules/.bin/plugin-metrics');
  const ports = ['--port', '0', '--collector-port', '0', '--pages-port', '0'];
  const child = spawn(program, ['demo', ...ports], { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  await waitUntil(
    () => /^ {2}reports to http/m.test(output),
    () => output,
  );
  const [, address = ''] = /^listening on (\S+)$/m.exec(output) ?? [];
  assert.equal((await fetch(`${address}/plugin/1337`)).status, 200);
  assert.deepEqual(readdirSync(folder), ['plugin-metrics-demo']);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null], output);
});

test('the installed program imports, and serves the interface, pages and pictures', async () => {
  copyFileSync(sampleFile, join(installed.folder, 'sample.ndjson.gz'));
  await run('npx', ['plugin-metrics', 'import', 'sample.ndjson.gz']);
  await using server = await startInstalled('serve');
  const base = server.url;
  const expected: Readonly<Record<string, RegExp>> = {
    '/api/v1/plugins/1337': /^application\/json/,
    '/openapi.json': /^application\/(json|openapi\+json)/,
    '/': /^text\/html/,
    '/embed/1337.svg': /^image\/svg\+xml/,
    '/embed/1337.png': /^image\/png$/,
    '/embed.js': /^text\/javascript/,
  };
  for (const [path, mediaType] of Object.entries(expected)) {
    const response = await fetch(base + path);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type') ?? '', mediaType);
    await response.arrayBuffer();
  }
  const page = await (await fetch(`${base}/`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css)[^"]*)"/g)].map(
    ([, path = '']) => path,
  );
  assert.ok(assets.length > 0, page);
  for (const path of assets) assert.equal((await fetch(base + path)).status, 200, path);
});

describe('while an upgrade has the package away', () => {
  const modules = () => join(installed.folder, 'node_modules');
  const publicUrl = ['--public-url', 'https://metrics.example.org'];
  const away = () => join(installed.folder, 'away');
  const paths = [
    ...['/', '/about', '/compare?charts=1337:players', '/plugin/1337', '/favicon.svg', '/openapi.json'],
    ...['/embed.js', '/embed/1337.svg', '/badge/1337/players.svg', '/sitemap.xml', '/robots.txt', '/nothing'],
    ...['/plugin/bukkit/ExamplePlugin/1337/players.csv', '/api/v2/series?charts=1337:os&range=1y&step=7d'],
    ...['/api/v2/plugins/1337/archive', '/api/v1/plugins/1337/charts/none'],
    // Each size opens the fonts again.
    ...[1, 2, 3].map((scale) => `/embed/1337.png?scale=${scale}`),
  ];
  const answersOf = async (url: string) => {
    const answers: Record<string, string> = {};
    for (const path of paths) {
      const response = await fetch(url + path);
      const hash = createHash('sha256').update(Buffer.from(await response.arrayBuffer()));
      answers[path] = `${response.status} ${hash.digest('hex')}`;
    }
    return answers;
  };

  test('a server answers everything as before, and a collector closes its slots', async () => {
    await run('npx', ['plugin-metrics', 'add', 'software', 'bukkit', '--store', 'collected.db']);
    await using collector = await startInstalled('collect', '--slot', '1m', '--store', 'collected.db');
    const closings = () => collector.stderr().match(/"slot (?:closed|left out)/g)?.length ?? 0;
    await using server = await startInstalled('serve', '--workers', '2', ...publicUrl);
    await waitUntil(() => closings() > 0);
    // The last that a process loads is sharp.
    for (const pid of await childrenOf(server.pid))
      await waitUntil(() => /sharp-/.test(readFileSync(`/proc/${pid}/maps`, 'utf8')));
    renameSync(modules(), away());
    const answers = await answersOf(server.url).finally(async () => {
      const before = closings();
      await waitUntil(() => closings() > before).finally(() => renameSync(away(), modules()));
    });
    await using fresh = await startInstalled('serve', ...publicUrl);
    assert.deepEqual(answers, await answersOf(fresh.url));
    assert.doesNotMatch(server.stderr() + collector.stderr(), /error/);
  });

  test('what could not be loaded is loaded by the next request', async () => {
    await using server = await startInstalled('serve', ...publicUrl);
    renameSync(modules(), away());
    for (const path of paths) await fetch(server.url + path);
    renameSync(away(), modules());
    await using fresh = await startInstalled('serve', ...publicUrl);
    assert.deepEqual(await answersOf(server.url), await answersOf(fresh.url));
  });
});

test('without sharp only PNGs are missing', async () => {
  for (const name of ['sharp', '@img'])
    rmSync(join(installed.folder, 'node_modules', name), { recursive: true });
  await using server = await startInstalled('serve');
  assert.equal((await fetch(`${server.url}/embed/1337.svg`)).status, 200);
  assert.equal((await fetch(`${server.url}/embed/1337.png`)).status, 501);
  assert.equal((await fetch(`${server.url}/api/v1/plugins`)).status, 200);
});

/** Starts the installed program, and waits until it listens. */
function startInstalled(command: 'serve' | 'collect', ...argv: readonly string[]): Promise<Serving> {
  // Not npx, which would not pass on the signal.
  const program = join(installed.folder, 'node_modules/.bin/plugin-metrics');
  const start = (all: readonly string[]) => spawn(program, all, { cwd: installed.folder });
  return startServing(argv, { start, ...(command === 'collect' ? { command } : {}) });
}

async function run(program: string, argv: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, argv, { cwd: installed.folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return assert.fail(`${program} ${argv.join(' ')}: ${stdout}${stderr}`);
  }
}
