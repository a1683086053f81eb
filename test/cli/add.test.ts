// The commands that add one thing to a store: what they store, print and refuse.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { archiveText, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { type Run, runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const catalogue = [softwareLine(), pluginLine()];
const time = Date.UTC(2026, 6, 1, 10, 30);
const release = ['7', '--title', '2.4.0', '--time', '2026-07-01T12:30:00+02:00'];
const released = { ...done(), stdout: '2026-07-01T10:30:00.000Z\n' };

let storeCount = 0;

/** Makes a store with plugin 7 and returns its path. */
async function makeStore(): Promise<string> {
  const path = directory.at(`store-${++storeCount}.db`);
  await importText(path, archiveText(catalogue));
  return path;
}

function addEvent(store: string, ...argv: string[]): Promise<Run> {
  return runProgram(['add', 'event', '--store', store, ...argv], { cwd: directory.path });
}

function done(): Run {
  return { code: 0, signal: null, stdout: '', stderr: '' };
}

function eventLine(url: string | null): string {
  return JSON.stringify({ record: 'event', pluginId: 7, time, title: '2.4.0', url });
}

describe('add event', () => {
  test('stores the event and prints its time alone to standard output', async () => {
    const path = await makeStore();
    assert.deepEqual(await addEvent(path, ...release, '--url', 'https://example.org/2.4.0'), {
      ...released,
      stderr: `added the event "2.4.0" at 2026-07-01T10:30:00.000Z of plugin 7, "ExamplePlugin", in ${path}\n`,
    });
    assert.equal(await exportText(path), pastText([...catalogue, eventLine('https://example.org/2.4.0')]));
  });

  test('of the same time and title changes the address, and says so', async () => {
    const path = await makeStore();
    const said = async (...argv: string[]) => {
      const { code, stdout, stderr } = await addEvent(path, ...release, ...argv);
      assert.deepEqual([code, stdout], [0, released.stdout]);
      return stderr.slice(0, stderr.indexOf(' "2.4.0" at 2026-'));
    };
    assert.equal(await said('--url', 'https://example.org/typo'), 'added the event');
    assert.equal(await said('--dry-run'), 'would change the address of the event');
    assert.equal(await said(), 'changed the address of the event');
    assert.equal(await said(), 'nothing to do: there is the event');
    assert.equal(await exportText(path), pastText([...catalogue, eventLine(null)]));
  });

  test('happens now unless a time is given', async () => {
    const path = await makeStore();
    const before = Date.now();
    const { code, stdout } = await addEvent(path, '7', '--title', '2.4.0');
    assert.equal(code, 0);
    const stored = Date.parse(stdout.trim());
    assert.ok(before <= stored && stored <= Date.now(), stdout);
    assert.ok((await exportText(path)).includes(`"time":${stored},`));
  });

  test('with --dry-run prints the same, and changes nothing', async () => {
    const path = await makeStore();
    const { stderr, ...rest } = await addEvent(path, ...release, '--dry-run');
    assert.deepEqual({ ...rest, stderr: '' }, released);
    assert.match(stderr, /^would add the event "2\.4\.0" at /);
    assert.equal(await exportText(path), archiveText(catalogue));
  });

  test('in the future needs --allow-future', async () => {
    const path = await makeStore();
    const future = ['7', '--title', 'Sunset', '--time', '9998-01-01'];
    const refused = await addEvent(path, ...future);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /^error: --time: 9998-01-01T\S+Z is more than a day ahead of the clock of this machine; --allow-future accepts it\n/,
    );
    assert.equal((await addEvent(path, ...future, '--allow-future')).code, 0);
    assert.ok((await exportText(path)).includes('"title":"Sunset"'));
  });

  test('refuses a plugin that the store does not have', async () => {
    const path = await makeStore();
    assert.deepEqual(await addEvent(path, '8', '--title', '2.4.0'), {
      ...done(),
      code: 1,
      stderr: 'error: there is no plugin with the id 8\n',
    });
    assert.equal(await exportText(path), archiveText(catalogue));
  });

  test('refuses a store that does not exist, and creates none', async () => {
    const { code, stdout, stderr } = await addEvent('typo.db', '7', '--title', '2.4.0');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: there is no store at typo\.db; /);
    assert.ok(!existsSync(directory.at('typo.db')));
  });

  const timeRule =
    'error: --time (PLUGIN_METRICS_TIME): it must be a date from 1970 on such as 2024-01-31, a time with Z or an offset ' +
    'such as 2024-01-31T12:00:00Z, or an age in days such as 90d, or Unix milliseconds such as 1706702400000, got ';
  const titleRule =
    'error: --title (PLUGIN_METRICS_TITLE): it must be a string of 1 to 200 characters without control characters, got ';
  const urlRule =
    'error: --url (PLUGIN_METRICS_URL): it must be a URL of at most 2,000 characters that begins with http:// or https://, got ';
  const wrongUses: ReadonlyArray<readonly [argv: readonly string[], said: string]> = [
    [[], "error: required option '--title <TITLE>' not specified"],
    [['--title', 'x'], "error: missing required argument 'PLUGIN'"],
    [['7'], "error: required option '--title <TITLE>' not specified"],
    [
      ['x7', '--title', 'x'],
      'error: PLUGIN: a plugin id must be an integer from 1 to 9007199254740991, got "x7"',
    ],
    [
      ['0', '--title', 'x'],
      'error: PLUGIN: a plugin id must be an integer from 1 to 9007199254740991, got "0"',
    ],
    ...['', 'x'.repeat(201), 'a\nb'].map(
      (title) => [['7', `--title=${title}`], `${titleRule}"${JSON.stringify(title).slice(1, 70)}`] as const,
    ),
    ...['2026-02-30', '2026-07-01T12:30:00', '1969-12-31', '99999d', '1782858600', '9'.repeat(16), ''].map(
      (text) => [['7', '--title', 'x', `--time=${text}`], `${timeRule}"${text}"`] as const,
    ),
    ...['example.org', '/2.4.0', 'https:', 'mailto:me', ''].map(
      (url) => [['7', '--title', 'x', `--url=${url}`], `${urlRule}"${url}"`] as const,
    ),
    ...['ftp://example.org', 'javascript://example.org', 'https://', 'https://a b'].map(
      (url) => [['7', '--title', 'x', `--url=${url}`], `${urlRule}a value that is not shown`] as const,
    ),
  ];
  for (const [argv, said] of wrongUses) {
    test(`refuses ${JSON.stringify(argv).slice(0, 60)} and says what is allowed`, async () => {
      const { code, stdout, stderr } = await addEvent('typo.db', ...argv);
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(stderr.startsWith(said), stderr);
      assert.ok(!existsSync(directory.at('typo.db')));
    });
  }
});
