// The import rules of the rooms: imports run towards the model, siblings never import each other, only cli knows all.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chartTypes } from '../src/model/chart-types.ts';

/** An import in a file; paths are relative to the root of the project. */
interface Import {
  readonly file: string;
  /** A path for a file of the project; the specifier of a package or a `node:` module. */
  readonly target: string;
  readonly isTypeOnly: boolean;
}

/** Imports that a room may have besides its own files. */
interface Room {
  readonly rooms: readonly string[];
  /** Packages at run time. */
  readonly packages?: readonly string[];
  /** Packages imported for their types only. */
  readonly typePackages?: readonly string[];
  /** True if the room has Node's modules; rooms of pure functions do not. */
  readonly isPure?: true;
}

const rooms: Readonly<Record<string, Room>> = {
  model: { rooms: [], typePackages: ['typebox'], isPure: true },
  // A checksum is a pure function too.
  series: { rooms: ['model'], isPure: true, packages: ['node:zlib'] },
  store: { rooms: ['model', 'series'], isPure: true, packages: ['node:zlib'] },
  json: { rooms: ['model'] },
  archive: { rooms: ['model', 'series', 'json'], packages: ['csv-parse'] },
  client: { rooms: ['model'], isPure: true },
  reporter: { rooms: [] },
  upstream: { rooms: ['model', 'json', 'client'] },
  mirror: { rooms: ['model', 'upstream', 'client'] },
  collect: { rooms: ['model'], packages: ['@prometheus-io/client', 'mmdb-lib', 're2js'] },
  http: { rooms: ['model'], packages: ['@prometheus-io/client', 'find-my-way', 'lru-cache'] },
  api: { rooms: ['model', 'series', 'http'], typePackages: ['typebox'] },
  draw: { rooms: ['model'], packages: ['anafanafo'], isPure: true },
  site: { rooms: ['model', 'series', 'http', 'draw'], packages: ['ghtml', 'sharp'] },
  admin: { rooms: ['model', 'http'], packages: ['@prometheus-io/client'] },
  serve: {
    rooms: ['model', 'http', 'collect', 'api', 'site', 'admin'],
    packages: ['@prometheus-io/client', 'sonic-boom'],
  },
};

/** Inner rooms: which parts of the surrounding room each may import. */
const innerRooms: Readonly<Record<string, readonly string[]>> = {
  'archive/csv': [],
  'api/v1': ['api'],
  'api/v2': ['api'],
  'collect/listener': ['collect'],
  // These know of no driver.
  store: ['store/keeping', 'store/lists'],
  'store/check': ['store', 'store/keeping'],
  'store/keeping': ['store'],
  'store/lists': ['store'],
  'store/reports': ['store'],
  'store/sqlite': ['store', 'store/check', 'store/keeping', 'store/reports'],
  'store/postgres': ['store', 'store/check', 'store/reports'],
  'upstream/connection': [],
  'upstream/archives': ['upstream', 'upstream/connection'],
  'site/address': [],
  'site/state': ['site/address'],
  'site/query': ['site/address', 'site/state'],
  'site/charts': ['site', 'site/address'],
  'site/assets': [],
  'site/csv': ['site', 'site/address', 'site/state', 'site/query', 'site/charts'],
  'site/images': ['site', 'site/address', 'site/state', 'site/query', 'site/charts'],
  'site/pages': ['site', 'site/address', 'site/state', 'site/query', 'site/charts', 'site/assets'],
  'site/pages/list': ['site', 'site/address', 'site/state', 'site/pages'],
  'site/pages/compare': ['site', 'site/address', 'site/state', 'site/query', 'site/charts', 'site/pages'],
  'site/pages/plugin': ['site', 'site/address', 'site/state', 'site/query', 'site/charts', 'site/pages'],
  'cli/commands': ['cli'],
  'site/browser': ['site/browser/element', 'site/browser/compare', 'site/state'],
  'site/browser/compare': ['site/browser', 'site/browser/element', 'site/state'],
  'site/browser/element': ['site/browser', 'site/state'],
};

