// The command `mirror`, run as users run it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseMetrics } from '../admin/metrics-text.ts';
import { makeSampleStore, serveSample } from '../http/support/test-server.ts';
import type { MetricReading } from '../support/metrics.ts';
import { endOf, runProgram, startProgram } from '../support/run-program.ts';
import { exportText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { idOnlyRoutes, pluginRoutes, serveRoutes } from '../upstream/dialect-server.ts';

const directory = directoryOfFile();
let storeCount = 0;
const newStore = () => directory.at(`mirror-${storeCount++}.db`);
const fast = ['--rate', '100000'];

describe('a wrong command is refused before any request:', () => {
  const file = (text: string | Uint8Array): string => {
    const path = directory.at(`ids-${storeCount++}`);
    writeFileSync(path, text);
    return path;
  };
  const rule =
    /terms \(§12, since 2025-11-19\) forbid scraping, bulk export and rehosting without written consent, and allow caching for personal or project use/;
  const url = 'http://127.0.0.1:9';
  const cases: (readonly [what: string, argv: readonly string[], message: RegExp])[] = [
    [
      'credentials',
      ['https://me:secret@example.org', '--all'],
      /^error: URL: it must be the part of a URL before \/api\/v1/,
    ],
    [
      'the page of a plugin',
      [`${url}/stats/plugin/bukkit/Example/1337`, '--plugin', '1337'],
      /^error: URL: it must be http:\/\/127\.0\.0\.1:9\/stats, without the page of a plugin, whose id is for --plugin, got /,
    ],
    [
      'a name with a control character',
      [url, '--all', '--software', '1=bukkit:a\u001b[2J'],
      /: it must be ID=URL:NAME, .*, got "1=bukkit:a\\+u001b\[2J"$/m,
    ],
    [
      'a file with garbage',
      [url, '--plugins-file', file('# mine\n7 # a\n\n8x\n')],
      /^error: .*ids-\d+: line 4 must be the id of a plugin, got "8x"/,
    ],
    ['all of bstats.org', ['https://bstats.org', '--all'], rule],
    ['all of it, in wide letters', ['https://ｂｓｔａｔｓ。org', '--all'], rule],
  ];
  for (const [what, text, message] of [
    [
      'a secret without a name',
      '\uFEFF# mine\r\n\r\nX: 1\r\nsecret\n',
      /^error: \S+ids-\d+: line 4: it must be NAME: VALUE /,
    ],
    ['a secret in letters', Buffer.from('X: secr\xe9t', 'latin1'), /: line 1: it must be NAME: VALUE /],
    ['a header twice', 'X: secret1\nx: secret2', /^error: --header and --header-file give a header twice$/m],
  ] as const)
    cases.push([`a file with ${what}`, [url, '--all', '--header-file', file(text)], message]);
  cases.push([
    'a file of headers that is not there',
    [url, '--all', '--header-file', 'none'],
    /^error: none: there is no such file$/m,
  ]);
  for (const [what, argv, message] of cases) {
    test(what, async () => {
      const { stderr } = await runProgram(['mirror', ...argv, '--store', directory.at('unused.db')]);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /secret|mirrored/);
      assert.ok(!existsSync(directory.at('unused.db')));
    });
  }

  test('ends with exit code 2 for wrong usage, and with 1 if the terms of the source forbid it', async () => {
    const store = ['--store', directory.at('unused.db')];
    assert.equal((await runProgram(['mirror', url, ...store])).code, 2);
    assert.equal((await runProgram(['mirror', 'https://bstats.org', '--all', ...store])).code, 1);
  });

  test('a store that cannot be written', async () => {
    await using server = await serveRoutes(pluginRoutes());
    const readOnly = directory.at('read-only');
    mkdirSync(readOnly);
    chmodSync(readOnly, 0o500);
    for (const store of [directory.at('no/such/folder.db'), directory.path, mirrorTestFile()]) {
      const { code, stderr } = await runProgram(['mirror', server.url, '--all', '--store', store]);
      assert.equal(code, 1);
      assert.match(stderr, /^error: /);
    }
    assert.equal(server.requests.length, 0);
  });
});

/** Makes a file that is not a store. */
function mirrorTestFile(): string {
  const path = directory.at('no-store.db');
  writeFileSync(path, 'hello, this is not a store at all');
  return path;
}

test('failures are named, the rest is stored, and the exit code is 1', async () => {
  await using server = await serveRoutes(pluginRoutes());
  const store = newStore();
  const ids = directory.at('mine.txt');
  writeFileSync(ids, '\uFEFF7 # ours\r\n8\r\n7\r\n');
  const options = { env: { PLUGIN_METRICS_PLUGIN: '9,7', PLUGIN_METRICS_PLUGINS_FILE: ids } };
  const { code, stdout, stderr } = await runProgram(
    ['mirror', `${server.url}/`, ...fast, '--store', store],
    options,
  );
  assert.equal(code, 1);
  assert.deepEqual(stderr.trim().split('\n').sort(), [
    `error: ${server.url}/api/v1/plugins/8: there is no plugin with the id 8`,
    `error: ${server.url}/api/v1/plugins/9: there is no plugin with the id 9`,
  ]);
  assert.match(stdout, /^mirrored 1 plugin, 1 chart, 2 points with \d+ requests in .*; 2 failed\n$/);
  assert.match(await exportText(store), /"record":"plugin","id":7,/);
  assert.equal(server.requests[0]?.headers['user-agent'], `plugin-metrics/${packageVersion()}`);
});

