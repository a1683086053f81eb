/** The contract of stores for lists: order, searches, totals, names, and the facts that lists show. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { nameKey } from '../../src/model/names.ts';
import type { ListedPlugin, PluginListRequest, PluginSort } from '../../src/model/plugin-list.ts';
import type { Store } from '../../src/model/store.ts';
import {
  archiveText,
  chartLine,
  linesIn,
  pastText,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { type Reads, withReads } from '../support/reads.ts';
import { fc } from '../support/seed.ts';
import { exportFrom, importInto } from './store-contract.ts';

const dataOf = (pluginId: number, chartId: string, data: readonly (readonly [number, number])[]) =>
  JSON.stringify({ record: 'data', pluginId, chartId, data });

/** A plugin with its two charts and their latest values; undefined for a missing chart. */
function withValues(
  fields: { readonly id: number; readonly [name: string]: unknown },
  servers?: number,
  players?: number,
): string[] {
  const { id } = fields;
  const lines = [pluginLine(fields)];
  for (const [index, value] of [servers, players].entries()) {
    const chartId = ['servers', 'players'][index] ?? '';
    if (value !== undefined)
      lines.push(
        chartLine({ pluginId: id, chartId, uid: 10 * id + index }),
        dataOf(id, chartId, [[1, value]]),
      );
  }
  return lines;
}

const owner = (id: number, name: string) => ({ owner: { id, name } });

