/** The Dockerfile: its rules, and its health check run for real. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { readDocument } from '../doc-tables.ts';
import { makeSampleStore } from '../http/support/test-server.ts';
import { startServing } from '../serve/support/serving.ts';
import { imageEnvironment, stages } from './dockerfile.ts';

const all = stages();
const last = all.at(-1) ?? [];
const environment = imageEnvironment();

test('the Dockerfile has no lint errors', () => {
  assert.deepEqual(validate(readDocument('Dockerfile')), []);
});

test('every stage is the official slim image of the Node version that the package requires', () => {
  const { engines } = JSON.parse(readDocument('package.json')) as {
    readonly engines: { readonly node: string };
  };
  for (const [from] of all)
    assert.equal(from?.text.split(' ')[0], `node:${engines.node.replace('>=', '')}-slim`);
});

test('the image and the systemd unit set the same variables of Node and glibc, and Node takes them', async () => {
  const unit = readDocument('ops/systemd/plugin-metrics.service');
  const names = ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'];
  const env = Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
  for (const [name, value] of Object.entries(env)) assert.ok(unit.includes(`${name}=${value}`), name);
  await promisify(execFile)(process.execPath, ['--eval', ''], { env });
});

test('the program runs without root, receives signals, and keeps its store in a volume', () => {
  const text = (keyword: string) => last.find((instruction) => instruction.keyword === keyword)?.text ?? '';
  assert.equal(text('USER'), 'node');
  assert.ok(Array.isArray(JSON.parse(text('ENTRYPOINT'))), 'a shell in between would keep the signals');
  assert.deepEqual(JSON.parse(text('CMD')), ['serve']);
  assert.ok(environment['PLUGIN_METRICS_STORE']?.startsWith(`sqlite:${text('VOLUME')}/`));
  assert.equal(text('EXPOSE'), '8080 8090');
  const order = last.map(({ keyword }) => keyword);
  assert.ok(order.indexOf('USER') > order.lastIndexOf('RUN'));
});

test('the health check succeeds only while the server is ready', async () => {
  const store = await makeSampleStore();
  await using server = await startServing(['--store', store, '--admin-port', '0']);
  const { port } = new URL(server.adminUrl);
  assert.equal(await healthOf(port), 0);
  rmSync(store);
  while ((await healthOf(port)) === 0) await sleep(50);
  assert.equal(await healthOf(port), 1, 'the store is gone');
  server.signal('SIGTERM');
  await server.ended;
  assert.equal(await healthOf(port), 1, 'the server is gone');
});

/** Runs the health check with the admin listener at a port, and returns its exit code. */
async function healthOf(adminPort: string): Promise<number> {
  const { text = '' } = last.find(({ keyword }) => keyword === 'HEALTHCHECK') ?? {};
  const [program, ...argv] = JSON.parse(text.replace(/^CMD /, '')) as string[];
  assert.equal(program, 'node');
  const child = execFile(process.execPath, argv, {
    env: { ...environment, PLUGIN_METRICS_ADMIN_PORT: adminPort },
  });
  const [code] = await once(child, 'close');
  return Number(code);
}
