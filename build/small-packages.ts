/** Writes the client and the reporter as separate packages without dependencies, from the build in `dist`. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** Oldest supported Node of both packages: the first with all of the APIs that they use. */
const engines = { node: '>=20' };

/** A package. Paths are the same in `dist` and in the package. */
interface SmallPackage {
  readonly description: string;
  /** Main module, without extension. */
  readonly entry: string;
  readonly files: readonly string[];
  /** Document that becomes the README. */
  readonly document: string;
  /** Other files that users may import. */
  readonly exports: Readonly<Record<string, string>>;
}

const packages: Readonly<Record<string, SmallPackage>> = {
  'plugin-metrics-client': {
    description: 'Client of plugin-metrics, bStats and other servers of the same interface.',
    entry: 'client/client',
    files: ['client', 'model/chart-types.js', 'model/chart-types.d.ts', 'client.min.js'],
    document: 'docs/client.md',
    exports: { './client.min.js': './client.min.js' },
  },
  'plugin-metrics-reporter': {
    description: 'Reports to a collector of plugin-metrics how a program in Node is used.',
    entry: 'reporter/reporter',
    files: ['reporter'],
    document: 'reporter/README.md',
    exports: {},
  },
};

/** Writes each package into a folder with its name. @param dist folder with the built modules. */
export function writeSmallPackages(dist: string): void {
  const { version, license, repository, bugs, homepage } = JSON.parse(
    readFileSync(join(checkout, 'package.json'), 'utf8'),
  );
  for (const [name, { description, entry, files, document, exports }] of Object.entries(packages)) {
    const folder = join(dist, name);
    mkdirSync(folder, { recursive: true });
    for (const file of files) cpSync(join(dist, file), join(folder, file), { recursive: true });
    cpSync(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
    const main = { types: `./${entry}.d.ts`, default: `./${entry}.js` };
    const manifest = { name, version, description, license, repository, bugs, homepage };
    const json = {
      ...manifest,
      type: 'module',
      engines,
      exports: { '.': main, ...exports, './package.json': './package.json' },
    };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(json, null, 2)}\n`);
    // Removes links to other documents, which the package does not include.
    const text = readFileSync(join(checkout, document), 'utf8').replaceAll(
      /\[([^\]]*)\]\([^#)][^)]*\)/g,
      '$1',
    );
    writeFileSync(join(folder, 'README.md'), text);
  }
}

if (import.meta.main) writeSmallPackages(join(checkout, 'dist'));
