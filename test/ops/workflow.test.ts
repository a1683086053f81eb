/** The workflow of the public repository, compared with the repository. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readDocument } from '../doc-tables.ts';
import { checkout } from '../package/installed-package.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

const workflow = parse(readDocument('.github/workflows/ci.yml')) as {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
};
const { scripts, engines } = JSON.parse(readDocument('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.map(({ run }) => run ?? '').join('\n');

test('the workflow has read permission only', () => {
  assert.deepEqual(workflow.permissions, { contents: 'read' });
  for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
    assert.equal(step.with?.['persist-credentials'], false);
});

test('every action is pinned, every job has a timeout, and Node is the version that the package requires', () => {
  for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^actions\/[a-z-]+@v\d+$/);
  for (const job of jobs) assert.ok((job['timeout-minutes'] ?? Number.POSITIVE_INFINITY) <= 30);
  const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
  for (const version of versions) assert.equal(`>=${version}`, engines.node);
});

test('the workflow runs every suite, and only existing scripts and files', () => {
  const named = [...commands.matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)*)/g)].map(([, name = '']) => name);
  for (const name of named) assert.ok(name in scripts || ['ci', 'audit', 'sbom'].includes(name), name);
  const suites = Object.keys(scripts).filter((name) => /^(test|lint|types)(?!:all)(:|$)/.test(name));
  assert.deepEqual(
    suites.filter((name) => !named.includes(name)),
    [],
  );
  for (const [path] of commands.matchAll(/\b(?:ops|sample)\/[\w./-]+/g))
    assert.ok(existsSync(join(checkout, path)), path);
});
