/** Bundles the browser code into dist/: the files that the server sends to pages, and the client in one file. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutputFile, Plugin } from 'esbuild';
import { themeCss } from './theme-css.ts';

/** The root of the project; the paths below are relative to it. */
const checkout = fileURLToPath(new URL('..', import.meta.url));

/** The files to build, with their sources; the extension of a file is that of its kind. */
const files = [
  { in: 'src/client/client.ts', out: 'dist/client.min' },
  { in: 'src/site/browser/embed.ts', out: 'dist/browser/embed' },
  { in: 'src/site/browser/element/explore.ts', out: 'dist/browser/explore' },
  { in: 'src/site/browser/compare/compare.ts', out: 'dist/browser/compare' },
  { in: 'src/site/browser/embed-dialog.ts', out: 'dist/browser/embed-dialog' },
  { in: 'src/site/browser/early.ts', out: 'dist/browser/early' },
  { in: 'src/site/browser/site.ts', out: 'dist/browser/site' },
  { in: 'src/site/style/site.css', out: 'dist/browser/site' },
];

/**
 * Bundles everything in memory. The paths of the result are absolute.
 * @throws with the code ERR_MODULE_NOT_FOUND if esbuild is not installed.
 */
export async function bundleForBrowsers(): Promise<readonly OutputFile[]> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: checkout,
    entryPoints: files,
    outdir: '.',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    banner: { css: themeCss() },
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [laterFiles],
  });
  return outputFiles;
}

/** Leaves what a script imports later in a file of its own, beside the script. */
const laterFiles: Plugin = {
  name: 'later-files',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/** Bundles everything and writes the files that changed to dist/. */
export async function buildForBrowsers(): Promise<void> {
  for (const { path, contents } of await bundleForBrowsers()) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // If this is killed halfway, no partial file remains. Files of tests may build at the same time.
    const unfinished = `${path}.${process.pid}.new`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
}

/**
 * `npm start` and other scripts build before they begin. Nothing is built when npm installs: the scripts of package.json are
 * in the package too, which has no sources, and `npm install` runs those of an unpacked one.
 */
async function buildForScript(options: readonly string[]): Promise<void> {
  if (options.includes('--if-missing') && files.every(isBuilt)) return;
  await buildForBrowsers().catch((error: unknown) => {
    // After `npm install --omit=dev` the interface works without these files.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !options.includes('--if-possible')) throw error;
    process.stderr.write('esbuild is not installed: dist/browser/ is not made\n');
  });
}

function isBuilt({ in: source, out }: (typeof files)[number]): boolean {
  return existsSync(join(checkout, out + extname(source).replace('.ts', '.js')));
}

if (import.meta.main) await buildForScript(process.argv.slice(2));