/** Imports of inner rooms from other rooms, if they differ from those of the surrounding room. */
const innerImports: Readonly<Record<string, Room>> = {
  'collect/listener': { rooms: ['model', 'http'] },
  'store/sqlite': { rooms: ['model', 'series'] },
  'store/postgres': { rooms: ['model', 'series'], packages: ['pg', 'pg-connection-string'] },
  // These run in the page.
  'site/state': { rooms: ['model', 'draw'], isPure: true },
  'site/browser': { rooms: ['model', 'draw'], isPure: true },
  'site/browser/element': { rooms: ['model', 'draw'], isPure: true },
  'site/browser/compare': { rooms: ['model', 'draw'], isPure: true },
};

/** The only files of the store's room that other rooms import; they load the rest on first use. */
const storeEntries = ['src/store/sqlite/sqlite-store.ts', 'src/store/postgres/postgres-store.ts'];

/** The export of the package, which re-exports the types and the error of the client. */
const packageEntry = 'src/client/client.ts';

/** The folders with TypeScript. */
const codeFolders = ['src', 'test', 'conformance', 'sample', 'bench', 'build', 'compare'];

const cliRoom: Room = { rooms: [...Object.keys(rooms), 'cli'], packages: ['commander'] };

test('every import in src/ runs in an allowed direction', () => {
  assert.deepEqual(importsOf(listSources('src')).flatMap(faultOf), []);
});

test('the black-box checks import nothing from src/', () => {
  const faults = importsOf(listSources('conformance')).filter(({ target }) => target.startsWith('src/'));
  assert.deepEqual(faults, []);
});

test('what compares builds imports nothing from src/, not even through others', () => {
  const reached = new Set(listSources('compare'));
  for (const file of reached) {
    for (const { target } of importsOf([file])) if (target.endsWith('.ts')) reached.add(target);
  }
  assert.deepEqual(
    [...reached].filter((file) => file.startsWith('src/')),
    [],
  );
});

test('no file is named utils and the like, and none only re-exports', () => {
  const files = [...listSources('src'), ...listSources('test'), ...listSources('conformance')];
  const names = /^(utils?|helpers?|index|common|misc|shared|lib)$/;
  assert.deepEqual(
    files.filter((file) => names.test(basename(file, '.ts'))),
    [],
  );
  const handOn = listSources('src').filter((file) => file !== packageEntry);
  assert.deepEqual(
    handOn.filter((file) => /^export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s+)?from\b/m.test(textOf(file))),
    [],
  );
});

