// The commands that list the catalogue and take events and software out of it: what they print and refuse.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { chartLine, eventLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const event = { time: 1_700_000_000_000, title: '1.0 "x"', url: 'https://example.org/1' };
const other = { time: event.time, title: 'a\u202eb', url: null };
const store = directory.at('store.db');
await importText(
  store,
  pastText([
    softwareLine(),
    softwareLine({ id: 2, name: 'Two', url: 'two' }),
    pluginLine(),
    chartLine(),
    eventLine(event.time, event.title, event.url),
    eventLine(other.time, other.title),
  ]),
);

const run = (...words: readonly string[]) =>
  runProgram([...words, '--store', store], { cwd: directory.path });

async function prints(words: readonly string[], stdout: string): Promise<void> {
  const { signal: _, ...outcome } = await run(...words);
  assert.deepEqual(outcome, { code: 0, stdout, stderr: '' });
}

async function refuses(words: readonly string[], code: number, message: RegExp): Promise<void> {
  const { stderr, signal: _, ...rest } = await run(...words);
  assert.deepEqual(rest, { code, stdout: '' });
  assert.match(stderr, message);
}

test('a list has a line for each, with its id first', async () => {
  await prints(['list', 'software'], '1  bukkit  Bukkit / Spigot\n2  two  Two\n');
  await prints(['list', 'plugins'], '7  bukkit  ExamplePlugin  by ExampleUser\n');
  await prints(['list', 'charts', '7'], '7/players  single_linechart  Players\n');
  const time = '2023-11-14T22:13:20.000Z';
  await prints(['list', 'events', '7'], `${time}  1.0 "x"  https://example.org/1\n${time}  a\\u202eb\n`);
});

test('--json prints an array with the fields of the interface', async () => {
  const owner = { id: 42, name: 'ExampleUser' };
  const software = { id: 1, name: 'Bukkit / Spigot', url: 'bukkit' };
  const list = async (...words: string[]) => JSON.parse((await run('list', ...words, '--json')).stdout);
  assert.deepEqual(await list('plugins'), [
    { id: 7, name: 'ExamplePlugin', owner, software, isGlobal: false },
  ]);
  assert.deepEqual(await list('software'), [
    { ...software, globalPlugin: null },
    { id: 2, name: 'Two', url: 'two', globalPlugin: null },
  ]);
  const chart = { chartId: 'players', uid: 70, type: 'single_linechart', position: 0, title: 'Players' };
  assert.deepEqual(await list('charts', '7'), [{ ...chart, isDefault: true }]);
  assert.deepEqual(await list('events', '7'), [event, other]);
});

test('a list of a plugin that is not there is refused', async () => {
  await refuses(['list', 'charts', '8'], 1, /^error: there is no plugin with the id 8\n$/);
  await refuses(['list', 'events', '8'], 1, /^error: there is no plugin with the id 8\n$/);
  await refuses(['list', 'charts', 'x'], 2, /^error: .*x/);
});

test('an event and a software are removed, and a dry run says so alone', async () => {
  const removal = ['remove', 'event', '7', '--time', String(event.time)];
  await refuses(['remove', 'event', '7'], 2, /--time/);
  await refuses(removal, 1, /^error: plugin 7 has 2 events at .*: say which by its title\n$/);
  const titled = [...removal, '--title', other.title];
  const what = 'the event "a\\u202eb" at 2023-11-14T22:13:20.000Z of plugin 7';
  await prints([...titled, '--dry-run'], `would remove ${what}\n`);
  await prints(titled, `removed ${what}\n`);
  await refuses(titled, 1, /^error: plugin 7 has no event "a\\u202eb" at 2023-11-14T22:13:20.000Z\n$/);
  await refuses(
    ['remove', 'software', 'bukkit'],
    1,
    /^error: software "bukkit" has plugins: remove them first\n$/,
  );
  await prints(['remove', 'software', 'two'], 'removed software two\n');
  await refuses(['remove', 'software', 'two'], 1, /^error: there is no software "two"\n$/);
});
