// The directory over a real store: search results and their order, and updates after imports.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Catalogue } from '../../src/directory/catalogue.ts';
import { Directories } from '../../src/directory/directories.ts';
import type { Directory, DirectorySearch } from '../../src/directory/directory.ts';
import { AppError } from '../../src/model/app-error.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import { replaceMethods } from '../http/support/test-server.ts';
import { archiveText, chartLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { openSqliteReader } from '../support/reads.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const dataOf = (pluginId: number, chartId: string, value: number, time = 1) =>
  JSON.stringify({ record: 'data', pluginId, chartId, data: [[time, value]] });

/** A plugin with its two charts and their latest values; undefined for a missing chart. */
function withValues(
  fields: { readonly id: number; readonly [name: string]: unknown },
  servers?: number,
  players?: number,
): string[] {
  const { id } = fields;
  const lines = [pluginLine(fields)];
  if (servers !== undefined) {
    lines.push(chartLine({ pluginId: id, chartId: 'servers', uid: 10 * id }), dataOf(id, 'servers', servers));
  }
  if (players !== undefined) {
    lines.push(
      chartLine({ pluginId: id, chartId: 'players', uid: 10 * id + 1 }),
      dataOf(id, 'players', players),
    );
  }
  return lines;
}

const owner = (id: number, name: string) => ({ owner: { id, name } });

const archive = archiveText([
  softwareLine(),
  softwareLine({ id: 2, name: 'BungeeCord', url: 'bungeecord' }),
  ...withValues({ id: 1, name: '_bukkit_', isGlobal: true, ...owner(1, 'Bastian') }, 9000, 90_000),
  ...withValues({ id: 2, name: 'WorldEdit', ...owner(2, 'sk89q') }, 500, 4000),
  ...withValues({ id: 3, name: 'Multiworld', ...owner(3, 'ÉliseWorld') }, 800, 10),
  ...withValues({ id: 4, name: 'worldguard', ...owner(2, 'sk89q') }, 700),
  ...withValues({ id: 5, name: 'Été 10', ...owner(3, 'ÉliseWorld') }, undefined, 5),
  ...withValues({ id: 6, name: 'ete 9', ...owner(4, 'Ann') }),
  ...withValues({ id: 7, name: 'WORLD', softwareId: 2, ...owner(4, 'Ann') }, 1, 1),
  ...withValues({ id: 8, name: 'WorldEdit', softwareId: 2, ...owner(2, 'sk89q') }, 20, 0),
  ...withValues({ id: 9, name: 'worldedit', ...owner(2, 'sk89q') }, 20, 4000),
  ...withValues({ id: 10, name: 'ÇELIK 5', ...owner(5, 'Çelik') }, 20, 1.5),
]);

async function makeStore(name: string, text = archive): Promise<string> {
  const path = directory.at(`${name}.db`);
  await importText(path, text);
  return path;
}

const directoriesOf = new WeakMap<MetricsReader, Directories>();

/** The directories of a reader. */
function directoriesFor(reader: MetricsReader): Directories {
  const directories = directoriesOf.get(reader) ?? new Directories();
  directoriesOf.set(reader, directories);
  return directories;
}

/** The directory of the newest state. */
function readDirectory(reader: MetricsReader): Promise<Directory> {
  return reader.read((view) => directoriesFor(reader).load(view));
}

/** The catalogue of the newest state. */
function readPluginCatalogue(reader: MetricsReader): Promise<Catalogue> {
  return reader.read((view) => directoriesFor(reader).loadCatalogue(view));
}

async function idsIn(reader: MetricsReader, search: Partial<DirectorySearch>): Promise<number[]> {
  const { total, rows } = await (await readDirectory(reader)).search({ limit: 100, ...search });
  assert.equal(total, rows.length);
  return rows.map(({ id }) => id);
}

test('a search ignores case and accents, and lists the best matches first', async () => {
  await using reader = openSqliteReader(await makeStore('search'));
  const find = (text: string) => idsIn(reader, { text });
  assert.deepEqual(
    await find('world'),
    [7, 4, 2, 8, 9, 3, 5],
    'whole name, beginnings by servers, then others',
  );
  assert.deepEqual(await find('  EDIT '), [2, 8, 9]);
  assert.deepEqual(await find('élise'), [3, 5]);
  assert.deepEqual(await find('celik'), [10]);
  assert.deepEqual(await find('ETE'), [5, 6]);
  assert.deepEqual(await find('sk89q guard'), [4], 'every word, in the name or the owner');
  assert.deepEqual(await find('9'), [9, 6, 4, 2, 8], 'the id, then names, then owners');
  assert.deepEqual(await find('nothing'), []);
  assert.deepEqual(await find('(.*'), []);
  assert.deepEqual(await find('x'.repeat(5000)), []);
});

test('similar names follow where few match, and are counted', async () => {
  await using reader = openSqliteReader(await makeStore('similar'));
  const plugins = await readDirectory(reader);
  const search = async (query: Partial<DirectorySearch>) => {
    const { total, similarCount, rows } = await plugins.search({ limit: 100, ...query });
    return { total, similarCount, ids: rows.map(({ id }) => id) };
  };
  assert.deepEqual(await search({ text: 'wrodledit' }), { total: 0, similarCount: 0, ids: [] });
  assert.deepEqual(await search({ text: 'wordledit' }), { total: 3, similarCount: 3, ids: [2, 8, 9] });
  assert.deepEqual(await search({ text: 'worldguards' }), { total: 1, similarCount: 0, ids: [4] });
  assert.deepEqual(await search({ text: 'worldgard', softwareUrl: 'bungeecord' }), {
    total: 0,
    similarCount: 0,
    ids: [],
  });
  assert.deepEqual((await search({ text: 'sk89q wordlguard' })).ids, [4], 'one exact word, one similar');
});

test('a list without a sort begins with the most servers, and every sort is stable', async () => {
  await using reader = openSqliteReader(await makeStore('sorts'));
  const sorted = (sort: DirectorySearch['sort'], descending?: boolean) => idsIn(reader, { sort, descending });
  assert.deepEqual(await sorted(undefined), [1, 3, 4, 2, 8, 9, 10, 7, 5, 6]);
  assert.deepEqual(await sorted('servers'), await sorted(undefined));
  assert.deepEqual(await sorted('servers', false), [7, 8, 9, 10, 2, 4, 3, 1, 5, 6], 'no value comes last');
  assert.deepEqual(await sorted('players'), [1, 2, 9, 3, 5, 10, 7, 8, 4, 6]);
  assert.deepEqual(await sorted('players', false), [8, 7, 10, 5, 3, 2, 9, 1, 4, 6]);
  assert.deepEqual(
    await sorted('name'),
    [1, 10, 6, 5, 3, 7, 2, 8, 9, 4],
    'numbers by value, equal names by id',
  );
  assert.deepEqual(await sorted('name', true), [4, 2, 8, 9, 7, 3, 5, 6, 10, 1]);
  assert.deepEqual(await sorted('id'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(await sorted('id', true), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('a list is filtered by software and owner, and paged', async () => {
  await using reader = openSqliteReader(await makeStore('filters'));
  assert.deepEqual(await idsIn(reader, { softwareUrl: 'bungeecord', sort: 'id' }), [7, 8]);
  assert.deepEqual(await idsIn(reader, { softwareUrl: 'nothing' }), []);
  assert.deepEqual(await idsIn(reader, { ownerId: 2, sort: 'id' }), [2, 4, 8, 9]);
  assert.deepEqual(
    await idsIn(reader, { ownerId: 2, softwareUrl: 'bukkit', text: 'edit', sort: 'id' }),
    [2, 9],
  );
  const plugins = await readDirectory(reader);
  const part = async (offset: number, limit: number) => {
    const { total, rows } = await plugins.search({ text: 'world', offset, limit });
    assert.equal(total, 7);
    return rows.map(({ id }) => id);
  };
  assert.deepEqual(await part(0, 2), [7, 4]);
  assert.deepEqual(await part(3, 3), [8, 9, 3]);
  assert.deepEqual(await part(6, 3), [5]);
  assert.deepEqual(await part(7, 3), []);
  assert.deepEqual(await part(1e15, 3), []);
  assert.deepEqual(await part(0, 0), []);
});

test('rows have the latest values, and totals count each server once', async () => {
  await using reader = openSqliteReader(await makeStore('totals'));
  const plugins = await readDirectory(reader);
  assert.deepEqual(plugins.find(5), {
    id: 5,
    name: 'Été 10',
    owner: { id: 3, name: 'ÉliseWorld' },
    software: { id: 1, name: 'Bukkit / Spigot', url: 'bukkit' },
    isGlobal: false,
    servers: undefined,
    players: 5,
  });
  assert.equal(plugins.find(1)?.isGlobal, true);
  assert.equal(plugins.find(11), undefined);
  assert.deepEqual(plugins.totals, {
    pluginCount: 9,
    // BungeeCord has no global plugin: its largest plugin has 20 servers, and 1 player.
    servers: { count: 800 + 20, isExact: false, newestTime: 1 },
    players: { count: 4000 + 1, isExact: false, newestTime: 1 },
    software: [
      { id: 1, name: 'Bukkit / Spigot', url: 'bukkit', pluginCount: 7 },
      { id: 2, name: 'BungeeCord', url: 'bungeecord', pluginCount: 2 },
    ],
  });
});

test('plugins are found by name, by owner, and on other software', async () => {
  await using reader = openSqliteReader(await makeStore('names'));
  const catalogue = await readPluginCatalogue(reader);
  const find = (url: string, name: string) => catalogue.findByName(url, name);
  assert.deepEqual(await find('bukkit', 'WORLDedit'), {
    id: 2,
    name: 'WorldEdit',
    owner: { id: 2, name: 'sk89q' },
    software: { id: 1, name: 'Bukkit / Spigot', url: 'bukkit' },
    isGlobal: false,
  });
  assert.equal((await find('bungeecord', 'worldedit'))?.id, 8);
  assert.equal((await find('bukkit', 'été 10'))?.id, 5);
  assert.equal(await find('bukkit', 'ete 10'), undefined, 'case alone');
  assert.equal(await find('nothing', 'worldedit'), undefined);
  assert.equal(catalogue.findOwner(2)?.name, 'sk89q');
  assert.equal(catalogue.findOwner(77), undefined);
  const namesakes = async (pluginId: number, maxCount = 9) =>
    (await catalogue.listNamesakes(pluginId, maxCount)).map(({ id }) => id);
  assert.deepEqual(await namesakes(8), [2, 9]);
  assert.deepEqual(await namesakes(8, 1), [2]);
  assert.deepEqual(await namesakes(2), [8]);
  assert.deepEqual(await namesakes(7), []);
  assert.deepEqual(await namesakes(77), []);
  assert.deepEqual(catalogue.listIds(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a plugin is found by the names that it had, if no other has them', async () => {
  const path = await makeStore('renamed');
  const oldName = (pluginId: number, name: string) => JSON.stringify({ record: 'oldName', pluginId, name });
  await importText(
    path,
    pastText([oldName(9, 'Before'), oldName(4, 'before'), oldName(4, 'Multiworld'), oldName(8, 'BEFORE')]),
  );
  await using reader = openSqliteReader(path);
  const catalogue = await readPluginCatalogue(reader);
  const idOf = async (url: string, name: string) => (await catalogue.findByName(url, name))?.id;
  assert.equal(await idOf('bukkit', 'before'), 4);
  assert.equal(await idOf('bungeecord', 'before'), 8);
  assert.equal(await idOf('bukkit', 'multiworld'), 3);
  assert.equal(await idOf('bungeecord', 'multiworld'), undefined);
  await importText(path, archiveText(withValues({ id: 30, name: 'Before' })));
  const newCatalogue = await readPluginCatalogue(reader);
  assert.equal((await newCatalogue.findByName('bukkit', 'before'))?.id, 30);
});

test('an import is visible in the next response, and one of only points keeps the catalogue', async () => {
  const path = await makeStore('changes');
  await using reader = openSqliteReader(path);
  const [catalogue, before] = [await readPluginCatalogue(reader), await readDirectory(reader)];
  assert.equal(await readDirectory(reader), before, 'kept');
  assert.equal(before.catalogue, catalogue);
  await importText(path, archiveText([dataOf(7, 'servers', 1_000_000, 2)]));
  const changed = await readDirectory(reader);
  assert.equal(changed.find(7)?.servers, 1_000_000);
  assert.equal(before.find(7)?.servers, 1, 'an answer that is being made keeps its state');
  assert.equal(changed.catalogue, catalogue);
  assert.equal((await idsIn(reader, {}))[0], 7);
  await importText(path, archiveText(withValues({ id: 11, name: 'New' }, 3)));
  const newCatalogue = await readPluginCatalogue(reader);
  assert.equal((await newCatalogue.findByName('bukkit', 'new'))?.id, 11);
  assert.equal((await readDirectory(reader)).find(11)?.servers, 3);
});

test('a response during an import has both its plugins and its values, or neither', async () => {
  const path = await makeStore('between');
  await using store = openSqliteReader(path);
  const imports = [
    [...withValues({ id: 2, name: 'Renamed' }, 1_000_000), ...withValues({ id: 12, name: 'New' }, 12)],
    [dataOf(2, 'servers', 2_000_000, 2)],
  ];
  const reader = replaceMethods(store, (view) => ({
    async *listLatestPoints(chartIds) {
      const lines = imports.shift();
      if (lines !== undefined) await importText(path, archiveText(lines));
      yield* view.listLatestPoints(chartIds);
    },
  }));
  const before = await readDirectory(reader);
  assert.deepEqual([before.find(2)?.name, before.find(2)?.servers], ['WorldEdit', 500]);
  assert.equal(before.find(12), undefined);
  const between = await readDirectory(reader);
  assert.deepEqual([between.find(2)?.name, between.find(2)?.servers], ['Renamed', 1_000_000]);
  assert.deepEqual([between.find(12)?.name, between.find(12)?.servers], ['New', 12]);
  assert.equal((await readDirectory(reader)).find(2)?.servers, 2_000_000);
});

test('a read that starts after an import includes it, even while an older read is in progress', async () => {
  const path = await makeStore('behind');
  await using reader = openSqliteReader(path);
  for (let turn = 2; turn < 12; turn++) {
    const early = readDirectory(reader);
    await importText(path, archiveText([dataOf(7, 'servers', turn, turn)]));
    assert.equal((await readDirectory(reader)).find(7)?.servers, turn);
    await early;
  }
});

test('an unreadable store is reported, and read again when it is readable', async () => {
  const path = await makeStore('outage');
  await using store = openSqliteReader(path);
  let isBroken = true;
  const reader = replaceMethods(store, (view) => ({
    async *listPlugins() {
      if (isBroken) throw new AppError('unavailable', 'the store is lost');
      yield* view.listPlugins();
    },
  }));
  await assert.rejects(readDirectory(reader), { code: 'unavailable' });
  await assert.rejects(readPluginCatalogue(reader), { code: 'unavailable' });
  isBroken = false;
  assert.equal((await readDirectory(reader)).totals.pluginCount, 9);
});

test('an empty store has an empty directory', async () => {
  await using reader = openSqliteReader(await makeStore('empty', archiveText([])));
  const plugins = await readDirectory(reader);
  assert.deepEqual(await plugins.search({ limit: 10 }), {
    total: 0,
    globalCount: 0,
    similarCount: 0,
    rows: [],
  });
  assert.deepEqual(plugins.totals, {
    pluginCount: 0,
    servers: undefined,
    players: undefined,
    software: [],
  });
});