test('each exported function and class has a unique name', () => {
  const exported = listSources('src').flatMap((file) =>
    Array.from(
      textOf(file).matchAll(/^export (?:async )?(?:function\*?|class) (\w+)/gm),
      ([, name = '']) => ({
        name,
        file,
      }),
    ),
  );
  const shared = [...Map.groupBy(exported, ({ name }) => name)].filter(([, places]) => places.length > 1);
  assert.deepEqual(
    shared.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`),
    [],
  );
});

test('every exported value is used by another file', () => {
  const importers = Map.groupBy(importsOf(codeFolders.flatMap(listSources)), ({ target }) => target);
  const importersOf = (target: string) => (importers.get(target) ?? []).map(({ file }) => file);
  const unused = listSources('src').flatMap((file) => {
    // A file that loads a module on first use may hand it on to its own importers.
    const users = [file, ...importersOf(file)].flatMap(importersOf);
    return [...textOf(file).matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
      .filter(([, name]) => !users.some((user) => new RegExp(`\\b${name}\\b`).test(textOf(user))))
      .map(([, name]) => `${file}: ${name}`);
  });
  assert.deepEqual(unused, []);
});

test('only the chart type table names chart types', () => {
  const names = new RegExp(`\\b(${Object.keys(chartTypes).join('|')})\\b`);
  assert.deepEqual(
    listSources('src').filter((file) => file !== 'src/model/chart-types.ts' && names.test(textOf(file))),
    [],
  );
});

test('only the command line reads the environment', () => {
  const readers = listSources('src').filter((file) =>
    /\bprocess\s*\.\s*env\b|\benv\b[^;]*from 'node:process'/.test(textOf(file)),
  );
  assert.deepEqual(
    readers.filter((file) => !file.startsWith('src/cli/')),
    [],
  );
});

test('main.ts imports nothing statically, so that it can report a Node that is too old', () => {
  const imports = importsOf(['src/main.ts']);
  assert.deepEqual(
    imports.map(({ target }) => target),
    ['src/cli/thread-pool.ts', 'src/cli/program.ts'],
  );
  assert.doesNotMatch(textOf('src/main.ts'), /^import /m);
  assert.match(textOf('src/main.ts'), /await import\('\.\/cli\/program\.ts'\)/);
});

test('every import resolves to a file', () => {
  const inside = importsOf([...listSources('src'), ...listSources('conformance')]);
  const missing = inside.filter(({ target }) => target.endsWith('.ts') && !existsSync(absolute(target)));
  assert.deepEqual(missing, []);
});

test('there are no import cycles, not even of types', () => {
  const targets = Map.groupBy(importsOf(listSources('src')), ({ file }) => file);
  const visited = new Set<string>();
  const circlesFrom = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')];
    if (visited.has(file)) return [];
    const found = (targets.get(file) ?? []).flatMap(({ target }) => circlesFrom(target, [...path, file]));
    visited.add(file);
    return found;
  };
  assert.deepEqual(
    [...targets.keys()].flatMap((file) => circlesFrom(file, [])),
    [],
  );
});

test('a forbidden import is detected', () => {
  const wrong: ReadonlyArray<readonly [file: string, target: string, isTypeOnly?: boolean]> = [
    ['src/model/chart.ts', 'node:buffer'],
    ['src/model/chart.ts', 'typebox'],
    ['src/model/chart.ts', 'src/series/chunk.ts', true],
    ['src/series/chunk.ts', 'src/store/tables.ts', true],
    ['src/series/chunk.ts', 'node:fs'],
    ['src/store/store.ts', 'src/store/postgres/postgres-store.ts'],
    ['src/store/tables.ts', 'pg'],
    ['src/store/sqlite/sqlite-sql.ts', 'src/store/postgres/postgres-sql.ts'],
    ['src/store/reports/report-log.ts', 'src/store/sqlite/sqlite-sql.ts'],
    ['src/api/routes.ts', 'src/store/sqlite/sqlite-store.ts'],
    ['src/api/routes.ts', 'typebox'],
    ['src/api/routes.ts', 'pg'],
    ['src/archive/lines.ts', 'src/upstream/upstream-server.ts'],
    ['src/archive/csv/read-csv.ts', 'src/archive/archive-bytes.ts', true],
    ['src/pages/chart-page.ts', 'src/api/routes.ts'],
    ['src/pages/chart-page.ts', 'badge-maker'],
    ['src/model/copy-records.ts', 'src/cli/settings.ts', true],
    ['src/upstream/upstream-reader.ts', 'test/support/points.ts'],
    ['src/serve/serve.ts', 'src/cli/output.ts', true],
    ['src/serve/serve.ts', 'src/store/sqlite/sqlite-store.ts'],
    ['src/cli/program.ts', 'find-my-way'],
    ['src/cli/commands/export.ts', 'src/store/store-reader.ts'],
    ['src/cli/store-name.ts', 'src/store/postgres/postgres-settings.ts', true],
    ['src/cli/program.ts', 'src/main.ts'],
    ['src/main.ts', 'src/api/routes.ts'],
    ['src/main.ts', 'commander'],
    ['src/attic/things.ts', 'src/model/chart.ts'],
    ['src/things.ts', 'src/model/chart.ts'],
    ['src/site/browser/embed.ts', 'node:fs'],
    ['src/site/browser/embed.ts', 'src/http/endpoint.ts', true],
    ['src/site/browser/embed.ts', 'src/site/paths.ts'],
    ['src/site/images/png.ts', 'src/client/client.ts'],
    ['src/site/csv/chart-csv.ts', 'src/site/images/image-question.ts'],
    ['src/site/charts/load-chart.ts', 'src/site/pages/page.ts'],
  ];
  for (const [file, target, isTypeOnly = false] of wrong) {
    assert.equal(faultOf({ file, target, isTypeOnly }).length, 1, `${file} → ${target}`);
  }
});

test('an allowed import passes', () => {
  const right: ReadonlyArray<readonly [file: string, target: string, isTypeOnly?: boolean]> = [
    ['src/model/chart.ts', 'src/model/identifier.ts'],
    ['src/model/chart.ts', 'typebox', true],
    ['src/store/sqlite/sqlite-sql.ts', 'src/store/rows.ts'],
    ['src/store/sqlite/sqlite-sql.ts', 'node:sqlite'],
    ['src/http/router.ts', 'src/http/cache/response-cache.ts'],
    ['src/http/wire/message.ts', 'src/http/problem.ts'],
    ['src/store/postgres/postgres-client.ts', 'src/model/app-error.ts'],
    ['src/site/chart-page.ts', 'src/draw/line.ts'],
    ['src/cli/commands/serve.ts', 'src/serve/serve.ts'],
    ['src/serve/serve.ts', 'src/http/http-server.ts'],
    ['src/cli/store-name.ts', 'src/store/sqlite/sqlite-store.ts'],
    ['src/main.ts', 'src/cli/program.ts'],
    ['src/site/browser/embed.ts', 'src/model/points.ts'],
    ['src/site/browser/embed.ts', 'src/draw/theme.ts'],
  ];
  for (const [file, target, isTypeOnly = false] of right) {
    assert.deepEqual(faultOf({ file, target, isTypeOnly }), [], `${file} → ${target}`);
  }
});

test('every form of import is recognised', () => {
  const text = `
import a from 'one';
import type { B } from 'two/types';
import {
  type C,
  d,
} from '@scope/three/sub';
import './four.ts';
export { e } from '../series/five.ts';
export type { F } from './six.ts';
const g = await import('./seven.ts');
type H = import('./eight.ts').H;
// import x from 'nine';
`;
  assert.deepEqual(
    importsIn('src/http/x.ts', text).map(
      ({ target, isTypeOnly }) => `${target}${isTypeOnly ? ' (type)' : ''}`,
    ),
    [
      'one',
      'two (type)',
      '@scope/three',
      'src/http/four.ts',
      'src/series/five.ts',
      'src/http/six.ts (type)',
      'src/http/seven.ts',
      'src/http/eight.ts',
    ],
  );
});

/** Describes what is wrong with an import; undefined if it is allowed. */
function faultOf({ file, target, isTypeOnly }: Import): string[] {
  const from = roomOf(file);
  const room = from === 'cli' ? cliRoom : (innerImports[innerRoomOf(file)] ?? rooms[from]);
  const isRight =
    file === 'src/main.ts'
      ? roomOf(target) === 'cli'
      : room !== undefined && isAllowed(room, { file, from, target, isTypeOnly });
  return isRight ? [] : [`${file} must not import ${target}`];
}

function isAllowed(
  room: Room,
  { file, from, target, isTypeOnly }: Import & { readonly from: string },
): boolean {
  if (target.startsWith('node:') && !room.isPure) return true;
  if (target.endsWith('.ts')) {
    if (roomOf(target) !== from)
      return (
        room.rooms.includes(roomOf(target)) && (roomOf(target) !== 'store' || storeEntries.includes(target))
      );
    return isAllowedWithin(file, target);
  }
  if (isTypeOnly && room.typePackages?.includes(target)) return true;
  return room.packages?.includes(target) ?? false;
}

/** Checks an import within a room against the rules of its inner rooms. */
function isAllowedWithin(file: string, target: string): boolean {
  const inner = innerRoomOf(file);
  const allowed = innerRooms[inner];
  return allowed === undefined || innerRoomOf(target) === inner || allowed.includes(innerRoomOf(target));
}

/** The folder of a file below `src/`: the name of an inner room, or of the room around it. */
function innerRoomOf(file: string): string {
  return /^src\/(.+)\/[^/]+$/.exec(file)?.[1] ?? '';
}

/** The room of a file; '' if it is in none. */
function roomOf(file: string): string {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? '';
}

function importsOf(files: readonly string[]): Import[] {
  return files.flatMap((file) => importsIn(file, textOf(file)));
}

function importsIn(file: string, text: string): Import[] {
  const statement =
    /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
  return [...text.matchAll(statement)].map(([, type, named, loaded]) => ({
    file,
    target: targetOf(file, named ?? loaded ?? ''),
    isTypeOnly: type !== undefined,
  }));
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