const archive = archiveText([
  softwareLine({ globalPluginId: 1 }),
  softwareLine({ id: 2, name: 'BungeeCord', url: 'bungeecord' }),
  softwareLine({ id: 3, name: 'Empty', url: 'empty' }),
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

/** A list of all plugins by their servers. */
const usual: PluginListRequest = { text: '', find: 'best', sort: 'servers', descending: true, limit: 100 };

const dayMs = 24 * 60 * 60 * 1000;
const today = Date.UTC(2026, 5, 30);

/** Tests the lists of a kind of store. @param makeStore names a store that does not exist yet. */
export function listsContract(kind: string, makeStore: () => Promise<Store>): void {
  describe(`${kind}: lists`, () => {
    async function openStore(text = archive): Promise<Reads> {
      const store = await makeStore();
      await importInto(store, text);
      return withReads(await store.openReader());
    }

    async function idsIn(reader: Reads, request: Partial<PluginListRequest>): Promise<number[]> {
      const { total, plugins } = await reader.findPlugins({ ...usual, ...request });
      assert.equal(total, plugins.length);
      return plugins.map(({ id }) => id);
    }

    test('a search ignores case and accents, and lists the best matches first if asked, whatever the order', async () => {
      await using reader = await openStore();
      const find = (text: string, request: Partial<PluginListRequest> = {}) =>
        idsIn(reader, { text, ...request });
      assert.deepEqual(await find('world'), [7, 4, 2, 8, 9, 3, 5], 'the name, beginnings, parts, owners');
      assert.deepEqual(await find('world', { sort: 'name', descending: false }), [7, 2, 8, 9, 4, 3, 5]);
      const byName = { find: 'words', sort: 'name', descending: false } as const;
      assert.deepEqual(await find('world', byName), [5, 3, 7, 2, 8, 9, 4]);
      assert.deepEqual(await find('  EDIT '), [2, 8, 9]);
      assert.deepEqual(await find('élise'), [3, 5]);
      assert.deepEqual(await find('celik'), [10]);
      assert.deepEqual(await find('ETE'), [5, 6]);
      assert.deepEqual(await find('sk89q guard'), [4], 'every word, in the name or the owner');
      assert.deepEqual(await find('9'), [9, 6, 4, 2, 8], 'the id, then names, then owners');
      assert.deepEqual(await find('nothing'), []);
      assert.deepEqual(await find('(.*'), []);
      assert.deepEqual(await find('x'.repeat(5000)), []);
      assert.deepEqual(await find(Array.from({ length: 70 }, (_, index) => `w${index}`).join(' ')), []);
    });

    test('the largest id is found, and no number beyond it', async () => {
      const id = Number.MAX_SAFE_INTEGER;
      await using reader = await openStore(archiveText([softwareLine(), pluginLine({ id })]));
      assert.deepEqual(await idsIn(reader, { text: `${id}` }), [id]);
      for (const text of [`${id + 1}`, `1${id}`]) assert.deepEqual(await idsIn(reader, { text }), []);
    });

    test('names that are near are found where nothing else is, and are told apart', async () => {
      await using reader = await openStore();
      const search = async (request: Partial<PluginListRequest>) => {
        const { total, isNear, plugins } = await reader.findPlugins({ ...usual, ...request });
        return [total, isNear, plugins.map(({ id }) => id)];
      };
      assert.deepEqual(await search({ text: 'wrodledit' }), [0, false, []]);
      assert.deepEqual(await search({ text: 'wordledit' }), [3, true, [2, 8, 9]]);
      assert.deepEqual(await search({ text: 'worldguards' }), [1, true, [4]]);
      assert.deepEqual(await search({ text: 'worldgard', softwareUrl: 'bungeecord' }), [0, false, []]);
      assert.deepEqual(await search({ text: 'sk89q wordlguard' }), [1, true, [4]]);
      assert.deepEqual(await search({ text: 'wordledit', ownerId: 2, skip: 1, limit: 1 }), [3, true, [8]]);
      assert.deepEqual(await search({ text: 'wordledit', find: 'part' }), [0, false, []]);
    });

    test('totals of software and of owners', async () => {
      await using reader = await openStore();
      const [first, second, third] = await reader.listSoftwareNow();
      assert.deepEqual(first, {
        ...{ id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPlugin: { id: 1, name: '_bukkit_' } },
        ...{ pluginCount: 7, globalCount: 1, servers: [1, 9000], players: [1, 90_000] },
        ...{ days: [], largest: { servers: 800, players: 4000 }, newestTime: 1 },
      });
      assert.deepEqual(second, {
        ...{ id: 2, name: 'BungeeCord', url: 'bungeecord', globalPlugin: null },
        ...{ pluginCount: 2, globalCount: 0, servers: null, players: null },
        ...{ days: [], largest: { servers: 20, players: 1 }, newestTime: 1 },
      });
      assert.equal(third?.pluginCount, 0);
      const sums = { name: 'sk89q', pluginCount: 4, servers: 1240, players: 8000, newestTime: 1 };
      assert.deepEqual(await reader.loadOwnerNow(2), sums);
      assert.equal(await reader.loadOwnerNow(77), undefined);
      const none = { name: 'Bastian', pluginCount: 0, servers: null, players: null, newestTime: null };
      assert.deepEqual(await reader.loadOwnerNow(1), none);
    });

    test('plugins are found by name, by owner, on other software, and by the names that they had', async () => {
      const store = await makeStore();
      const oldName = (pluginId: number, name: string) =>
        JSON.stringify({ record: 'oldName', pluginId, name });
      const oldNames = [
        oldName(9, 'Before'),
        oldName(4, 'before'),
        oldName(4, 'Multiworld'),
        oldName(8, 'BEFORE'),
      ];
      await importInto(store, archive);
      await importInto(store, pastText(oldNames));
      await using reader = withReads(await store.openReader());
      const idOf = async (url: string, name: string) => (await reader.findPluginNamed(url, name))?.id;
      assert.equal(await idOf('bukkit', 'WORLDedit'), 2);
      assert.equal(await idOf('bungeecord', 'worldedit'), 8);
      assert.equal(await idOf('bukkit', 'été 10'), 5);
      assert.equal(await idOf('bukkit', 'été+10'), 5, 'a plus sign for a space');
      assert.equal(await idOf('bukkit', 'ete 10'), undefined, 'case alone');
      assert.equal(await idOf('nothing', 'worldedit'), undefined);
      assert.equal(await idOf('bukkit', 'before'), 4);
      assert.equal(await idOf('bungeecord', 'before'), 8);
      assert.equal(await idOf('bukkit', 'multiworld'), 3);
      assert.equal(await idOf('bungeecord', 'multiworld'), undefined);
      assert.equal(await reader.findOwnerNamed('SK89Q'), 2);
      assert.equal(await reader.findOwnerNamed('eliseworld'), undefined);
      const namesakes = async (pluginId: number, maxCount = 9) =>
        (await reader.listNamesakes(await reader.getPlugin(pluginId), maxCount)).map(({ id }) => id);
      assert.deepEqual(await namesakes(8), [2, 9]);
      assert.deepEqual(await namesakes(8, 1), [2]);
      assert.deepEqual(await namesakes(2), [8]);
      assert.deepEqual(await namesakes(7), []);
      await importInto(store, archiveText(withValues({ id: 30, name: 'Before' })));
      assert.equal(await idOf('bukkit', 'before'), 30);
    });

    test('a search and a list of an owner end after ten thousand, a list of all does not', async () => {
      const count = 10_060;
      const plugins = Array.from({ length: count }, (_, index) =>
        pluginLine({ id: index + 1, name: `World ${index}` }),
      );
      await using reader = await openStore(archiveText([softwareLine(), ...plugins]));
      const shown = async (request: Partial<PluginListRequest>) => {
        const found = await reader.findPlugins({
          ...usual,
          limit: 50,
          sort: 'id',
          descending: false,
          ...request,
        });
        return [found.total, found.plugins.length, found.plugins[0]?.id];
      };
      assert.deepEqual(await shown({ text: 'world', skip: 9999 }), [count, 50, 10_000]);
      assert.deepEqual(await shown({ text: 'world', skip: 10_000 }), [count, 0, undefined]);
      assert.deepEqual(await shown({ ownerId: 42, skip: 999_999_999 * 50 }), [count, 0, undefined]);
      assert.deepEqual(await shown({ skip: 10_050 }), [count, 10, 10_051]);
    });

    test('a list by change begins with what grew most; what ended a week before the newest has none', async () => {
      const weeks = (id: number, before: number, now: number, until = today) => [
        pluginLine({ id }),
        chartLine({ pluginId: id, chartId: 'servers', uid: id }),
        dataOf(
          id,
          'servers',
          Array.from(
            { length: 16 },
            (_, day) => [until - (15 - day) * dayMs, day < 8 ? before : now] as const,
          ),
        ),
      ];
      await using reader = await openStore(
        archiveText([
          ...[softwareLine(), pluginLine({ id: 1 }), ...weeks(2, 100, 110), ...weeks(3, 10, 30)],
          ...[...weeks(4, 0, 500), ...weeks(5, 1000, 900), ...weeks(6, 5000, 9000, today - 8 * dayMs)],
        ]),
      );
      assert.deepEqual(await idsIn(reader, { sort: '7d' }), [3, 2, 5, 1, 4, 6]);
      assert.deepEqual(await idsIn(reader, { sort: '7d', descending: false }), [5, 2, 3, 1, 4, 6]);
    });

    test('lists and facts are those of a model after any imports, removals and prunes', {
      timeout: 120_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { minLength: 1, maxLength: 12 }),
          requests,
          async (operations, asked) => {
            const store = await makeStore();
            await importInto(
              store,
              archiveText([softwareLine(), softwareLine({ id: 2, name: 'Two', url: 'two' })]),
            );
            for (const run of operations) await run(store);
            assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
            const model = modelOf(await exportFrom(store));
            await using reader = withReads(await store.openReader());
            for (const request of asked) await compareWithModel(reader, model, request);
          },
        ),
        { numRuns: 40 },
      );
    });
  });
}

