// Default charts computed from reports: every rule, and members that are missing or of a wrong kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultChartId, defaultCharts } from '../../src/collect/default-values.ts';
import { hasGroups } from '../../src/model/chart-forms.ts';
import { shareOfKey } from '../../src/model/columns.ts';
import { fc } from '../support/seed.ts';

/** Returns what a chart counts for a server: a number, a name, or an outer and an inner name. */
function count(chartId: DefaultChartId, fields: object, more: object = {}): unknown {
  const value = defaultCharts[chartId].compute({
    softwareUrl: 'bukkit',
    fields: fields as Readonly<Record<string, unknown>>,
    pluginVersion: undefined,
    country: undefined,
    players: undefined,
    ...more,
  });
  if (value === undefined || typeof value === 'number') return value;
  assert.equal(value.length, 1);
  const [[key, ...counts] = ['']] = value;
  assert.deepEqual(counts, [1]);
  const { group, name } = shareOfKey(key, hasGroups(defaultCharts[chartId].type));
  return group === null ? name : [group, name];
}

test('every server counts once, with its players and the servers behind it', () => {
  assert.equal(count('servers', {}), 1);
  assert.equal(count('players', { playerAmount: 700 }), 700);
  assert.equal(count('managed_servers', { managedServers: 3 }), 3);
  assert.equal(count('players', { playerAmount: 2 ** 31 - 1 }), 2 ** 31 - 1);
  for (const wrong of [undefined, null, '7', true, [], -1, 0.5, 2 ** 31, 1e30, Number.NaN]) {
    assert.equal(count('players', { playerAmount: wrong }), undefined);
    assert.equal(count('managed_servers', { managedServers: wrong }), undefined);
  }
});

test('the online mode is a boolean, a number or a text', () => {
  for (const onlineMode of [true, 1, -1, 0.5, 'true', '1', 'no', [], {}])
    assert.equal(count('onlineMode', { onlineMode }), 'online');
  for (const onlineMode of [false, 0, '', '0', 'false'])
    assert.equal(count('onlineMode', { onlineMode }), 'offline');
  for (const fields of [{}, { onlineMode: null }]) assert.equal(count('onlineMode', fields), undefined);
});

test('the Minecraft version is between the brackets of the version of a Bukkit server', () => {
  assert.equal(count('minecraftVersion', { bukkitVersion: '1.21-9-ab12 (MC: 1.21)' }), '1.21');
  assert.equal(count('minecraftVersion', { bukkitVersion: '1.8' }), '1.8');
  assert.equal(count('minecraftVersion', { bukkitVersion: 'git (MC:)' }), 'git (MC:)');
  const versions = {
    '25w41a-1 (MC: 25w41a)': '25w41a',
    'git-Paper-3 (MC: 26.1-snapshot-3)': '26.1-snapshot-3',
    '1.14-pre (MC: 1.14 Pre-Release 5)': '1.14 Pre-Release 5',
    'x (MC: 1.21.)': '1.21',
    'x MC: 1.8.8 y': '1.8.8',
    '1.8.': '1.8',
  };
  for (const [bukkitVersion, version] of Object.entries(versions))
    assert.equal(count('minecraftVersion', { bukkitVersion }), version);
  for (const fields of [{}, { bukkitVersion: 5 }, { bukkitVersion: '' }, { minecraftVersion: '1.21' }])
    assert.equal(count('minecraftVersion', fields), undefined);
});

test('the Minecraft version of servers of another software is a member of its own', () => {
  const sponge = (fields: object) => count('minecraftVersion', fields, { softwareUrl: 'sponge' });
  assert.equal(sponge({ minecraftVersion: '1.12.2', bukkitVersion: '1 (MC: 1.21)' }), '1.12.2');
  assert.equal(sponge({ minecraftVersion: '26.1-rc-1.' }), '26.1-rc-1');
  for (const fields of [{}, { minecraftVersion: null }, { bukkitVersion: '1 (MC: 1.21)' }])
    assert.equal(sponge(fields), undefined);
});

test('the software of a server is found in its version, or is its name', () => {
  const software = (bukkitVersion: string, bukkitName?: unknown) =>
    count('serverSoftware', { bukkitVersion, bukkitName });
  assert.equal(software('git-Paper-196 (MC: 1.20.1)', 'CraftBukkit'), 'Paper');
  assert.equal(software('git-TacoSpigot-1 (MC: 1.8.8)'), 'TacoSpigot');
  assert.equal(software('git-CatServer (MC: 1.12.2)'), 'CatServer');
  assert.equal(software('arclight-Purpur (MC: 1.20)'), 'Purpur');
  assert.equal(software('1.21-9-ab12 (MC: 1.21)', 'PAPER'), 'Paper');
  assert.equal(software('1.21-9-ab12 (MC: 1.21)', 'Axolotl'), 'AxolotlSpigot');
  assert.equal(software('1.21-9-ab12 (MC: 1.21)', 'UniverseSpigot'), 'UniverseSpigot');
  for (const name of ['CraftBukkit', '', undefined, null, 5])
    assert.equal(software('1.21-9-ab12 (MC: 1.21)', name), 'Unknown');
  assert.equal(software('1.8', 'Paper'), undefined);
  assert.equal(count('serverSoftware', { bukkitName: 'Paper' }), undefined);
});

