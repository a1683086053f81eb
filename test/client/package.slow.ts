// The package of the client: installed alone, and the examples of docs/client.md, compiled and run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { readDocument } from '../doc-tables.ts';
import { serveSample } from '../http/support/test-server.ts';
import { type InstalledSmallPackage, installSmallPackage } from '../package/small-package.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const document = readDocument('docs/client.md');
const { url } = await serveSample();

let client: InstalledSmallPackage;
let installed = '';
let bundle = '';

before(async () => {
  client = await installSmallPackage('plugin-metrics-client');
  installed = join(client.folder, 'node_modules/plugin-metrics-client');
  bundle = join(installed, 'client.min.js');
});

after(() => client[Symbol.dispose]());

test('the package is for Node 20, and brings no other', () => {
  assert.deepEqual(client.manifest.engines, { node: '>=20' });
  assert.equal(client.manifest.dependencies, undefined);
  assert.deepEqual(Object.keys(client.packages), ['', 'node_modules/plugin-metrics-client']);
  const { version } = JSON.parse(readDocument('package.json')) as { readonly version: string };
  assert.equal(client.packages['node_modules/plugin-metrics-client']?.version, version);
});

test('the examples print the documented output', async () => {
  writeFileSync(join(client.folder, 'examples.js'), examples());
  const printed = await client.run('examples.js');
  // Lines of CSV end with CR and LF.
  const shown = printed.replaceAll(url, 'http://127.0.0.1:8080').replaceAll('\r\n', '\n');
  assert.equal(shown.trimEnd(), blocksOf('text').join('\n'));
});

const platforms = {
  'a browser': { lib: ['es2023', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' },
  Node: { lib: ['es2023'], types: ['node'], module: 'nodenext', moduleResolution: 'nodenext' },
};

for (const [platform, options] of Object.entries(platforms))
  test(`the examples compile with the types of ${platform}`, async () => {
    const directory = mkdtempSync(join(client.folder, 'compile-'));
    const typeRoots = [join(checkout, 'node_modules/@types')];
    const compilerOptions = { ...options, typeRoots, target: 'es2023', strict: true, noEmit: true };
    writeFileSync(join(directory, 'examples.ts'), examples());
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    await run('tsc', ['-p', directory]);
  });

test('the file for browsers has the documented size, and imports nothing', () => {
  const code = readFileSync(bundle);
  const sizeBytes = gzipSync(code, { level: 9 }).length;
  const [, saidKb] = /: ([\d.]+) KB gzipped/.exec(document) ?? [];
  assert.equal((Math.ceil(sizeBytes / 100) / 10).toFixed(1), saidKb);
  assert.ok(sizeBytes < 4500);
  assert.doesNotMatch(code.toString(), /\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
});

test('the file for browsers uses only browser APIs', async () => {
  // A script has no exports, so the module becomes a variable.
  const script = join(client.folder, 'client.js');
  await run('esbuild', [bundle, '--bundle', '--format=iife', '--global-name=client', `--outfile=${script}`]);
  const page = { textContent: '' };
  const context = createContext({
    fetch,
    URL,
    AbortSignal,
    setTimeout,
    clearTimeout,
    document: { querySelector: (selector: string) => (selector === '#players' ? page : null) },
  });
  runInContext(readFileSync(script, 'utf8'), context);
  const [html = ''] = blocksOf('html');
  const [, code = ''] =
    /<script type="module">\n\s*import .* from '\.\/client\.min\.js';\n([\s\S]*)<\/script>/.exec(html) ?? [];
  await runInContext(`(async ({ PluginMetricsClient }) => {${toServer(code)}})(client)`, context);
  assert.equal(page.textContent, '3883 players, 2026-06-30T23:30:00.000Z');
});

/** The examples as one module. */
function examples(): string {
  return toServer(blocksOf('ts').join('\n'));
}

function toServer(code: string): string {
  return code.replaceAll('http://127.0.0.1:8080', url);
}

function blocksOf(language: string): readonly string[] {
  const blocks = [...document.matchAll(/^```(\w+)\n([\s\S]*?)\n?```$/gm)];
  return blocks.filter(([, name]) => name === language).map(([, , text = '']) => text);
}

async function run(program: string, options: readonly string[]): Promise<void> {
  const file = join(checkout, 'node_modules/.bin', program);
  await promisify(execFile)(file, options, { cwd: checkout }).catch((error: unknown) => {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    assert.fail(`${program}: ${stdout}${stderr}`);
  });
}
