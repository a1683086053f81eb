/**
 * Builds the program from a commit or the working tree, each in a folder that is kept. Tools that compare two
 * versions run these builds.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A built checkout. */
export interface Build {
  /** Display name: the commit as requested, or "working tree". */
  readonly name: string;
  /** The checkout, with sources, `node_modules` and `dist`. */
  readonly folder: string;
  /** The Node that the checkout pins. */
  readonly node: string;
  /** Main file of the program, to run with `node`. */
  readonly main: string;
}

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** Folder of kept builds, by tree hash; it may be removed at any time. */
const keptFolder = join(checkout, '.builds');

/** Builds a commit, or returns the kept build. Rejects if the commit does not exist or the build fails. */
export async function buildCommit(commit: string): Promise<Build> {
  const tree = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`]).catch(
    () => {
      throw new Error(`there is no commit ${commit}`);
    },
  );
  return buildTree(commit, tree);
}

/**
 * Builds the working tree including uncommitted and new files, or returns the kept build of the same files.
 */
export async function buildWorkingTree(): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-index-'));
  try {
    // Uses a copy of the index, so that the developer's own stays unchanged. The copy has the hashes of
    // unchanged files. It must also keep the modification time of the index, or git could overlook a file
    // that changed within the same second.
    const index = { GIT_INDEX_FILE: join(folder, 'index') };
    const ownIndex = await git(['rev-parse', '--git-path', 'index']);
    cpSync(resolve(checkout, ownIndex), index.GIT_INDEX_FILE, { preserveTimestamps: true });
    await git(['add', '--all'], index);
    return await buildTree('working tree', await git(['write-tree'], index));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param tree hash of a tree in the repository. */
async function buildTree(name: string, tree: string): Promise<Build> {
  const folder = join(keptFolder, tree);
  if (!existsSync(folder)) {
    // Builds under a temporary name, so that interrupted builds leave nothing under the final name, and
    // concurrent builds do not collide.
    const unfinished = join(keptFolder, `unfinished-${tree}-${process.pid}`);
    try {
      await writeTree(tree, unfinished);
      await installPackages(unfinished);
      await run('npm', ['run', '--silent', 'build'], { cwd: unfinished });
      if (!existsSync(folder)) renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  await installPackages(folder);
  return {
    name,
    folder,
    node: join(folder, 'node_modules/.bin/node'),
    main: join(folder, 'dist/main.js'),
  };
}

async function writeTree(tree: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const index = { GIT_INDEX_FILE: join(folder, '.index') };
  await git(['read-tree', tree], index);
  await git(['checkout-index', '--all', `--prefix=${folder}/`], index);
  rmSync(index.GIT_INDEX_FILE);
}

/**
 * Links to the packages of this checkout if both lock files are equal; otherwise installs packages for the
 * build.
 */
async function installPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  const isLink = lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink();
  if (lockOf(folder) === lockOf(checkout)) {
    if (isLink === undefined) symlinkSync(join(checkout, 'node_modules'), packages);
    return;
  }
  if (isLink === false) return;
  if (isLink) rmSync(packages);
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}

function lockOf(folder: string): string {
  return readFileSync(join(folder, 'package-lock.json'), 'utf8');
}

function git(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return run('git', args, { cwd: checkout, env });
}

/** Runs a command to its end; returns its trimmed output. Rejects with the output if it fails. */
function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`${command} ${args.join(' ')} failed: ${`${output}${errors}`.trim()}`));
    });
  });
}
