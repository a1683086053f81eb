/**
 * A small package as users have it: packed, and installed into an empty folder that refuses what is not made
 * for its Node.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleForBrowsers } from '../../build/browser.ts';
import { writeSmallPackages } from '../../build/small-packages.ts';
import { checkout, runNpm } from './installed-package.ts';

/** A folder with only an installed small package; disposing of it removes it. */
export interface InstalledSmallPackage extends Disposable {
  readonly folder: string;
  /** The names and versions of all packages in the folder, as npm's lock has them. */
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
  readonly manifest: {
    readonly version: string;
    readonly engines: Readonly<Record<string, string>>;
    readonly dependencies?: unknown;
  };
  /** Runs a module with the oldest Node at hand, and returns what it prints. */
  readonly run: (module: string, environment?: NodeJS.ProcessEnv) => Promise<string>;
}

/** The Node of this machine, older than the pinned one; the pinned one where there is no other. */
const systemNode =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path)) ?? process.execPath;

/** Builds, packs and installs a small package. */
export async function installSmallPackage(
  name: 'plugin-metrics-client' | 'plugin-metrics-reporter',
): Promise<InstalledSmallPackage> {
  const work = mkdtempSync(join(tmpdir(), `${name}-`));
  const dist = join(work, 'dist');
  const folder = join(work, 'installed');
  mkdirSync(folder);
  for (const part of ['client', 'reporter'])
    await run(
      join(checkout, 'node_modules/.bin/tsc'),
      ['-p', `tsconfig.${part}.json`, '--outDir', dist],
      checkout,
    );
  const bundle = (await bundleForBrowsers()).find(({ path }) => path.endsWith('/dist/client.min.js'));
  writeFileSync(join(dist, 'client.min.js'), bundle?.contents ?? '');
  writeSmallPackages(dist);
  await runNpm(['pack', '--pack-destination', work, join(dist, name)], work);
  const manifest = JSON.parse(readFileSync(join(dist, name, 'package.json'), 'utf8'));
  writeFileSync(join(folder, '.npmrc'), 'engine-strict=true\n');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // npm takes the Node that it finds first.
  const path = dirname(systemNode) + delimiter + process.env['PATH'];
  await runNpm(
    ['install', '--offline', '--no-audit', '--no-fund', join(work, `${name}-${manifest.version}.tgz`)],
    folder,
    {
      PATH: path,
    },
  );
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return {
    folder,
    manifest,
    packages: lock.packages,
    run: (module, environment) => run(systemNode, [module], folder, environment),
    [Symbol.dispose]: () => rmSync(work, { recursive: true }),
  };
}

async function run(
  program: string,
  argv: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(program, argv, { cwd, env }).catch((error: unknown) => {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program} ${argv.join(' ')}: ${stdout}${stderr}`);
  });
  return stdout;
}
