// Types that a stranger's generator makes of the OpenAPI document: programs with numbers and booleans compile
// against them, wrong ones do not. The generator and its compiler are installed in a folder of their own,
// because the checkout has another TypeScript.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const run = promisify(execFile);
const documentFile = fileURLToPath(new URL('../../openapi.json', import.meta.url));
const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const folder = temporaryDirectory();
after(() => folder[Symbol.dispose]());

before(async () => {
  writeFileSync(folder.at('package.json'), '{"private":true}');
  const options = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...options, ...packages], { cwd: folder.path });
  await runTool('openapi-typescript', documentFile, '--output', 'api.d.ts');
});

/** A client of a few lines, as generated ones are. */
const client = `
import type { paths } from './api.d.ts';
type Operation<Path extends keyof paths> = paths[Path]['get'];
type Answer<Path extends keyof paths> = Operation<Path> extends
  { responses: { 200: { content: Record<string, infer Body> } } } ? Body : never;
declare function get<Path extends keyof paths>(
  path: Path,
  parameters: Pick<Operation<Path>['parameters'], 'path' | 'query'>,
): Promise<Answer<Path>>;
`;

const rightCalls = [
  "get('/api/v1/plugins', {})",
  "get('/api/v1/plugins/{pluginId}', { path: { pluginId: 1337 } })",
  "get('/api/v1/plugins/{pluginId}/charts', { path: { pluginId: 1337 } })",
  "get('/api/v1/plugins/{pluginId}/charts/{chartId}', { path: { pluginId: 1337, chartId: 'os' } })",
  "get('/api/v1/plugins/{pluginId}/charts/{chartId}/data', { path: { pluginId: 1337, chartId: 'os' }, query: { maxElements: 10 } })",
  "get('/api/v1/software', {})",
  "get('/api/v2/plugins', { query: { q: 'a', software: 'bukkit', owner: 42, global: false, sort: 'players', order: 'asc', limit: 50, after: 'x' } })",
  "get('/api/v2/plugins/{pluginId}', { path: { pluginId: 1337 } })",
  "get('/api/v2/plugins/{pluginId}/export.csv', { path: { pluginId: 1337 } })",
  "get('/api/v2/plugins/{pluginId}/events', { path: { pluginId: 1337 }, query: { from: '2026-01-31' } })",
  "get('/api/v2/plugins/{pluginId}/insights', { path: { pluginId: 1337 } })",
  "get('/api/v2/plugins/{pluginId}/archive', { path: { pluginId: 1337 }, query: { since: '2026-01-31' } })",
  "get('/api/v2/series', { query: { charts: '1337:os', from: '0', to: '1', step: '1d', aggregate: 'max', top: 5, level: 2, sum: true } })",
  "get('/api/v2/series.csv', { query: { charts: '1337:os', range: '90d', top: 5, level: 1, sum: false } })",
  "get('/api/v2/software', {})",
  "get('/api/v2/metrics', { query: { plugin: [1337, 42], owner: 42, software: 'bukkit' } })",
  "get('/openapi.json', {})",
  "get('/api/v1/plugins', {}).then(([plugin]) => plugin?.owner.id.toFixed())",
  "get('/api/v2/plugins', { query: {} }).then(({ total, next, plugins }) => [total + 1, next?.length, plugins[0]?.software.url])",
  "get('/api/v2/series', { query: { charts: '1337:os' } }).then(({ series }) => series[0]?.values[0]?.toFixed())",
  "get('/api/v2/plugins/{pluginId}/export.csv', { path: { pluginId: 1337 } }).then((csv) => csv.split(','))",
];

const wrongCalls = [
  "get('/api/v1/plugin', {})",
  "get('/api/v1/plugins/{pluginId}', { path: { pluginId: '1337' } })",
  "get('/api/v1/plugins/{pluginId}/charts/{chartId}', { path: { pluginId: 1337 } })",
  "get('/api/v1/plugins/{pluginId}/charts/{chartId}/data', { path: { pluginId: 1, chartId: 'os' }, query: { maxElements: '10' } })",
  "get('/api/v2/plugins', { query: { global: 'false' } })",
  "get('/api/v2/plugins', { query: { sort: 'size' } })",
  "get('/api/v2/series', { query: { top: 5 } })",
  "get('/api/v2/series.csv', { query: { charts: '1337:os', sum: 'true' } })",
  "get('/api/v2/software', {}).then(([software]) => software?.players)",
];

test('the right calls name every path of the document', async () => {
  const { default: document } = await import(documentFile, { with: { type: 'json' } });
  const named = rightCalls.map((call) => /'([^']+)'/.exec(call)?.[1]);
  assert.deepEqual([...new Set(named)].sort(), Object.keys(document.paths).sort());
});

test('calls with numbers and booleans compile', async () => {
  assert.deepEqual(await faultyCalls('right.ts', rightCalls), []);
});

test('each call with a wrong path, parameter or type is refused', async () => {
  assert.deepEqual(await faultyCalls('wrong.ts', wrongCalls), wrongCalls);
});

/** Compiles calls, a line each; returns those that the compiler refuses. */
async function faultyCalls(name: string, calls: readonly string[]): Promise<readonly string[]> {
  writeFileSync(folder.at(name), [...calls, client].join('\n'));
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--pretty', 'false'];
  const output = await runTool('tsc', ...options, '--noUncheckedIndexedAccess', name).catch(
    (error: { readonly stdout?: string }) => error.stdout ?? assert.fail(String(error)),
  );
  const lines = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(([fault, file, line]) => {
    const call = file === name ? calls[Number(line) - 1] : undefined;
    return call ?? assert.fail(`${fault} is not in a call: ${output}`);
  });
  return [...new Set(lines)];
}

async function runTool(name: string, ...options: readonly string[]): Promise<string> {
  const { stdout } = await run(folder.at(`node_modules/.bin/${name}`), options, { cwd: folder.path });
  return stdout;
}
