// Published files: what they are, where their links lead, and what happens to other files of the folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { publishFiles } from '../../src/publish/publish.ts';
import { makeSampleStore } from '../http/support/test-server.ts';
import { serveSite } from '../site/pages/support/site-client.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  eventLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
  windowLine,
  windowsText,
} from '../support/archive-text.ts';
import { hostileNames } from '../support/hostile-names.ts';
import { openSqliteReader } from '../support/reads.ts';
import { mainPath, runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { checkLinks, filesIn, publicUrl, publishTo } from './support/published.ts';

const directory = directoryOfFile();
const sample = await makeSampleStore();

/** A store of plugins 7, 8 and 9, and of an owner with a global plugin. */
const small = directory.at('small.db');
const lines = [
  softwareLine({ globalPluginId: 9 }),
  pluginLine(),
  pluginLine({ id: 8, name: 'Other', owner: { id: 43, name: 'Somebody' } }),
  pluginLine({ id: 9, name: 'All', isGlobal: true }),
  chartLine(),
  dataLine('players', '[[1782777600000,1],[1782779400000,2]]'),
  chartLine({ chartId: 'index', uid: 71, position: 1, type: 'simple_pie', title: 'Index' }),
  chartLine({ pluginId: 8, chartId: 'servers', uid: 80, title: 'Servers' }),
];
await importText(small, archiveText(lines));

test('the files of the sample are those of the server, and each link leads to one', async () => {
  const folder = directory.at('sample');
  const { code, stdout, stderr } = await publishTo(
    folder,
    sample,
    '--plugin',
    '1337,4242',
    '--plugin',
    '1337',
  );
  assert.equal(stderr, '');
  assert.match(
    stdout,
    /^published 2 plugins to \S+: \d+ files, \d+ new or changed, 0 removed, in \d+\.\d\d s\n$/,
  );
  assert.equal(code, 0);
  const files = filesIn(folder);
  assert.ok(checkLinks(files) > 500);
  const site = await serveSite(sample);
  const page = '/plugin/bukkit/ExamplePlugin/1337';
  for (const [file, path] of [
    ['light/players.svg', '/embed/1337/players.svg?theme=light'],
    ['dark/os.svg', '/embed/1337/os.svg?theme=dark'],
    ['year/players.svg', '/embed/1337/players.svg?theme=light&range=1y'],
    ['year-dark/os.svg', '/embed/1337/os.svg?theme=dark&range=1y&view=history'],
    ['badge/players.svg', '/badge/1337/players.svg'],
    ['badge/players.json', '/badge/1337/players.json'],
    ['players.csv', `${page}/players.csv`],
  ] as const)
    assert.equal(
      files.get(`plugin/1337/${file}`),
      Buffer.from((await site.get(path)).body).toString('latin1'),
      file,
    );
  for (const name of [
    'index.html',
    '404.html',
    'sitemap.xml',
    'robots.txt',
    '.nojekyll',
    'owner/42/index.html',
  ])
    assert.ok(files.has(name), name);
  const feed = files.get('plugin/1337/feed.json') ?? '';
  assert.equal(JSON.parse(feed).feed_url, `${publicUrl}/plugin/1337/feed.json`);
  assert.match(
    files.get('plugin/1337/index.html') ?? '',
    new RegExp(`rel="canonical" href="${publicUrl}/plugin/1337/"`),
  );
  assert.match(files.get('404.html') ?? '', new RegExp(`<a href="${publicUrl}/">All plugins</a>`));
  // Totals are those of what is published.
  assert.match(files.get('index.html') ?? '', /2 plugins on 1 platform/);
  for (const text of files.values()) assert.doesNotMatch(text, /href="[^"]*\/(?:api|compare|embed)\//);
});

test('data.json has the points of 60 days as they are stored, and the days before', async () => {
  const file = directory.at('sample/plugin/1337/data.json');
  const { charts, series } = JSON.parse(readFileSync(file, 'utf8'));
  const site = await serveSite(sample);
  const ask = async (path: string) => JSON.parse((await site.get(path)).body);
  const now = await ask('/api/v2/plugins/1337');
  assert.deepEqual(charts, now.charts);
  const { recent, days } = series.players;
  const [from, first, to] = [recent.times[0], days.times[0], recent.times.at(-1) + 1];
  assert.equal(to - 1 - from, 61 * 24 * 3_600_000 - 1_800_000);
  const chart = '/api/v2/series?charts=1337:players';
  const stored = await ask(`${chart}&from=${from}&to=${to}`);
  assert.deepEqual([recent.times, recent.series[0].values], [stored.times, stored.series[0].values]);
  const before = await ask(`${chart}&from=${first}&to=${from}&step=1d&band=true`);
  const { values, lows, highs } = before.series[0];
  assert.deepEqual(
    [days.times, days.series[0].values, days.series[0].lows, days.series[0].highs],
    [before.times, values, lows, highs],
  );
  assert.deepEqual(Object.keys(series.os), ['recent', 'days', 'inner']);
});

test('the same store gives the same bytes, and a second run changes the archive alone', async () => {
  const [one, other] = [directory.at('one'), directory.at('other')];
  await publishTo(one, small, '--all');
  await publishTo(other, small, '--all');
  assert.deepEqual(filesIn(one), filesIn(other));
  const { stdout } = await publishTo(one, small, '--all');
  assert.match(stdout, /, 1 new or changed, 0 removed, /);
  assert.deepEqual(filesIn(one), filesIn(other));
});

test('the archive shows the state of the pages, whatever is written meanwhile', async () => {
  const store = directory.at('written.db');
  await importText(store, archiveText(lines));
  for (const [title, selection] of [
    ['while all were published', { isAll: true }],
    ['while one was published', { pluginIds: [7] }],
  ] as const) {
    const before = await exportText(store);
    const folder = directory.at(title);
    await using reader = openSqliteReader(store);
    // In a process, because it must be done before the next file is written.
    const add = ['add', 'event', '7', '--store', store, '--title', title, '--time', '2026-06-01'];
    const onProgress = (what: string) => {
      if (what === 'publishing plugin 7') execFileSync(process.execPath, [mainPath, ...add]);
    };
    await publishFiles(reader, { path: folder, selection, publicUrl, hasPng: false, onProgress });
    const text = gunzipSync(readFileSync(`${folder}/archive.ndjson.gz`)).toString();
    if ('isAll' in selection) assert.equal(text, before);
    else assert.ok(!text.includes(title));
    assert.ok((await exportText(store)).includes(title));
  }
});

test('the archive has everything that is published, with what was removed', async () => {
  const store = directory.at('removals.db');
  const removals = [
    removalLine(1000),
    windowLine([1000, 2000]),
    removalLine(null, { pluginId: 8, chartId: 'os' }),
    removalLine(null, { pluginId: 1000 }),
  ];
  await importText(store, windowsText([...lines, eventLine(1782777600000, '1.0'), ...removals]));
  const archiveOf = async (name: string, ...argv: string[]) => {
    const folder = directory.at(name);
    assert.equal((await publishTo(folder, store, ...argv)).code, 0);
    const text = gunzipSync(readFileSync(`${folder}/archive.ndjson.gz`)).toString();
    const copy = directory.at(`${name}.db`);
    await importText(copy, text);
    assert.equal(await exportText(copy), text, name);
    return text;
  };
  assert.equal(await archiveOf('whole', '--all'), await exportText(store));
  const text = await archiveOf('part', '--owner', '43');
  assert.ok(text.startsWith('{"record":"archive","version":2}\n'));
  assert.deepEqual(linesIn(text), [
    softwareLine(),
    pluginLine({ id: 8, name: 'Other', owner: { id: 43, name: 'Somebody' } }),
    chartLine({ pluginId: 8, chartId: 'servers', uid: 80, title: 'Servers' }),
    removalLine(1000),
    removalLine(null, { pluginId: 8, chartId: 'os' }),
    removalLine(null, { pluginId: 1000 }),
  ]);
});

test('what an earlier run wrote is removed, and nothing else', async () => {
  const folder = directory.at('fewer');
  await publishTo(folder, small, '--all');
  writeFileSync(`${folder}/CNAME`, 'stats.example.org');
  writeFileSync(`${folder}/plugin/8/notes.txt`, 'mine');
  mkdirSync(`${folder}/.publishing`);
  writeFileSync(`${folder}/.publishing/notes.txt`, 'mine');
  writeFileSync(
    `${folder}/.published`,
    `${readFileSync(`${folder}/.published`, 'utf8')}../small.db\n/etc/hosts\n`,
  );
  const { stdout } = await publishTo(folder, small, '--plugin', '7');
  assert.match(stdout, /, [1-9]\d* removed, /);
  const files = filesIn(folder);
  assert.deepEqual(
    [...files.keys()].filter((file) => file.startsWith('plugin/8')),
    ['plugin/8/notes.txt'],
  );
  assert.deepEqual(readdirSync(`${folder}/plugin/8`), ['notes.txt']);
  assert.ok(!existsSync(`${folder}/plugin/9`) && !existsSync(`${folder}/owner/43`));
  assert.ok(files.has('CNAME') && existsSync(small));
  files.delete('CNAME');
  files.delete('plugin/8/notes.txt');
  assert.deepEqual(readdirSync(`${folder}/.publishing`), ['notes.txt']);
  const fresh = directory.at('fresh');
  await publishTo(fresh, small, '--plugin', '7');
  assert.deepEqual(files, filesIn(fresh));
});

test('a global plugin that is not published is in no total and in no link', async () => {
  const folder = directory.at('fresh');
  const files = filesIn(folder);
  checkLinks(files);
  assert.doesNotMatch(files.get('software/bukkit/index.html') ?? '', /All servers on/);
  await publishTo(directory.at('global'), small, '--plugin', '7,9');
  const all = filesIn(directory.at('global'));
  checkLinks(all);
  assert.match(all.get('software/bukkit/index.html') ?? '', /href="\.\.\/\.\.\/plugin\/9\/"/);
});

test('lists of more than fifty plugins have pages, and names may be hostile', async () => {
  const store = directory.at('many.db');
  const plugins = Array.from({ length: 130 }, (_, index) => {
    const hostile = [...hostileNames, `see ${publicUrl}/owner/9 and ${publicUrl}/sitemap/9.xml `];
    const names = [`${publicUrl}/plugin/bukkit/X/101/`, ...hostile];
    const name = (names[index % names.length] ?? '').slice(0, 190) + index;
    return pluginLine({ id: 100 + index, name, owner: { id: 42, name: hostileNames[0] } });
  });
  const event = eventLine(1782777600000, '1.0', `${publicUrl}/plugin/bukkit/X/101`, 100);
  const software = softwareLine({ name: hostileNames[1] });
  await importText(store, pastText([software, ...plugins, event]));
  const folder = directory.at('many');
  assert.equal((await publishTo(folder, store, '--owner', '42')).code, 0);
  const files = filesIn(folder);
  assert.ok(checkLinks(files) > 1000);
  assert.ok(files.get('index.html')?.includes(`>see ${publicUrl}/owner/9 and`));
  const feed = JSON.parse(files.get('plugin/100/feed.json') ?? '');
  assert.equal(feed.title, `${publicUrl}/plugin/bukkit/X/101/0`);
  assert.equal(feed.items[0].url, `${publicUrl}/plugin/101/`);
  for (const list of ['', 'owner/42/', 'software/bukkit/'])
    for (const page of ['', 'page/2/', 'page/3/'])
      assert.ok(files.has(`${list}${page}index.html`), list + page);
  const { code, stderr } = await publishTo(
    folder,
    store,
    '--plugin',
    Array.from({ length: 501 }, (_, id) => id + 1).join(),
  );
  assert.equal(code, 2);
  assert.match(stderr, /^error: --plugin: it must be at most 500 plugins, got 501; --all publishes more\n/);
});

test('a plugin on two platforms has no sum, and a chart that has ended has a picture of its page', async () => {
  const store = directory.at('platforms.db');
  const platforms = [7, 8].map((id) => pluginLine({ id, softwareId: id - 6 }));
  const [before, past, newest] = [40, 15, 0].map((days) => 1782777600000 - days * 86_400_000);
  await importText(
    store,
    archiveText([
      ...[softwareLine(), softwareLine({ id: 2, name: 'Velocity', url: 'velocity' }), ...platforms],
      ...[chartLine(), dataLine('players', `[[${before},1],[${newest},2]]`)],
      ...[chartLine({ chartId: 'ended', uid: 71, position: 1 }), dataLine('ended', `[[${past},5]]`)],
    ]),
  );
  const folder = directory.at('platforms');
  assert.equal((await publishTo(folder, store, '--all', '--png')).code, 0);
  const files = filesIn(folder);
  checkLinks(files);
  const page = files.get('plugin/7/index.html') ?? '';
  assert.doesNotMatch(page, /also for|all platforms|<a>/);
  assert.match(page, /srcset="dark\/window\/ended\.svg"><img src="light\/window\/ended\.svg"/);
  assert.match(page, /<img src="light\/players\.svg"/);
  const site = await serveSite(store);
  const { body } = await site.get('/plugin/bukkit/ExamplePlugin/7');
  const [, address = ''] = /<img src="([^"]*ended[^"]*)"/.exec(body) ?? [];
  const shown = await site.get(`${address.replaceAll('&#38;', '&').replaceAll('&#61;', '=')}&theme=light`);
  assert.equal(files.get('plugin/7/light/window/ended.svg'), Buffer.from(shown.body).toString('latin1'));
});

test('every picture is also a PNG with --png, and previews have one', async () => {
  const folder = directory.at('png');
  assert.equal((await publishTo(folder, small, '--plugin', '7', '--png')).code, 0);
  const files = filesIn(folder);
  checkLinks(files);
  for (const name of ['light/players', 'dark/players', 'year/index', 'year-dark/players', 'preview'])
    assert.ok(files.get(`plugin/7/${name}.png`)?.startsWith('\x89PNG'), name);
  assert.match(
    files.get('plugin/7/index.html') ?? '',
    new RegExp(`og:image" content="${publicUrl}/plugin/7/preview.png"`),
  );
});

test('a file that somebody else made with the same bytes stays when its plugin is published no more', async () => {
  const folder = directory.at('theirs');
  assert.equal((await publishTo(folder, small, '--plugin', '7')).code, 0);
  const csv = readFileSync(`${folder}/plugin/7/players.csv`);
  rmSync(folder, { recursive: true });
  mkdirSync(`${folder}/plugin/7`, { recursive: true });
  writeFileSync(`${folder}/plugin/7/players.csv`, csv);
  assert.equal((await publishTo(folder, small, '--plugin', '7')).code, 0);
  assert.equal((await publishTo(folder, small, '--plugin', '8')).code, 0);
  assert.deepEqual(readdirSync(`${folder}/plugin/7`), ['players.csv']);
});

test('charts whose ids differ in case alone are refused by name', async () => {
  const store = directory.at('case.db');
  const charts = [chartLine(), chartLine({ chartId: 'Players', uid: 71, position: 1 })];
  await importText(store, archiveText([softwareLine(), pluginLine(), ...charts]));
  const folder = directory.at('case');
  const { code, stderr } = await publishTo(folder, store, '--all');
  assert.equal(
    stderr,
    'error: plugin 7 has the charts players and Players, whose files would differ in case alone\n',
  );
  assert.equal(code, 1);
  assert.deepEqual(readdirSync(folder), []);
});

test('a folder that cannot be published to is named, and stays as it was', async () => {
  const fails = async (folder: string, expected: RegExp, code = 1, store = small) => {
    const run = await publishTo(directory.at(folder), store, '--plugin', '7');
    assert.match(run.stderr, expected);
    assert.equal(run.code, code);
  };
  writeFileSync(directory.at('file'), 'text');
  await fails('file', /^error: \S+\/file: it is not a folder; files are published in one\n$/);
  await fails(
    'none/here',
    /^error: \S+\/none\/here: cannot be written: there is no folder \S+\/none: "mkdir -p \S+ makes it\n$/,
  );
  await fails('small.db', /^error: FILE \S+small\.db is the store \S+: no command writes what it reads\n/, 2);
  await fails('out', /^error: there is no store at \S+none\.db/, 1, directory.at('none.db'));
  assert.ok(!existsSync(directory.at('out')));
  mkdirSync(directory.at('own'));
  writeFileSync(directory.at('own/index.html'), 'mine');
  await fails(
    'own',
    /^error: \S+\/own\/index\.html: publish has not written it; move it away, or publish to another folder\n$/,
  );
  assert.deepEqual(filesIn(directory.at('own')), new Map([['index.html', 'mine']]));
  mkdirSync(directory.at('named'));
  writeFileSync(directory.at('named/.published'), 'notes.txt\n');
  writeFileSync(directory.at('named/notes.txt'), 'mine');
  await fails('named', /^error: \S+\/named\/\.published: publish has not written it; move it away, or /);
  assert.deepEqual([...filesIn(directory.at('named')).keys()], ['.published', 'notes.txt']);
  assert.equal((await publishTo(directory.at('mixed'), small, '--plugin', '7,8')).code, 0);
  rmSync(directory.at('mixed/plugin/8/servers.csv'));
  mkdirSync(directory.at('mixed/plugin/8/servers.csv'));
  writeFileSync(directory.at('mixed/plugin/8/servers.csv/notes.txt'), 'mine');
  const mixed = filesIn(directory.at('mixed'));
  await fails(
    'mixed',
    /^error: \S+\/mixed\/plugin\/8\/servers\.csv: publish has not written it; move it away/,
  );
  assert.deepEqual(filesIn(directory.at('mixed')), mixed);
  mkdirSync(directory.at('linked'));
  mkdirSync(directory.at('outside'));
  symlinkSync(directory.at('outside'), directory.at('linked/plugin'));
  await fails(
    'linked',
    /^error: \S+\/linked\/plugin: it is no folder; move it away, or publish to another folder\n$/,
  );
  assert.deepEqual(readdirSync(directory.at('outside')), []);
  symlinkSync(directory.at('outside'), directory.at('own/.publishing'));
  await fails('own', /^error: \S+\/own\/\.publishing: it is no folder; move it away, or /);
  assert.deepEqual(readdirSync(directory.at('outside')), []);
});

test('a second run in the same folder is refused', async () => {
  const folder = directory.at('busy');
  mkdirSync(`${folder}/.publishing`, { recursive: true });
  const lock = new DatabaseSync(`${folder}/.publishing/lock`);
  lock.exec('begin exclusive');
  const { code, stderr } = await publishTo(folder, small, '--all');
  assert.equal(stderr, `error: ${folder}: another process publishes to it\n`);
  assert.equal(code, 1);
  lock.close();
  assert.equal((await publishTo(folder, small, '--all')).code, 0);
  mkdirSync(`${folder}/.publishing`);
  writeFileSync(`${folder}/.publishing/lock`, 'no lock, and longer than the header of one'.repeat(30));
  const faulty = await publishTo(folder, small, '--all');
  assert.equal(faulty.stderr, `error: ${folder}: cannot be written: file is not a database\n`);
  assert.equal(faulty.code, 1);
});

test('wrong usage, unknown plugins and unknown owners are named', async () => {
  const fails = async (argv: readonly string[], expected: RegExp, code: number) => {
    const run = await runProgram(['publish', '--store', small, directory.at('usage'), ...argv]);
    assert.match(run.stderr, expected);
    assert.equal(run.code, code);
    assert.ok(!existsSync(directory.at('usage')));
  };
  const url = ['--public-url', publicUrl];
  const which = /^error: say which plugins to publish: either --plugin ID, --owner ID or --all\n/;
  await fails(url, which, 2);
  await fails([...url, '--all', '--owner', '42'], which, 2);
  await fails(['--all'], /^error: required option '--public-url <URL>' not specified\n/, 2);
  await fails([...url, '--plugin', '7,77'], /^error: there is no plugin with the id 77\n$/, 1);
  await fails([...url, '--owner', '77'], /^error: there is no owner with the id 77\n$/, 1);
});
