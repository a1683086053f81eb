/**
 * Bundles the browser code into dist/: the files that the server sends for its pages, and the client as one
 * file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, OutputFile, Plugin } from 'esbuild';
import { themeCss } from './theme-css.ts';

/** Root of the project; source paths are relative to it. */
const checkout = fileURLToPath(new URL('..', import.meta.url));

/**
 * Entry points of each bundle. Files in the folder of the pages have a content hash in their names, so
 * browsers may cache them forever. The modules of the last bundle share code: everything that they import on
 * demand goes through the element, so that its code ends up in one file.
 */
const bundles: readonly BuildOptions[] = [
  { entryPoints: [{ in: 'src/client/client.ts', out: 'dist/client.min' }], entryNames: '[dir]/[name]' },
  { entryPoints: ['src/site/browser/early.ts'] },
  { entryPoints: ['src/site/style/site.css'], banner: { css: themeCss() } },
  {
    entryPoints: ['src/site/browser/embed.ts', 'src/site/browser/site.ts'],
    splitting: true,
    inject: ['src/site/browser/embed.ts'],
  },
];

const browserFolder = join(checkout, 'dist/browser');

/**
 * Bundles everything in memory. Paths of the result are absolute.
 * @throws an error with the code ERR_MODULE_NOT_FOUND if esbuild is not installed.
 */
export async function bundleForBrowsers(): Promise<readonly OutputFile[]> {
  const { build, transform } = await import('esbuild');
  /** A style sheet that a script imports becomes a string in the script. */
  const sheetsInScripts: Plugin = {
    name: 'sheets-in-scripts',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/element\.css$/ }, async ({ path }) => {
        const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true });
        return { contents: code.trim(), loader: 'text' };
      }),
  };
  const built = await Promise.all(
    bundles.map((bundle) =>
      build({
        absWorkingDir: checkout,
        outdir: bundle.entryNames === undefined ? browserFolder : checkout,
        entryNames: '[name]-[hash]',
        chunkNames: '[name]-[hash]',
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'warning',
        write: false,
        plugins: [sheetsInScripts],
        ...bundle,
      }),
    ),
  );
  return built.flatMap(({ outputFiles = [] }) => outputFiles);
}

/** Bundles everything, writes changed files to dist/, and removes files of older sources. */
export async function buildForBrowsers(): Promise<void> {
  const files = await bundleForBrowsers();
  for (const { path, contents } of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // Writes to a temporary name first: a killed build must not leave a partial file, and tests may build at
    // the same time.
    const unfinished = `${path}.${process.pid}.new`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  const names = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(browserFolder))
    if (!names.has(name) && !name.endsWith('.new')) rmSync(join(browserFolder, name), { force: true });
}

/**
 * Builds before `npm start` and other scripts. There is no install script, because package.json also ships in
 * the package, which has no sources, and `npm install` would run the script there too.
 */
async function buildForScript(options: readonly string[]): Promise<void> {
  if (
    options.includes('--if-missing') &&
    existsSync(join(checkout, 'dist/client.min.js')) &&
    existsSync(browserFolder)
  )
    return;
  await buildForBrowsers().catch((error: unknown) => {
    // After `npm install --omit=dev` the server works without these files.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !options.includes('--if-possible')) throw error;
    process.stderr.write('esbuild is not installed: dist/browser/ is not made\n');
  });
}

if (import.meta.main) await buildForScript(process.argv.slice(2));