test('the version of a proxy is the third part of its text, if there are three', () => {
  const version = (bungeecordVersion: unknown) => count('bungeecordVersion', { bungeecordVersion });
  assert.equal(version('git:BungeeCord-Bootstrap:1.21-R0.1-SNAPSHOT:ab12:1789'), '1.21-R0.1-SNAPSHOT');
  assert.equal(version('a:b'), 'a:b');
  for (const wrong of [undefined, null, 5, 'a:b:']) assert.equal(version(wrong), undefined);
  assert.equal(count('velocityVersion', { velocityVersionVersion: '3.4.0' }), '3.4.0');
});

test('the operating system has a group by its name', () => {
  const os = (osName: unknown, osVersion: unknown) => count('os', { osName, osVersion });
  assert.deepEqual(os('Linux', '5.15.0'), ['Linux', '5.15.0']);
  assert.deepEqual(os('Windows Server 2022', '10.0'), ['Windows Server', 'Windows Server 2022']);
  assert.deepEqual(os('Windows NT (unknown)', '10.0'), ['Windows NT', 'Windows NT (unknown)']);
  assert.deepEqual(os('Windows 11', '10.0'), ['Windows', 'Windows 11']);
  assert.deepEqual(os('Mac OS X', '14.5'), ['Mac OS X', 'Mac OS X 14.5']);
  assert.deepEqual(os('FreeBSD', '14.0'), ['BSD', 'FreeBSD 14.0']);
  assert.deepEqual(os('SunOS', '5.11'), ['Other', 'SunOS (5.11)']);
  for (const [name, version] of [
    ['Linux', undefined],
    [undefined, '5'],
    ['Linux', 5],
    ['Linux', ''],
  ])
    assert.equal(os(name, version), undefined);
});

test('versions of Java, PHP and Hytale have a group', () => {
  const java = (javaVersion: unknown) => count('javaVersion', { javaVersion });
  assert.deepEqual(java('1.8.0_492'), ['Java 8', '1.8.0_492']);
  assert.deepEqual(java('21.0.11'), ['Java 21', '21.0.11']);
  assert.deepEqual(java('21-ea'), ['Java 21', '21-ea']);
  assert.deepEqual(java('25'), ['Java 25', '25']);
  assert.deepEqual(java('Java 8'), ['Java 8', 'Java 8']);
  assert.deepEqual(java('17.'), ['Java 17', '17']);
  assert.deepEqual(java('null'), ['Unknown', 'Unknown']);
  for (const wrong of [undefined, null, 21, '']) assert.equal(java(wrong), undefined);
  assert.deepEqual(count('phpVersion', { phpVersion: '8.3.2' }), ['PHP 8', '8.3.2']);
  const hytale = (hytaleVersion: unknown) => count('hytaleVersion', { hytaleVersion });
  assert.deepEqual(hytale('2026.01.13-dcad8778f'), ['2026.01', '2026.01.13-dcad8778f']);
  assert.deepEqual(hytale('dev'), ['Other', 'dev']);
  assert.equal(hytale(2026), undefined);
  assert.equal(count('authMode', { authMode: 'OFFLINE mode' }), 'Offline Mode');
});

test('the country is that of the address', () => {
  const country = { code: 'DE', name: 'Germany' };
  assert.equal(count('location', { location: 'France' }, { country }), 'Germany');
  assert.equal(count('locationMap', {}, { country }), 'DE');
  assert.equal(count('location', {}), undefined);
  assert.equal(count('locationMap', { locationMap: 'FR' }), undefined);
});

test('no member can make a default chart fail', () => {
  const ids = [
    'servers',
    'players',
    'managed_servers',
    'onlineMode',
    'minecraftVersion',
    'serverSoftware',
  ] as const;
  const more = ['bungeecordVersion', 'os', 'javaVersion', 'phpVersion', 'hytaleVersion', 'authMode'] as const;
  const text = fc.oneof(fc.string(), fc.constantFrom('1.', '1', '::', 'MC:', 'Windows', 'BSD', '2026.01'));
  const member = fc.oneof(text, fc.jsonValue());
  const fields = fc.record(
    Object.fromEntries(
      [
        ...[
          'playerAmount',
          'managedServers',
          'onlineMode',
          'bukkitVersion',
          'bukkitName',
          'minecraftVersion',
        ],
        ...[
          'bungeecordVersion',
          'osName',
          'osVersion',
          'javaVersion',
          'phpVersion',
          'hytaleVersion',
          'authMode',
        ],
      ].map((name) => [name, member]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...ids, ...more),
      fields,
      (chartId, reported) => void count(chartId, reported),
    ),
  );
});
