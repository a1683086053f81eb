// The workflow that publishes pages: each of its steps is run as it is, against a source on this machine.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readDocument } from '../doc-tables.ts';
import { serveSite } from '../site/pages/support/site-client.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { mainPath, runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { filesIn } from './support/published.ts';

const directory = directoryOfFile();
const pages = directory.at('pages');
const source = directory.at('source.db');
const start = Date.UTC(2026, 5, 1);
const halfHourMs = 1_800_000;

/** Brings points to the source, from one half hour to another. */
const bring = (from: number, to: number) =>
  importText(
    source,
    archiveText([
      softwareLine(),
      pluginLine(),
      ...['players', 'servers'].map((chartId, index) =>
        chartLine({ chartId, uid: 70 + index, position: index }),
      ),
      ...['players', 'servers'].map((chartId) =>
        dataLine(
          chartId,
          JSON.stringify(
            Array.from({ length: to - from }, (_, at) => [start + (from + at) * halfHourMs, from + at]),
          ),
        ),
      ),
    ]),
  );

let isClosed = false;
const host = createServer(({ url = '' }, response) => {
  const file = join(pages, url.replace('/metrics', ''));
  response.statusCode = isClosed ? 403 : existsSync(file) ? 200 : 404;
  response.end(existsSync(file) ? readFileSync(file) : 'There is no such page');
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
after(() => host.close());
await bring(0, 10);
const server = await serveSite(source);

const workflow = readFileSync(new URL('../../ops/publish-pages.yml', import.meta.url), 'utf8');
const script = fileURLToPath(new URL('../../ops/publish-pages.sh', import.meta.url));
const steps = [...workflow.matchAll(/- (?:if: .*\n\s+)?run: (.*)/g)].map(([, command = '']) => command);

interface StepRun {
  readonly code: number;
  readonly stderr: string;
}

/** Runs the steps in a new folder until one fails, then deploys; returns the runs. */
async function runWorkflow(given: Readonly<Record<string, string>> = {}): Promise<readonly StepRun[]> {
  const cwd = directory.at('work');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const env = {
    PATH: process.env['PATH'] ?? '',
    METRICS_PROGRAM: `${process.execPath} ${mainPath}`,
    METRICS_URL: `http://127.0.0.1:${(host.address() as AddressInfo).port}/metrics`,
    METRICS_SOURCE: server.url,
    METRICS_PLUGINS: '7',
    ...given,
  };
  const runs: StepRun[] = [];
  for (const step of steps) {
    if (step.endsWith(' remove') && given['METRICS_REMOVE'] === undefined) continue;
    const argv = step.replace('ops/publish-pages.sh', script).split(' ').slice(1);
    const run = await new Promise<StepRun>((resolve) => {
      execFile('sh', argv, { cwd, env }, (error, _, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stderr }),
      );
    });
    runs.push(run);
    if (run.code !== 0) return runs;
  }
  rmSync(pages, { recursive: true, force: true });
  renameSync(`${cwd}/public`, pages);
  return runs;
}

/** The times of a chart in the published archive, in half hours; undefined without the chart. */
function published(chartId: string): readonly number[] | undefined {
  const records = gunzipSync(readFileSync(`${pages}/archive.ndjson.gz`))
    .toString()
    .trim()
    .split('\n');
  const known = records.map((line) => JSON.parse(line)).filter((record) => record.chartId === chartId);
  if (!known.some(({ record }) => record === 'chart')) return undefined;
  const data = known.find(({ record }) => record === 'data');
  return data.data.map(([time]: readonly [number]) => (time - start) / halfHourMs);
}

const succeeds = async (given: Readonly<Record<string, string>> = {}) => {
  const runs = await runWorkflow(given);
  assert.deepEqual(
    runs.map(({ code }) => code),
    runs.map(() => 0),
    runs.map(({ stderr }) => stderr).join(''),
  );
};

/** Asserts that a run ends at a step with a message, and leaves the pages as they are. */
const failsAt = async (step: number, message: RegExp, given: Readonly<Record<string, string>> = {}) => {
  const before = existsSync(pages) ? filesIn(pages) : undefined;
  const runs = await runWorkflow(given);
  assert.equal(runs.length, step);
  assert.match(runs.at(-1)?.stderr ?? '', message);
  assert.deepEqual(existsSync(pages) ? filesIn(pages) : undefined, before);
};

test('the workflow passes on every variable of the script, and the document names those of a repository', () => {
  const named = new Set(readFileSync(script, 'utf8').match(/METRICS_[A-Z]+/g));
  // The folders of a run, which nobody needs to choose there.
  for (const own of ['METRICS_STORE', 'METRICS_DIR']) named.delete(own);
  const passed = [...workflow.matchAll(/^ +(METRICS_[A-Z]+): \$\{\{ (vars|inputs)\./gm)];
  assert.deepEqual(new Set(passed.map(([, name]) => name)), named);
  const table = readDocument('docs/publishing.md').match(/(?<=^\| `)METRICS_[A-Z]+/gm);
  const variables = passed.filter(([, , from]) => from === 'vars').map(([, name]) => name);
  assert.deepEqual(table, variables);
});

const counted = (count: number) => Array.from({ length: count }, (_, index) => index);

test('history grows, what was removed stays removed, and a failed step loses nothing', async () => {
  assert.ok(steps.length === 4 && steps.every((step) => step.startsWith('sh ops/publish-pages.sh ')));
  await failsAt(1, /^curl: [\s\S]*there is no archive at \S+: set METRICS_FIRST to true /);
  isClosed = true;
  await failsAt(1, /^curl: [\s\S]*the archive at \S+ cannot be had\n$/, { METRICS_FIRST: 'true' });
  isClosed = false;
  await succeeds({ METRICS_FIRST: 'true' });
  assert.deepEqual(published('players'), counted(10));
  // The source forgets what was before.
  await bring(10, 20);
  const prune = ['prune', '--store', source, '--before', new Date(start + 10 * halfHourMs).toISOString()];
  assert.equal((await runProgram(prune)).code, 0);
  await failsAt(3, /error: /, { METRICS_REMOVE: 'chart 7/servers', METRICS_SOURCE: 'http://127.0.0.1:9' });
  await succeeds({ METRICS_REMOVE: 'chart 7/servers' });
  assert.deepEqual(published('players'), counted(20));
  assert.equal(published('servers'), undefined);
  await bring(20, 30);
  await succeeds();
  assert.deepEqual(published('players'), counted(30));
  assert.equal(published('servers'), undefined);
  for (const address of ['https://bstats.org', 'https://BStats.ORG'])
    await failsAt(2, /^the terms of bstats\.org forbid /, { METRICS_SOURCE: address });
  await failsAt(2, /METRICS_PLUGINS/, { METRICS_PLUGINS: '' });
  const archive = readFileSync(`${pages}/archive.ndjson.gz`);
  writeFileSync(`${pages}/archive.ndjson.gz`, archive.subarray(0, archive.length - 40));
  await failsAt(1, /^error: archive\.ndjson\.gz/);
});