test('what a source says of a header does not show its value', async () => {
  const value = 'Bearer a-secret-of-mine';
  await using server = await serveRoutes({}, ({ headers }) => ({
    status: headers.authorization === value ? 302 : 401,
    headers: { Location: `/login?token=${String(headers.authorization).slice(7)}` },
  }));
  const file = directory.at('headers');
  writeFileSync(file, `Authorization: ${value}\n`);
  const argv = ['mirror', server.url, '--all', ...fast, '--store', newStore(), '--header-file', file];
  const { code, stderr } = await runProgram(argv);
  assert.equal(code, 1);
  assert.match(stderr, /it has moved to "\/login\?token=…"/);
  assert.doesNotMatch(stderr, /secret/);
});

function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

test('for a source without a software list, the message names the option to use, and that option works', async () => {
  await using server = await serveRoutes(idOnlyRoutes());
  const store = newStore();
  const argv = ['mirror', server.url, '--plugin', '7', '--store', store, ...fast];
  const refused = await runProgram(argv);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /: the software 1 has no name and url: .*; --software 1=URL:NAME does\n$/);
  const env = { PLUGIN_METRICS_SOFTWARE: '2=spigot:Spigot\n1=bukkit:Bukkit: all=of it' };
  const { code, stderr } = await runProgram(argv, { env });
  assert.equal(code, 0, stderr);
  assert.match(await exportText(store), /"id":1,"name":"Bukkit: all=of it","url":"bukkit"/);
  // It is stored now.
  assert.equal((await runProgram(argv)).code, 0);
  assert.equal((await runProgram([...argv, '--software', '1=bukkit'])).code, 2);
});

test('points more than a day ahead of the clock are left out with a message, and the others stored', async () => {
  const now = Date.now();
  const hour = 3_600_000;
  const ahead = [now + 23 * hour, now + 25 * hour, 99_999_999_999_999].map((time) => [time, 1]);
  await using server = await serveRoutes(pluginRoutes({ points: [[now - hour, 1], ...ahead] }));
  const path = newStore();
  const argv = ['mirror', server.url, '--plugin', '7', ...fast, '--store', path];
  for (let visit = 0; visit < 2; visit++) {
    const { code, stdout, stderr } = await runProgram(argv);
    assert.equal(code, 0, stderr);
    assert.equal(
      stderr,
      'left out 2 points more than a day ahead of the clock, of 7/players; --allow-future copies them\n',
    );
    assert.match(stdout, /, 2 points /);
  }
  const { stdout, stderr } = await runProgram([...argv, '--allow-future']);
  assert.equal(stderr, '');
  assert.match(stdout, /, 4 points /);
  // A point that far ahead does not hide the points before it.
  const next = [now, 5];
  server.routes.set('/plugins/7/charts/players/data', { body: [[now - hour, 1], next, ...ahead] });
  assert.equal((await runProgram(argv)).code, 0);
  assert.ok((await exportText(path)).includes(JSON.stringify(next)));
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} ends a run, and the next one continues it`, async () => {
    const source = await serveSample();
    const store = newStore();
    const slow = startProgram(['mirror', source.url, '--all', '--rate', '100', '--store', store]);
    const ended = endOf(slow);
    await untilRequests(source, 8);
    slow.kill(signal);
    const run = await ended;
    assert.equal(run.code, code, run.stderr);
    assert.equal(run.stderr, 'stopped: stored plugins stay, and the next run continues from here\n');
    assert.match(run.stdout, /^mirrored \d plugins?, /);
    const next = await runProgram(['mirror', source.url, '--all', ...fast, '--store', store]);
    assert.equal(next.code, 0, next.stderr);
    assert.ok((await exportText(store)) === (await exportText(await makeSampleStore())));
  });
}

async function untilRequests(source: { readonly count: MetricReading }, count: number) {
  while ((await source.count('requests_total')) < count)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

test('--every repeats until a signal, even after a failed run, and ends with 0', async () => {
  await using server = await serveRoutes({ '/plugins': { status: 403 } });
  const store = newStore();
  const every = ['--every', '30m', '--admin-port', '0', '--store', store];
  const mirror = startProgram(['mirror', server.url, '--all', ...every]);
  const ended = endOf(mirror);
  const [line] = await once(mirror.stdout, 'data');
  const admin = /^admin on (\S+)\n$/.exec(String(line))?.[1];
  const failures = async () =>
    parseMetrics(await (await fetch(`${admin}/metrics`)).text()).get('plugin_metrics_mirror_failures_total');
  // Near :00 and :30, the first run waits for up to three and a half minutes.
  await waitUntil(async () => (await failures()) === 1, undefined, 240_000);
  assert.equal((await fetch(`${admin}/ready`)).status, 503);
  assert.equal((await runProgram(['add', 'software', 'sponge', '--store', store])).code, 0);
  await waitUntil(async () => (await fetch(`${admin}/ready`)).ok);
  mirror.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
});
