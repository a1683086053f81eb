/** The package as users have it: packed from a copy of the checkout, and installed into an empty folder. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The root of the project. */
export const checkout: string = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that are packed, or that the build reads. */
const sources = ['src', 'build', 'fonts', 'test', 'sample', 'catalogues', 'docs', 'ops', 'reporter'];
const files = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.client.json',
  'tsconfig.reporter.json',
  'openapi.json',
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
];

/** The members used from the output of `npm pack --json`. */
export interface Packed {
  readonly filename: string;
  /** In bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** A folder with only an installed package; disposing of it removes it. */
export interface InstalledPackage extends Disposable {
  readonly folder: string;
  readonly packed: Packed;
}

/** Packs and installs; packages missing from npm's cache are downloaded from its registry. */
export async function installPackage(): Promise<InstalledPackage> {
  const work = mkdtempSync(join(tmpdir(), 'plugin-metrics-package-'));
  chmodSync(work, 0o755);
  const copy = join(work, 'checkout');
  const folder = join(work, 'installed');
  mkdirSync(folder);
  copyCheckout(copy);
  // A leftover from a build of an older checkout.
  mkdirSync(join(copy, 'dist'));
  writeFileSync(join(copy, 'dist/left-over.js'), '');
  const [packed] = JSON.parse(await runNpm(['pack', '--json', '--pack-destination', work], copy)) as [Packed];
  await runNpm(
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(work, packed.filename)],
    folder,
  );
  return { folder, packed, [Symbol.dispose]: () => rmSync(work, { recursive: true }) };
}

/** Copies what packing reads; the copy has the installed packages of the checkout. */
export function copyCheckout(copy: string): void {
  for (const name of [...sources, ...files])
    cpSync(join(checkout, name), join(copy, name), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
}

/** Runs npm as a user does. */
export async function runNpm(
  argv: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...withoutNpm(process.env), ...environment };
  return (await promisify(execFile)('npm', ['--silent', ...argv], { cwd, env })).stdout;
}

/** The environment without the variables that npm sets for its scripts. */
function withoutNpm(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !/^(npm_(?!config_(cache|registry)$)|NODE_TEST_)/.test(name),
    ),
  );
}
