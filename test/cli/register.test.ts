// The commands that add software, plugins, charts and events, and rename plugins: what they store, print and
// refuse.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  archiveText,
  chartLine,
  eventLine,
  pastText,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { type Run, runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

let storeCount = 0;

/** Makes a store with these records, by default plugin 7 with one chart, and returns its path. */
async function makeStore(lines = [softwareLine(), pluginLine(), chartLine()]): Promise<string> {
  const path = directory.at(`store-${++storeCount}.db`);
  await importText(path, archiveText(lines));
  return path;
}

/** Runs a command in words, some of which may be quoted. */
function run(store: string, command: string): Promise<Run> {
  const words = Array.from(command.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
  return runProgram([...words, '--store', store], { cwd: directory.path });
}

async function runs(store: string, command: string, printed: string, said: string | RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(store, command);
  assert.deepEqual([code, stdout], [0, printed], stderr);
  if (typeof said === 'string') assert.equal(stderr, `${said} ${store}\n`);
  else assert.match(stderr, said);
}

async function recordsOf(store: string, kind: string) {
  const lines = (await exportText(store)).trim().split('\n');
  return lines.map((line) => JSON.parse(line)).filter(({ record }) => record === kind);
}

/** The charts of a plugin by position, such as `servers#1`, with their uids. */
async function chartsOf(store: string, pluginId: number): Promise<string[]> {
  const charts = (await recordsOf(store, 'chart')).filter((chart) => chart.pluginId === pluginId);
  return charts.sort((a, b) => a.position - b.position).map(({ chartId, uid }) => `${chartId}#${uid}`);
}

describe('add software', () => {
  test('makes a store with the software, its global plugin and the charts of that', async () => {
    const path = directory.at('new.db');
    const said = 'added software 1, "Bukkit / Spigot", with the global plugin 1, 11 charts, to';
    await runs(path, 'add software bukkit', '1\n', said);
    assert.deepEqual(await recordsOf(path, 'software'), [JSON.parse(softwareLine({ globalPluginId: 1 }))]);
    const globalPlugin = { id: 1, name: '_bukkit_', owner: { id: 1, name: 'Admin' }, isGlobal: true };
    assert.deepEqual(await recordsOf(path, 'plugin'), [JSON.parse(pluginLine(globalPlugin))]);
    const charts = await chartsOf(path, 1);
    assert.deepEqual(charts.slice(0, 3), ['servers#1', 'players#2', 'onlineMode#3']);
    const second = 'added software 2, "Sponge", with the global plugin 2, 10 charts, to';
    await runs(path, 'add software sponge', '2\n', second);
    assert.deepEqual((await chartsOf(path, 2)).slice(0, 2), ['servers#12', 'players#13']);
    const [, sponge] = await recordsOf(path, 'plugin');
    assert.deepEqual(sponge?.owner, { id: 1, name: 'Admin' });
  });

  test('of a software without a global plugin, or with another name', async () => {
    const path = await makeStore();
    await runs(path, 'add software other', '2\n', 'added software 2, "Other", to');
    await runs(path, 'add software rust --name Rust', '3\n', 'added software 3, "Rust", to');
    assert.deepEqual(
      (await recordsOf(path, 'software')).map(({ url, globalPluginId }) => `${url} ${globalPluginId}`),
      ['bukkit null', 'other null', 'rust null'],
    );
  });
});

describe('add plugin', () => {
  test('gives it the next free id and the default charts, and prints the id', async () => {
    const path = await makeStore();
    const said = 'added plugin 8, "My Plugin", of owner 43, "Me", with 12 charts to';
    await runs(path, 'add plugin --name "My Plugin" --owner Me --software bukkit', '8\n', said);
    const [, plugin] = await recordsOf(path, 'plugin');
    assert.deepEqual(
      plugin,
      JSON.parse(pluginLine({ id: 8, name: 'My Plugin', owner: { id: 43, name: 'Me' } })),
    );
    assert.deepEqual((await chartsOf(path, 8)).slice(0, 2), ['servers#71', 'players#72']);
    const [chart] = await recordsOf(path, 'chart');
    assert.equal(chart.chartId, 'players');
  });

  test('finds an owner of plugins by the name', async () => {
    const other = pluginLine({ id: 9, owner: { id: 5, name: 'ExampleUser' } });
    const path = await makeStore([softwareLine(), pluginLine(), other]);
    const add = 'add plugin --name x --software bukkit --owner';
    await runs(path, `${add} ExampleUser`, '10\n', /of owner 5, "ExampleUser"/);
    await runs(path, `${add} exampleuser`, '11\n', /of owner 43, "exampleuser"/);
  });

  test('gives no id twice, not even of a plugin that was removed, and none like those that mirrors make', async () => {
    const mirrored = 2 ** 53 - 1;
    const owner = { id: mirrored, name: 'Mirrored' };
    const lines = [pluginLine({ id: 20, owner }), pluginLine({ id: mirrored, owner })];
    const charts = [chartLine(), chartLine({ chartId: 'x', uid: mirrored })];
    const path = await makeStore([softwareLine(), pluginLine(), ...lines, ...charts]);
    assert.equal((await run(path, 'remove plugin 20')).code, 0);
    const add = 'add plugin --name x --owner Me --software bukkit';
    await runs(path, add, '21\n', /of owner 43, "Me"/);
    assert.equal((await chartsOf(path, 21))[0], 'servers#71');
  });

  test('gives every id to one plugin, however many are added at once', async () => {
    const path = await makeStore();
    const all = Array.from({ length: 8 }, () =>
      run(path, 'add plugin --name x --owner Me --software bukkit --allow-duplicate'),
    );
    const printed = (await Promise.all(all)).map(({ stdout }) => Number(stdout)).sort((a, b) => a - b);
    assert.deepEqual(printed, [8, 9, 10, 11, 12, 13, 14, 15]);
    const owners = (await recordsOf(path, 'plugin')).slice(1).map(({ owner }) => owner.id);
    assert.deepEqual(new Set(owners), new Set([43]));
    assert.equal(new Set((await recordsOf(path, 'chart')).map(({ uid }) => uid)).size, 1 + 8 * 12);
  });
});

describe('add chart', () => {
  test('puts the chart behind the others, and prints its name', async () => {
    const path = await makeStore([softwareLine(), pluginLine(), chartLine({ position: 4 })]);
    const said = 'added chart 7/lang, "Language", to plugin 7, "ExamplePlugin", in';
    await runs(path, 'add chart 7/lang --type simple_pie --title Language', '7/lang\n', said);
    const [chart] = await recordsOf(path, 'chart');
    assert.deepEqual(chart, {
      record: 'chart',
      pluginId: 7,
      chartId: 'lang',
      uid: 71,
      type: 'simple_pie',
      position: 5,
      title: 'Language',
      isDefault: false,
      data: { filter: { enabled: false, useRegex: false, blacklist: false, filter: [] } },
    });
  });

  test('gives each type its settings', async () => {
    const path = await makeStore();
    const filter = { enabled: false, useRegex: false, blacklist: false, filter: [] };
    const bounds = { enabled: false, maxValue: null, minValue: null };
    const expected: ReadonlyArray<readonly [options: string, data: object]> = [
      ['--type single_linechart --title Jobs --line-name Done', { lineName: 'Done', filter: bounds }],
      ['--type simple_map --title Where', { valueName: 'Where', filter }],
      ['--type heat_map --title Heat --unknown-type', {}],
    ];
    for (const [index, [options]] of expected.entries())
      assert.equal((await run(path, `add chart 7/c${index} ${options}`)).code, 0);
    const charts = (await recordsOf(path, 'chart')).filter(({ chartId }) => chartId !== 'players');
    assert.deepEqual(
      charts.map(({ data }) => data),
      expected.map(([, data]) => data),
    );
  });

  test('of a type that is not known is refused with the nearest, unless it is meant', async () => {
    const path = await makeStore();
    const known =
      'single_linechart, simple_pie, advanced_pie, drilldown_pie, simple_map, advanced_map, simple_bar, advanced_bar';
    for (const [type, nearest] of Object.entries({ pie: 'simple_pie', constructor: 'simple_bar' })) {
      const { code, stderr } = await run(path, `add chart 7/c --type ${type} --title x`);
      const said = `the type "${type}" is not known, did you mean ${nearest}? Known are ${known}; --unknown-type accepts it`;
      assert.deepEqual([code, stderr.includes(said)], [2, true], stderr);
    }
    await runs(path, 'add chart 7/c --type pie --title x --unknown-type', '7/c\n', /^added chart 7\/c/);
    const { stdout } = await runProgram(['add', 'chart', '--help']);
    assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(known), stdout);
  });
});

describe('rename plugin', () => {
  test('changes the name and the titles that have it, keeps the old one, and lists the titles that stay', async () => {
    const path = await makeStore([softwareLine()]);
    await run(path, 'add plugin --name Old --owner Me --software bukkit');
    await run(path, 'add chart 1/own --type simple_pie --title "Storage of Old"');
    const said = 'changed the name from "Old" to "New" and the titles of 2 default charts of plugin 1 in';
    const stays = '; "Old" is still in the title of 1/own ("rename chart")';
    await runs(path, 'rename plugin 1 --name New', '', new RegExp(`^${said} \\S+${RegExp.escape(stays)}\n$`));
    const titles = async () =>
      (await recordsOf(path, 'chart')).map(({ title }) => title).filter((title) => /Old|New/.test(title));
    const own = 'Storage of Old';
    assert.deepEqual(await titles(), [own, 'Players on servers using New', 'Servers using New']);
    await runs(
      path,
      'rename chart 1/servers --title "All of New"',
      '',
      /from "Servers using New" to "All of New" in/,
    );
    await runs(
      path,
      'rename chart 1/servers --title "All of New"',
      '',
      /^nothing to do: chart 1\/servers has/,
    );
    await runs(
      path,
      'rename plugin 1 --name Newer',
      '',
      /titles of 1 default chart of .* title of 1\/servers /,
    );
    assert.deepEqual(await titles(), [own, 'Players on servers using Newer', 'All of New']);
    assert.deepEqual(await recordsOf(path, 'oldName'), [
      { record: 'oldName', pluginId: 1, name: 'New' },
      { record: 'oldName', pluginId: 1, name: 'Old' },
    ]);
  });

  test('changes the owner too, or alone', async () => {
    const path = await makeStore();
    const both =
      'changed the name from "ExamplePlugin" to "New" and the owner from "ExampleUser" to "Me" of plugin 7 in';
    await runs(path, 'rename plugin 7 --name New --owner Me', '', both);
    const owner = 'changed the owner from "Me" to "You" of plugin 7 in';
    await runs(path, 'rename plugin 7 --owner You', '', owner);
    const nothing = 'nothing to do: plugin 7 is "New" of "You" already, in';
    await runs(path, 'rename plugin 7 --name New --owner You', '', nothing);
    assert.deepEqual(
      (await recordsOf(path, 'plugin')).map((plugin) => [plugin.name, plugin.owner.name]),
      [['New', 'You']],
    );
  });
});

test('rename owner changes the name for all plugins, which are found by it', async () => {
  const owner = { id: 5, name: 'Before' };
  const plugins = [pluginLine({ id: 8, owner }), pluginLine({ id: 9, owner, name: 'Other' })];
  const path = await makeStore([softwareLine(), pluginLine(), ...plugins]);
  await runs(path, 'list owners', '5  Before  2 plugins\n42  ExampleUser  1 plugin\n', /^$/);
  const { stdout: json } = await run(path, 'list owners --json');
  assert.deepEqual(JSON.parse(json)[0], { ...owner, plugins: 2 });
  const said = 'changed the name of owner 5, of 2 plugins, from "Before" to "After" in';
  await runs(path, 'rename owner 5 --name After', '', said);
  await runs(path, 'rename owner 5 --name After', '', /^nothing to do: owner 5 is "After" already/);
  assert.deepEqual(
    (await recordsOf(path, 'plugin')).map((plugin) => plugin.owner.name),
    ['ExampleUser', 'After', 'After'],
  );
  const { stdout } = await run(path, 'check');
  assert.match(stdout, /^(ok|no faults|.*\n)/);
});

test('a plugin of the same name, owner and software as another one is refused, unless it is meant', async () => {
  const path = await makeStore();
  const add = 'add plugin --name ExamplePlugin --owner ExampleUser --software bukkit';
  const twin =
    /^error: plugin 7 has the name "ExamplePlugin", the same owner and the same software; --allow-dup/;
  const refuses = async (command: string) => {
    const { code, stdout, stderr } = await run(path, command);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, twin);
  };
  await refuses(add);
  await refuses(`${add} --dry-run`);
  await runs(path, `${add} --allow-duplicate`, '8\n', /^added plugin 8/);
  await runs(path, 'rename plugin 8 --name Else', '', /^changed the name/);
  await refuses('rename plugin 8 --name ExamplePlugin');
  await runs(path, 'rename plugin 8 --name ExamplePlugin --allow-duplicate', '', /^changed the name/);
  await runs(
    path,
    'add plugin --name ExamplePlugin --owner Another --software bukkit',
    '9\n',
    /^added plugin 9/,
  );
});

