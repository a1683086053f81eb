/** The package: its files, and that it runs on its own. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { readDocument } from '../doc-tables.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { linksOf } from '../markdown.ts';
import { checkout, type InstalledPackage, installPackage } from './installed-package.ts';

let installed: InstalledPackage;
let server: ChildProcess | undefined;

before(async () => {
  installed = await installPackage();
});

after(async () => {
  server?.kill();
  if (server !== undefined && server.exitCode === null) await once(server, 'close');
  installed[Symbol.dispose]();
});

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

test('the installed program imports, and serves the interface, pages and pictures', async () => {
  copyFileSync(sampleFile, join(installed.folder, 'sample.ndjson.gz'));
  await run('npx', ['plugin-metrics', 'import', 'sample.ndjson.gz']);
  const base = await startServer();
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

test('without sharp only PNGs are missing', async () => {
  const base = await startServer(() => {
    for (const name of ['sharp', '@img'])
      rmSync(join(installed.folder, 'node_modules', name), { recursive: true });
  });
  assert.equal((await fetch(`${base}/embed/1337.svg`)).status, 200);
  assert.equal((await fetch(`${base}/embed/1337.png`)).status, 501);
  assert.equal((await fetch(`${base}/api/v1/plugins`)).status, 200);
});

/** Stops the running program and starts the installed one instead. */
async function startServer(prepare = () => {}): Promise<string> {
  server?.kill();
  if (server !== undefined && server.exitCode === null) await once(server, 'close');
  prepare();
  // Not npx, which would not pass on the signal.
  const program = join(installed.folder, 'node_modules/.bin/plugin-metrics');
  server = spawn(program, ['serve', '--port', '0'], {
    cwd: installed.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout ?? assert.fail('no output'), 'data');
  return /http:\S+/.exec(String(line))?.[0] ?? assert.fail(String(line));
}

async function run(program: string, argv: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, argv, { cwd: installed.folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return assert.fail(`${program} ${argv.join(' ')}: ${stdout}${stderr}`);
  }
}
