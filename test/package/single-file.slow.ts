/** The executable that `npm run single-file` builds, in an empty folder and without Node. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildSingleFiles } from '../../build/single-file.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { startServing } from '../serve/support/serving.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { checkout } from './installed-package.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
let program = '';

before(async () => {
  [program = ''] = await buildSingleFiles([process.arch], directory.at('bin'));
  copyFileSync(sampleFile, directory.at('sample.ndjson.gz'));
});

const options = { cwd: directory.path, env: { PATH: '/usr/bin:/bin', HOME: directory.path } };

async function run(...argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, argv, options);
  return stdout + stderr;
}

function start(argv: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(program, argv, options);
}

test('the executable has at most 160 MB, and its own version', async () => {
  assert.ok(statSync(program).size <= 160_000_000, `${statSync(program).size} bytes`);
  assert.match(await run('--version'), /^\d+\.\d+\.\d+\n$/);
});

test('it imports, serves with workers, mirrors, publishes, backs up, exports and checks', async () => {
  assert.match(await run('import', 'sample.ndjson.gz'), /^imported 6 software, 21 plugins, /);
  await using server = await startServing(['--workers', '2'], { start });
  const page = await (await fetch(`${server.url}/`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  assert.ok(assets.length > 2, page);
  for (const path of [...assets, '/plugin/1337', '/embed/1337.svg', '/badge/1337/players.svg', '/embed.js'])
    assert.equal((await fetch(server.url + path)).status, 200, path);
  server.signal('SIGHUP');
  await server.said(/replaced by [\s\S]*replaced by /);
  const mirror = ['mirror', server.url, '--plugin', '1337', '--rate', '100', '--store', 'mirror.db'];
  assert.match(await run(...mirror), /^mirrored 1 plugin, 15 charts, /);
  await run('publish', 'published', '--plugin', '1337', '--public-url', 'https://example.org/metrics');
  assert.ok(readdirSync(directory.at('published')).includes('index.html'));
  await run('backup', 'backup.db');
  await run('restore', 'backup.db', '--store', 'restored.db');
  for (const store of ['mirror.db', 'restored.db'])
    assert.match(await run('check', '--store', store), /no fault/);
  await run('export', 'first.ndjson');
  await run('export', '--store', 'restored.db', 'second.ndjson');
  const [first, second] = ['first', 'second'].map((name) => readFileSync(directory.at(`${name}.ndjson`)));
  assert.ok(first !== undefined && second?.equals(first));
});

test('PNGs need sharp beside the executable, and the answer says so', async () => {
  {
    await using server = await startServing([], { start });
    const response = await fetch(`${server.url}/embed/1337.png`);
    assert.equal(response.status, 501);
    assert.match(await response.text(), /npm install sharp.* in the folder of the executable/);
  }
  symlinkSync(join(checkout, 'node_modules'), directory.at('bin/node_modules'));
  await using server = await startServing([], { start });
  assert.equal((await fetch(`${server.url}/embed/1337.png`)).status, 200);
});

test('it shows the demo, whose collector closes slots', async () => {
  const child = start(['demo', '--port', '0', '--collector-port', '0', '--pages-port', '0']);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  const said = () => output;
  await waitUntil(() => /^ {2}reports to http/m.test(output), said);
  const [, address = ''] = /^listening on (\S+)$/m.exec(output) ?? [];
  assert.equal((await fetch(`${address}/plugin/1337`)).status, 200);
  const [, pages = ''] = /shown by (http:\/\/[^/]+)/.exec(output) ?? [];
  const collected = `${pages}/api/v1/plugins/2/charts/servers/data?maxElements=1`;
  await waitUntil(async () => /^\[\[\d+,[1-9]/.test(await (await fetch(collected)).text()), said, 400_000);
  assert.ok(readdirSync(directory.path).includes('plugin-metrics-demo'));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null], output);
});