test('a software of its own gives its plugins servers and players, and one for a known server says which', async () => {
  const path = await makeStore();
  await run(path, 'add software rust --name Rust');
  await runs(path, 'add plugin --name x --owner Me --software rust', '8\n', /with 2 charts to/);
  assert.deepEqual(await chartsOf(path, 8), ['servers#71', 'players#72']);
});

describe('add event', () => {
  const release = 'add event 7 --title 2.4.0 --time 2026-07-01T12:30:00+02:00';
  const time = '2026-07-01T10:30:00.000Z';

  test('stores the event, of the same time and title its new address, and prints its time', async () => {
    const lines = [softwareLine(), pluginLine()];
    const path = await makeStore(lines);
    for (const [options, did, url] of [
      [' --url https://example.org/typo', 'added the event # in', 'https://example.org/typo'],
      [' --dry-run', 'would change the event # in', 'https://example.org/typo'],
      ['', 'changed the event # in', null],
      ['', 'the event # is there already in', null],
    ] as const) {
      const event = `"2.4.0" at ${time} of plugin 7, "ExamplePlugin",`;
      await runs(path, release + options, `${time}\n`, did.replace('#', event));
      assert.equal(await exportText(path), pastText([...lines, eventLine(Date.parse(time), '2.4.0', url)]));
    }
  });

  test('happens now unless a time is given, and in the future only with --allow-future', async () => {
    const path = await makeStore();
    const before = Date.now();
    const stored = Date.parse((await run(path, 'add event 7 --title 2.4.0')).stdout.trim());
    assert.ok(before <= stored && stored <= Date.now());
    for (const [age, minutes] of [
      ['10m', 10],
      ['2h', 120],
      ['3d', 3 * 24 * 60],
    ] as const) {
      const { stdout } = await run(path, `add event 7 --title ${age} --time ${age} --dry-run`);
      const at = Date.parse(stdout.trim()) + minutes * 60_000;
      assert.ok(before <= at && at <= Date.now(), stdout);
    }
    const future = 'add event 7 --title Sunset --time 9998-01-01 --allow-future';
    await runs(path, future, '9998-01-01T00:00:00.000Z\n', /^added the event "Sunset"/);
    const events = await recordsOf(path, 'event');
    assert.deepEqual(
      events.map(({ time }) => time),
      [stored, Date.UTC(9998, 0)],
    );
  });
});