/** A change to a store. A change to a missing thing does nothing. */
type Operation = (store: Store) => Promise<void>;

const ids = fc.integer({ min: 1, max: 8 });
const chartIds = fc.constantFrom('servers', 'players', 'other');
const names = fc.constantFrom(
  'World',
  'world',
  'World Edit',
  'WorldEdit',
  'Édit',
  'edit 10',
  'Edit 9',
  'a_b',
  'ab',
  'Zed',
);
const times = fc.oneof(
  fc.integer({ min: 0, max: 100 * 24 }).map((hours) => today - hours * 3_600_000),
  fc.constantFrom(0, today, 8.64e15),
);
/** One value per day, up to a day. */
const dailyPoints = fc
  .tuple(
    fc.integer({ min: 0, max: 25 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 10, maxLength: 80 }),
  )
  .map(([end, values]) =>
    values.map((value, day): [number, number] => [today - (end + values.length - day) * dayMs, value]),
  );

const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const points = fc.oneof(dailyPoints, fc.array(fc.tuple(times, value), { minLength: 1, maxLength: 30 }));

const plugin = fc
  .tuple(ids, names, fc.integer({ min: 1, max: 3 }), names, fc.integer({ min: 1, max: 2 }), fc.boolean())
  .map(([id, name, ownerId, ownerName, softwareId, isGlobal]) =>
    pluginLine({ id, name, owner: { id: ownerId, name: ownerName }, softwareId, isGlobal }),
  );

