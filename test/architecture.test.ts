// The import rules of the rooms: imports run towards the model, siblings never import each other, only cli
// knows all.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chartTypes } from '../src/model/chart-types.ts';

/**
 * Imports of the files of a room, or of a folder in it: rooms and packages, and folders of their own room.
 * `node:` stands for all modules of Node: rooms of pure functions have none, or the one that is named. Of
 * `type:` only types are imported. A folder that names no rooms and packages has those of its room, and one
 * without an entry may import all folders of its room.
 */
const mayImport: Readonly<Record<string, string>> = {
  model: 'type:typebox',
  runtime: 'node:',
  // A checksum is a pure function too.
  series: 'model runtime node:zlib',
  // These know of no driver.
  store:
    'model runtime series node:zlib store/reading store/writing store/maintenance store/sqlite store/postgres',
  'store/facts': 'store',
  'store/lists': 'store',
  'store/reading': 'store store/facts store/lists',
  'store/writing': 'store store/facts store/reading',
  'store/maintenance': 'store store/facts store/reading',
  'store/check': 'store store/facts store/reading',
  'store/reports': 'store',
  'store/upgrade': 'model store store/upgrade/steps',
  'store/upgrade/steps': 'store store/facts store/upgrade',
  'store/sqlite':
    'model runtime series node: store store/check store/maintenance store/reports store/upgrade',
  'store/postgres':
    'model series node: pg pg-connection-string store store/check store/reports store/upgrade',
  json: 'model node:',
  archive: 'model runtime series json node: csv-parse',
  'archive/csv': '',
  client: 'model',
  reporter: 'node:',
  upstream: 'model json client node:',
  'upstream/connection': '',
  'upstream/archives': 'upstream upstream/connection',
  mirror: 'model upstream client node: @prometheus-io/client',
  collect: 'model runtime node: @prometheus-io/client mmdb-lib re2js',
  'collect/listener': 'model runtime http node: collect',
  http: 'model runtime node: @prometheus-io/client find-my-way lru-cache',
  api: 'model runtime series http node: type:typebox',
  'api/v1': 'api',
  'api/v2': 'api',
  draw: 'model anafanafo',
  query: 'model draw',
  site: 'model runtime series http draw query node: ghtml sharp',
  'site/address': '',
  'site/charts': 'site site/state',
  'site/assets': '',
  'site/csv': 'site site/address site/state site/charts',
  'site/images': 'site site/address site/state site/charts',
  'site/pages': 'site site/address site/state site/charts site/assets',
  'site/pages/list': 'site site/address site/state site/pages',
  'site/pages/compare': 'site site/address site/state site/charts site/pages',
  'site/pages/plugin': 'site site/address site/state site/charts site/pages',
  // These run in the page.
  'site/state': 'model draw site/address',
  'site/browser': 'model draw site/browser/element site/state',
  'site/browser/element': 'model draw query site/browser site/state',
  publish: 'model runtime series http api archive site node:',
  admin: 'model runtime http node: @prometheus-io/client',
  serve: 'model runtime http collect api site admin node: @prometheus-io/client sonic-boom',
  'cli/demo': 'cli',
  'cli/commands': 'cli cli/demo',
};

/** The only file of the store's room that other rooms import; it loads the rest on first use. */
const storeEntry = 'src/store/store.ts';

const rooms = Object.keys(mayImport).filter((name) => !name.includes('/'));

/** An import in a file: a path from the root of the project, the name of a package, or a `node:` module. */
interface Import {
  readonly file: string;
  readonly target: string;
  readonly isTypeOnly: boolean;
}

test('every import in src/ runs in an allowed direction', () => {
  const faults = importsOf(listSources('src'))
    .filter((one) => !isAllowed(one))
    .map(({ file, target }) => `${file} must not import ${target}`);
  assert.deepEqual(faults, []);
});

function isAllowed({ file, target, isTypeOnly }: Import): boolean {
  const [folder, room] = [folderOf(file), roomOf(file)];
  if (file === 'src/main.ts') return roomOf(target) === 'cli';
  const isInside = (name: string) => name.split('/')[0] === room;
  const [own, ofRoom] = [folder, room].map((name) => mayImport[name]?.match(/\S+/g) ?? []);
  const inside = own?.filter(isInside) ?? [];
  if (target.endsWith('.ts') && roomOf(target) === room) {
    const isFree = mayImport[folder] === undefined || (folder === room && inside.length === 0);
    return isFree || [folder, ...inside].includes(folderOf(target));
  }
  // A style sheet is part of the script beside it.
  if (target.endsWith('.css')) return folderOf(target) === folder;
  const all = room === 'cli' ? [[...rooms, 'node:', 'commander']] : [own ?? [], ofRoom ?? []];
  const outside = all.map((names) => names.filter((name) => !isInside(name)));
  const allowed = outside.find(({ length }) => length > 0) ?? [];
  if (target.endsWith('.ts'))
    return allowed.includes(roomOf(target)) && (roomOf(target) !== 'store' || target === storeEntry);
  return (
    allowed.includes(target) ||
    (target.startsWith('node:') && allowed.includes('node:')) ||
    (isTypeOnly && allowed.includes(`type:${target}`))
  );
}