test('a dry run prints the same, and changes nothing', async () => {
  const path = await makeStore();
  const before = await exportText(path);
  for (const [command, printed, said] of [
    ['add chart 7/x --type simple_pie --title x', '7/x\n', /^would add chart 7\/x, "x", to plugin 7/],
    ['rename plugin 7 --name New', '', /^would change the name from "ExamplePlugin"/],
  ] as const)
    await runs(path, `${command} --dry-run`, printed, said);
  assert.equal(await exportText(path), before);
  const none = directory.at('dry.db');
  await runs(none, 'add software bukkit --dry-run', '1\n', /^would add software 1, "Bukkit \/ Spigot", with/);
  assert.ok(!existsSync(none));
});

describe('a command that cannot be done', () => {
  const plugin = 'add plugin --name x --owner x --software';
  const chart = '--type simple_pie --title x';
  const refusals: ReadonlyArray<readonly [command: string, code: number, said: string]> = [
    ['add software bukkit', 1, 'there is a software "bukkit" already, with the id 1'],
    ['add software rust', 2, 'rust is not known: give it a name with --name NAME, or add one of bukkit, '],
    ['add software Bukkit', 2, 'URL: it must be a string of 1 to 100 characters a-z, 0-9, ".", "_" or "-"'],
    [`${plugin} sponge`, 1, 'there is no software "sponge"; "plugin-metrics add software sponge" adds it'],
    [`${plugin} paper`, 1, 'there is no software "paper"; plugins for paper use --software bukkit\n'],
    [
      `${plugin} waterfall`,
      1,
      'there is no software "waterfall"; plugins for waterfall use --software bungeecord; "plugin-metrics add software bungeecord" adds it',
    ],
    [
      `${plugin} rust`,
      1,
      'there is no software "rust"; "plugin-metrics add software rust --name NAME" adds it',
    ],
    [
      'rename owner 6 --name x',
      1,
      'there is no owner with the id 6; "plugin-metrics list owners" lists them',
    ],
    ['rename chart 7/x --title x', 1, 'plugin 7 has no chart "x"'],
    ['rename plugin 7', 2, 'give --name, --owner, or both'],
    ['add plugin', 2, "required option '--name <NAME>' not specified"],
    [`add chart 7/players ${chart}`, 1, 'plugin 7 has a chart "players" already'],
    [`add chart 7/x ${chart} --line-name x`, 2, '--line-name is for lines: a simple_pie has none'],
    ['add chart 7/x --type Pie --title x', 2, '--type (PLUGIN_METRICS_TYPE): it must be a string of 1 to 50'],
    ['rename plugin 8 --name New', 1, 'there is no plugin with the id 8'],
    ['add event x7 --title x', 2, 'PLUGIN: it must be a whole number from 1 to 9007199254740991, got "x7"'],
    ['add event 7 --title "a\nb"', 2, '--title (PLUGIN_METRICS_TITLE): it must be a string of 1 to 200'],
    ['add event 7 --title x --time 2026-02-30', 2, '--time (PLUGIN_METRICS_TIME): it must be a date'],
    ['add event 7 --title x --time 1782858600', 2, '--time (PLUGIN_METRICS_TIME): it must be a date'],
    [
      'add event 7 --title x --url ftp://example.org',
      2,
      '--url (PLUGIN_METRICS_URL): it must be a URL of at most 2,000 characters that begins with http:// or https://, got "ftp',
    ],
    [
      'add event 7 --title x --time 9998-01-01',
      2,
      '--time: 9998-01-01T00:00:00.000Z is more than a day ahead of the clock of this machine; --allow-future accepts it',
    ],
  ];

  test('says what is allowed, and changes nothing', async () => {
    const path = await makeStore();
    const before = await exportText(path);
    for (const [command, code, said] of refusals) {
      const { stdout, stderr, ...ended } = await run(path, command);
      assert.deepEqual([ended.code, stdout], [code, ''], command);
      assert.ok(stderr.startsWith(`error: ${said}`), `${command}: ${stderr}`);
    }
    assert.equal(await exportText(path), before);
  });
});