const line = fc.tuple(ids, chartIds, points).map(([pluginId, chartId, data]) => [
  chartLine({ pluginId, chartId, uid: 10 * pluginId + ['servers', 'players', 'other'].indexOf(chartId) }),
  dataOf(
    pluginId,
    chartId,
    [...new Map(data)].sort(([a], [b]) => a - b),
  ),
]);

const imported: fc.Arbitrary<Operation> = fc
  .tuple(fc.array(plugin, { maxLength: 8 }), fc.array(line, { maxLength: 8 }))
  .map(([plugins, lines]) => async (store) => {
    await using reader = withReads(await store.openReader());
    const known = new Set((await Array.fromAsync(reader.listPlugins())).flat().map(({ id }) => id));
    for (const text of plugins) known.add(JSON.parse(text).id);
    const charts = lines.filter(([chart = '']) => known.has(JSON.parse(chart).pluginId)).flat();
    await importInto(store, archiveText([...plugins, ...charts]));
  });

const removed: fc.Arbitrary<Operation> = fc
  .tuple(ids, fc.option(chartIds), fc.option(fc.tuple(times, times)))
  .map(([pluginId, chartId, range]) => async (store) => {
    await using remover = await store.openRemover();
    try {
      if (range !== null) {
        const [from, to] = range.sort((a, b) => a - b);
        await remover.prune({ pluginId, chartId: chartId ?? undefined, from, to });
      } else if (chartId === null) await remover.removePlugin(pluginId);
      else await remover.removeChart(pluginId, chartId);
    } catch {
      // The thing to remove does not exist.
      return;
    }
    await remover.commit();
  });

const operation = fc.oneof({ weight: 3, arbitrary: imported }, { weight: 1, arbitrary: removed });

const requests = fc.array(
  fc.record({
    text: fc.constantFrom('', '', 'world', 'Edit', 'é', 'zed world', '7', 'wrold', 'e'),
    find: fc.constantFrom('part' as const, 'words' as const, 'best' as const),
    softwareUrl: fc.option(fc.constantFrom('bukkit', 'two'), { nil: undefined }),
    ownerId: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    ids: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 12 })), { freq: 3, nil: undefined }),
    isGlobal: fc.option(fc.boolean(), { nil: undefined }),
    sort: fc.constantFrom<PluginSort>('servers', 'players', '7d', '28d', 'name', 'id'),
    descending: fc.boolean(),
    skip: fc.integer({ min: 0, max: 9 }),
    limit: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 10, maxLength: 10 },
);

/** The plugins of an archive, as lists show them. */
type Model = readonly ListedPlugin[];

/** Makes the model from an export alone. */
function modelOf(text: string): Model {
  const records = linesIn(text).map((one) => JSON.parse(one));
  const software = new Map(
    records.filter(({ record }) => record === 'software').map(({ id, name, url }) => [id, { id, name, url }]),
  );
  const series = new Map<string, (readonly [number, number])[]>();
  for (const { record, pluginId, chartId, data } of records)
    if (record === 'data')
      series.set(`${pluginId} ${chartId}`, [...(series.get(`${pluginId} ${chartId}`) ?? []), ...data]);
  const latest = (id: number, chartId: string) => series.get(`${id} ${chartId}`)?.at(-1) ?? null;
  const plugins = records.filter(({ record }) => record === 'plugin');
  const newest = Math.max(
    ...plugins.flatMap(({ id }) =>
      ['servers', 'players'].map((chartId) => latest(id, chartId)?.[0] ?? -8.64e15),
    ),
  );
  return plugins.map(({ id, name, owner: of, softwareId, isGlobal }) => {
    const servers = latest(id, 'servers');
    const end = servers === null ? 0 : Math.floor((servers[0] + 1_800_000) / dayMs);
    const means = Array.from({ length: servers === null ? 0 : 90 }, (_, index) => {
      const values = (series.get(`${id} servers`) ?? [])
        .filter(([time]) => Math.floor(time / dayMs) === end - 90 + index)
        .map(([, value]) => value);
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    });
    const days = means.map((mean) =>
      mean === null || !Number.isFinite(mean) ? null : Number(mean.toPrecision(4)),
    );
    while (days[0] === null) days.shift();
    const isOld = servers !== null && servers[0] < (Math.floor(newest / dayMs) - 7) * dayMs;
    return {
      ...{ id, name, owner: of, software: software.get(softwareId) ?? assert.fail(), isGlobal },
      ...{ servers, players: latest(id, 'players'), days },
      changes: { '7d': isOld ? null : changeOf(means, 7), '28d': isOld ? null : changeOf(means, 28) },
    };
  });
}

