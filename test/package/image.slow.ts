/** The steps of the Dockerfile, run as a script in a folder for each stage, and their program. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { readDocument } from '../doc-tables.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { type Instruction, imageEnvironment, stages } from '../ops/dockerfile.ts';
import { startServing } from '../serve/support/serving.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkout } from './installed-package.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
const context = directory.at('context');
/** The root of the last stage. */
let image = '';
let last: readonly Instruction[] = [];

/** Puts the absolute paths of the image into the folder of a stage. */
const inStage = (root: string, text: string) =>
  text.replaceAll(/(?<![\w./}])\/(?=(app|data|usr\/local\/bin)\b)/g, `${root}/`);

before(async () => {
  for (const [, name = ''] of readDocument('.dockerignore').matchAll(/^!(.+)$/gm))
    cpSync(join(checkout, name), join(context, name), { recursive: true });
  mkdirSync(directory.at('bin'));
  // The user of the official image has the id 1000; only root may give files to it.
  const owner = process.getuid?.() === 0 ? 's/=node/=1000/' : '/--(owner|group)=/d';
  writeFileSync(
    directory.at('bin/install'),
    `#!/bin/sh\nprintf '%s\\n' "$@" | sed -E '${owner}' | xargs -d '\\n' /usr/bin/install\n`,
  );
  chmodSync(directory.at('bin/install'), 0o755);
  for (const [index, stage] of stages().entries()) {
    const [, name = `${index}`] = / AS (\w+)/.exec(stage[0]?.text ?? '') ?? [];
    image = directory.at(`stage-${name}`);
    mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
    for (const instruction of stage) await runStep(instruction, image);
    last = stage;
  }
  chmodSync(directory.path, 0o755);
});

let workingFolder = '';

async function runStep({ keyword, flags, text }: Instruction, root: string): Promise<void> {
  if (keyword === 'WORKDIR') {
    workingFolder = root + text;
    mkdirSync(workingFolder, { recursive: true });
  } else if (keyword === 'COPY') {
    const names = text.split(' ');
    const to = names.pop() ?? '';
    const from = flags['from'] === undefined ? context : directory.at(`stage-${flags['from']}`);
    for (const name of names) {
      const source = join(from, name);
      const isInto = to.endsWith('/') && statSync(source).isFile();
      const target = resolve(workingFolder, isInto ? to + basename(name) : to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(source, target, { recursive: true, verbatimSymlinks: true });
    }
  } else if (keyword === 'RUN') {
    const env = { ...process.env, PATH: `${directory.at('bin')}:${process.env['PATH']}` };
    await promisify(execFile)('sh', ['-c', inStage(root, text)], { cwd: workingFolder, env });
  }
}

const environment = () => ({
  PATH: `${image}/usr/local/bin:${dirname(process.execPath)}:/usr/bin:/bin`,
  ...Object.fromEntries(
    Object.entries(imageEnvironment()).map(([name, value]) => [name, inStage(image, value)]),
  ),
});

/** Options of processes in the container: its user, its folder, its variables. */
const options = () => ({
  cwd: workingFolder,
  env: environment(),
  ...(process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}),
});

const textOf = (keyword: string) => last.find((one) => one.keyword === keyword)?.text ?? '';

test('the image has the program and what it reads, and nothing of the build', () => {
  assert.deepEqual(readdirSync(join(image, 'app')).sort(), [
    ...['LICENSE', 'dist', 'fonts', 'node_modules', 'openapi.json', 'package.json', 'sample'],
  ]);
  assert.ok(!readdirSync(join(image, 'app/node_modules')).includes('typescript'));
  if (process.getuid?.() === 0) assert.equal(statSync(join(image, 'data')).uid, 1000);
});

test('its program imports, serves pages and pictures, is healthy, and ends at SIGTERM', async () => {
  const [program = ''] = JSON.parse(textOf('ENTRYPOINT')) as string[];
  const command = JSON.parse(textOf('CMD')) as string[];
  const importing = promisify(execFile)(program, ['import', '-'], options());
  importing.child.stdin?.end(readFileSync(sampleFile));
  await importing;
  const server = await startServing(['--admin-port', '0'], {
    start: ([, ...argv]) => spawn(program, [...command, ...argv], options()),
  });
  for (const path of ['/plugin/bukkit/ExamplePlugin/1337', '/embed/1337.png'])
    assert.equal((await fetch(server.url + path)).status, 200, path);
  const [node = '', ...argv] = JSON.parse(textOf('HEALTHCHECK').replace(/^CMD /, '')) as string[];
  const env = { ...environment(), PLUGIN_METRICS_ADMIN_PORT: new URL(server.adminUrl).port };
  await promisify(execFile)(node, argv, { ...options(), env });
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
});
