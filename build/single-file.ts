/**
 * Builds the program as one executable for Linux, with Node and all files that it reads inside: `npm run
 * single-file -- [--folder FOLDER] [ARCHITECTURE…]`, such as x64 and arm64; by default into dist/ for this
 * machine.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildForBrowsers } from './browser.ts';
import { fetchPackage } from './fetch-package.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** Files of the package that the program reads. */
const ownFiles = ['package.json', 'dist/browser/*', 'fonts/*', 'sample/sample.ndjson.gz'];

/** Bundles the program and the code of its thread into a folder, as `main.js` and `closing-thread.js`. */
async function bundleProgram(folder: string): Promise<void> {
  await build({
    absWorkingDir: checkout,
    entryPoints: ['src/main.ts', 'src/cli/closing-thread.ts'],
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'esnext',
    external: ['sharp', 'pg-native'],
    // Names stay, for the stacks of errors.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    // Packages in CommonJS ask for modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
}

/** Fetches Node for an architecture from the registry, in the version that the checkout pins. */
function fetchNode(arch: string, folder: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return join(fetchPackage(`node-linux-${arch}@${devDependencies['node']}`, folder), 'bin/node');
}

/**
 * Builds an executable for each architecture, and returns their paths.
 * @param folder where they are written.
 */
export async function buildSingleFiles(archs: readonly string[], folder: string): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'plugin-metrics-single-file-'));
  try {
    await buildForBrowsers();
    await bundleProgram(work);
    mkdirSync(folder, { recursive: true });
    return archs.map((arch) => {
      const output = join(folder, `plugin-metrics-linux-${arch}`);
      const settings = {
        main: join(work, 'main.js'),
        mainFormat: 'module',
        executable: fetchNode(arch, work),
        output,
        disableExperimentalSEAWarning: true,
        assets: {
          ...Object.fromEntries(
            globSync(ownFiles, { cwd: checkout }).map((path) => [path, join(checkout, path)]),
          ),
          'closing-thread.js': join(work, 'closing-thread.js'),
        },
      };
      writeFileSync(join(work, 'settings.json'), JSON.stringify(settings));
      execFileSync(process.execPath, ['--build-sea', join(work, 'settings.json')], { stdio: 'ignore' });
      return output;
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { folder: { type: 'string', default: join(checkout, 'dist') } },
  });
  const files = await buildSingleFiles(
    positionals.length === 0 ? [process.arch] : positionals,
    values.folder,
  );
  process.stdout.write(files.map((file) => `${file}\n`).join(''));
}
