/** Bundles the browser code into dist/: the files that the server sends to pages, and the client in one file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, OutputFile, Plugin } from 'esbuild';
import { themeCss } from './theme-css.ts';

/** The root of the project; the paths of sources are relative to it. */
const checkout = fileURLToPath(new URL('..', import.meta.url));

/**
 * The sources of each bundle. In the folder of the pages all names have a hash of the content, so that they are kept for ever. Modules
 * of the last bundle share code: what they import later begins with the element, so that all of its code is in one file.
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
 * Bundles everything in memory. The paths of the result are absolute.
 * @throws with the code ERR_MODULE_NOT_FOUND if esbuild is not installed.
 */
export async function bundleForBrowsers(): Promise<readonly OutputFile[]> {
  const { build, transform } = await import('esbuild');
  /** A style sheet that a script imports is a text in it. */
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

/** Bundles everything, writes the files that changed to dist/, and removes those of older sources. */
export async function buildForBrowsers(): Promise<void> {
  const files = await bundleForBrowsers();
  for (const { path, contents } of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // If this is killed halfway, no partial file remains. Files of tests may build at the same time.
    const unfinished = `${path}.${process.pid}.new`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  const names = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(browserFolder))
    if (!names.has(name) && !name.endsWith('.new')) rmSync(join(browserFolder, name), { force: true });
}

/**
 * `npm start` and other scripts build before they begin. Nothing is built when npm installs: the scripts of package.json are
 * in the package too, which has no sources, and `npm install` runs those of an unpacked one.
 */
async function buildForScript(options: readonly string[]): Promise<void> {
  if (
    options.includes('--if-missing') &&
    existsSync(join(checkout, 'dist/client.min.js')) &&
    existsSync(browserFolder)
  )
    return;
  await buildForBrowsers().catch((error: unknown) => {
    // After `npm install --omit=dev` the interface works without these files.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !options.includes('--if-possible')) throw error;
    process.stderr.write('esbuild is not installed: dist/browser/ is not made\n');
  });
}

if (import.meta.main) await buildForScript(process.argv.slice(2));