test('the checks from outside import nothing from src/, not even through others', () => {
  const reached = new Set(['conformance', 'compare', 'catalogues'].flatMap(listSources));
  for (const file of reached)
    for (const { target } of importsOf([file])) if (target.endsWith('.ts')) reached.add(target);
  assert.deepEqual([...reached].filter(isIn('src/')), []);
});

test('there are no import cycles, not even of types', () => {
  const importsBy = Map.groupBy(importsOf(listSources('src')), ({ file }) => file);
  // Those whose imports are done are done too; a cycle is never done, nor what imports it.
  const left = new Set(importsBy.keys());
  for (let size = 0; size !== left.size; ) {
    size = left.size;
    for (const [file, imports] of importsBy)
      if (!imports.some(({ target }) => left.has(target))) left.delete(file);
  }
  assert.deepEqual([...left], []);
});

test('rooms stand on at most seven floors, each above all rooms that it imports', () => {
  const importsBy = Map.groupBy(importsOf(listSources('src')), ({ file }) => roomOf(file));
  const left = new Map(
    [...importsBy].map(([room, imports]) => [room, new Set(imports.map(({ target }) => roomOf(target)))]),
  );
  // main.ts is in no room; packages are none.
  left.delete('');
  for (let floor = 1; floor <= 7; floor++) {
    const above = (room: string, targets: ReadonlySet<string>) =>
      [...targets].some((target) => target !== room && left.has(target));
    for (const [room] of [...left].filter(([room, targets]) => !above(room, targets))) left.delete(room);
  }
  assert.deepEqual([...left.keys()], []);
});

test('the command line parses no parameters with http/, which knows requests alone', () => {
  const targets = importsOf(listSources('src/cli')).map(({ target }) => target);
  const used = new Set(targets.filter(isIn('src/http/')));
  assert.deepEqual([...used].sort(), ['src/http/app.ts', 'src/http/limits.ts', 'src/http/logs.ts']);
});

test('each exported function and class has a unique name, and every exported value is used by another file', () => {
  const importers = Map.groupBy(
    importsOf(
      ['src', 'test', 'conformance', 'sample', 'bench', 'build', 'compare', 'catalogues'].flatMap(
        listSources,
      ),
    ),
    ({ target }) => target,
  );
  const importersOf = (target: string) => (importers.get(target) ?? []).map(({ file }) => file);
  const places = new Map<string, string>();
  const faults: string[] = [];
  for (const file of listSources('src')) {
    // A file that loads a module on first use may hand it on to its own importers.
    const users = [file, ...importersOf(file)].flatMap(importersOf);
    for (const [, kind, name = ''] of textOf(file).matchAll(
      /^export (?:async )?(function|const|class)\*? (\w+)/gm,
    )) {
      if (!users.some((user) => new RegExp(`\\b${name}\\b`).test(textOf(user))))
        faults.push(`${file}: ${name} is not used`);
      if (kind === 'const') continue;
      const other = places.get(name);
      if (other !== undefined) faults.push(`${file}: ${name} is in ${other} too`);
      places.set(name, file);
    }
  }
  assert.deepEqual(faults, []);
});

test('no file is named utils and the like, and only the export of the package hands on what others export', () => {
  const names = /^(utils?|helpers?|index|common|misc|shared|lib)\.ts$/;
  const files = ['src', 'test', 'conformance'].flatMap(listSources);
  assert.deepEqual(
    files.filter((file) => names.test(basename(file))),
    [],
  );
  const handingOn = /^export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s+)?from\b/m;
  assert.deepEqual(sourcesWith(handingOn), ['src/client/client.ts']);
});

test('only the chart type table names chart types, and only the command line reads the environment', () => {
  const types = new RegExp(`\\b(${Object.keys(chartTypes).join('|')})\\b`);
  assert.deepEqual(sourcesWith(types), ['src/model/chart-types.ts']);
  const readers = sourcesWith(/\bprocess\s*\.\s*env\b|\benv\b[^;]*from 'node:process'/);
  assert.ok(readers.every(isIn('src/cli/')), readers.join(', '));
});

test('main.ts imports nothing statically, so that it can report a Node that is too old', () => {
  assert.doesNotMatch(textOf('src/main.ts'), /^import /m);
});

/** The sources in which the pattern matches. */
function sourcesWith(pattern: RegExp): string[] {
  return listSources('src').filter((file) => pattern.test(textOf(file)));
}

function isIn(folder: string) {
  return (file: string) => file.startsWith(folder);
}

function folderOf(file: string): string {
  return dirname(file).replace(/^src\/?/, '');
}

/** The room of a file; '' if it is in none. */
function roomOf(file: string): string {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? '';
}

function importsOf(files: readonly string[]): Import[] {
  const statement =
    /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
  return files.flatMap((file) =>
    [...textOf(file).matchAll(statement)].map(([, type, named, loaded]) => ({
      file,
      target: targetOf(file, named ?? loaded ?? ''),
      isTypeOnly: type !== undefined,
    })),
  );
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return new URL(specifier, `file:///${file}`).pathname.slice(1);
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function listSources(folder: string): string[] {
  return readdirSync(absolute(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

function textOf(file: string): string {
  return readFileSync(absolute(file), 'utf8');
}

function absolute(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