describe('default charts', () => {
  test('that a plugin lacks are added after its other charts', async () => {
    const path = await makeStore([
      softwareLine({ url: 'velocity' }),
      pluginLine(),
      chartLine({ chartId: 'players', position: 4 }),
    ]);
    const lacking = [
      ...['servers', 'managed_servers', 'onlineMode', 'velocityVersion', 'pluginVersion', 'coreCount'],
      ...['osArch', 'os', 'location', 'javaVersion', 'locationMap'],
    ];
    const printed = lacking.map((chartId) => `7/${chartId}\n`).join('');
    const plugin = 'plugin 7, "ExamplePlugin", in';
    await runs(path, 'add charts 7 --dry-run', printed, `would add 11 charts to ${plugin}`);
    await runs(path, 'add charts 7', printed, `added 11 charts to ${plugin}`);
    const charts = (await chartsOf(path, 7)).map((text) => text.split('#')[0]);
    assert.deepEqual(charts, ['players', ...lacking]);
    const added = (await recordsOf(path, 'chart')).filter(({ chartId }) => chartId !== 'players');
    assert.ok(added.every(({ isDefault, position }) => isDefault === true && position > 4));
    await runs(path, 'add charts 7', '', `no default chart is missing: nothing to add to ${plugin}`);
    assert.equal((await run(path, 'add charts 99')).code, 1);
  });

  test('are added one by one, with the type that they have', async () => {
    const path = await makeStore();
    const add = 'add chart 7/minecraftVersion --title "Minecraft Version"';
    await runs(
      path,
      `${add} --type simple_pie --default`,
      '7/minecraftVersion\n',
      'added chart 7/minecraftVersion, "Minecraft Version", to plugin 7, "ExamplePlugin", in',
    );
    const charts = await recordsOf(path, 'chart');
    assert.equal(charts.find(({ chartId }) => chartId === 'minecraftVersion').isDefault, true);
    const { code, stderr } = await run(path, 'add chart 7/os --title OS --type simple_pie --default');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^error: --default: there is no default chart os of the type simple_pie; there are servers \(/,
    );
  });

  test('of players have the cap that is given', async () => {
    const path = directory.at('caps.db');
    for (const url of ['fabric', 'neoforge', 'forge', 'nukkit', 'minestom', 'hytale'])
      assert.equal((await run(path, `add software ${url}`)).code, 0);
    const add = 'add plugin --name Big --owner Me --software fabric';
    assert.equal((await run(path, `${add} --max-players 5000`)).code, 0);
    assert.equal((await run(path, `${add} --max-players 0`)).code, 2);
    const charts = (await recordsOf(path, 'chart')).filter(
      ({ pluginId, chartId }) => pluginId === 7 && chartId === 'players',
    );
    assert.deepEqual(charts[0].data.filter, { enabled: true, maxValue: 5000, minValue: 0 });
  });
});