function changeOf(days: readonly (number | null)[], count: number): number | null {
  const mean = (some: readonly (number | null)[]) => {
    const known = some.filter((day) => day !== null);
    return known.length < (count * 4) / 7 ? null : known.reduce((sum, day) => sum + day, 0) / known.length;
  };
  const [before, now] = [mean(days.slice(-2 * count, -count)), mean(days.slice(-count))];
  const change = before === null || now === null || before <= 0 ? Number.NaN : now / before - 1;
  return Number.isFinite(change) ? (Math.sign(change) * Math.round(Math.abs(change) * 1e4)) / 1e4 || 0 : null;
}

const fold = (text: string) => text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');

/** The rank of a plugin in a search; undefined if it does not match. */
function rankIn(plugin: ListedPlugin, { text = '', find }: PluginListRequest): number | undefined {
  if (text === '') return 0;
  if (find === 'part')
    return [plugin.name, plugin.owner.name].some((name) => name.toLowerCase().includes(text.toLowerCase()))
      ? 0
      : undefined;
  const [name, ownerName] = [fold(plugin.name), fold(plugin.owner.name)];
  const words = fold(text).split(' ');
  if (name === fold(text) || String(plugin.id) === text) return 0;
  if (name.startsWith(fold(text))) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  return words.every((word) => name.includes(word) || ownerName.includes(word)) ? 3 : undefined;
}

function sortValueOf(plugin: ListedPlugin, sort: PluginSort): number | string | null {
  if (sort === 'servers' || sort === 'players') return plugin[sort]?.[1] ?? null;
  if (sort === '7d' || sort === '28d') return plugin.changes[sort];
  return sort === 'name' ? nameKey(plugin.name) : plugin[sort];
}

async function compareWithModel(reader: Reads, model: Model, request: PluginListRequest): Promise<void> {
  const matches = model
    .filter(({ software }) => request.softwareUrl === undefined || software.url === request.softwareUrl)
    .filter(({ id }) => request.ids === undefined || request.ids.includes(id))
    .filter(({ owner: of }) => request.ownerId === undefined || of.id === request.ownerId)
    .filter(({ isGlobal }) => request.isGlobal === undefined || isGlobal === request.isGlobal)
    .filter((one) => rankIn(one, request) !== undefined);
  const found = await reader.findPlugins(request);
  // Similar names have their own tests.
  if (found.isNear) return assert.equal(matches.length, 0);
  const sorted = matches.sort((a, b) => {
    const ranks = (rankIn(a, request) ?? 0) - (rankIn(b, request) ?? 0);
    if (request.find === 'best' && ranks !== 0) return ranks;
    const [one, other] = [sortValueOf(a, request.sort), sortValueOf(b, request.sort)];
    if (one === other) return a.id - b.id;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other === request.descending ? 1 : -1;
  });
  const { skip = 0, limit } = request;
  assert.equal(found.total, matches.length);
  assert.equal(found.globalCount, matches.filter(({ isGlobal }) => isGlobal).length);
  assert.deepEqual(found.plugins, sorted.slice(skip, skip + limit));
  if (request.find !== 'part' && request.text !== '') return;
  // Reads the same list page by page, from the beginning.
  const all: ListedPlugin[] = [];
  for (let after = undefined as PluginListRequest['after'], isMore = true; isMore; ) {
    const { plugins, next } = await reader.findPlugins({ ...request, skip: undefined, after });
    all.push(...plugins);
    after = next;
    isMore = next !== undefined;
  }
  assert.deepEqual(
    all.map(({ id }) => id),
    sorted.map(({ id }) => id),
  );
}
