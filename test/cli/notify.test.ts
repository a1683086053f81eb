// The command notify, against a local webhook.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, beforeEach, describe, test } from 'node:test';
import {
  chartLine,
  dataLine,
  eventLine,
  pastText,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { answers, secretPath, startWebhook } from '../support/webhook-server.ts';

const directory = directoryOfFile();
const at = (name: string) => directory.at(name);
const time = Date.UTC(2026, 0, 1);
const plugins = [softwareLine(), pluginLine(), pluginLine({ id: 8, name: 'Second' })];
const events = (...titles: string[]) =>
  pastText([
    ...plugins,
    ...titles.map((title, index) => eventLine(time + index, title, null, 7 + (index % 2))),
  ]);

before(async () => {
  await importText(at('store.db'), pastText([...plugins, chartLine(), dataLine('players', `[[${time},1]]`)]));
});

let fileCount = 0;
let state = '';
beforeEach(() => {
  state = at(`state-${fileCount++}`);
});

const notify = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(['notify', '--store', at('store.db'), '--plugin', '7,8', '--state', state, ...argv], {
    env,
    cwd: directory.path,
  });

/** Tells the file with the address of a webhook. */
function fileOf({ href }: URL): string {
  writeFileSync(at('address'), `${href}\n`);
  return at('address');
}

describe('notify', () => {
  test('notes at first, then sends what is new, the oldest first, once', async () => {
    const { url, sent } = await startWebhook();
    const argv = ['--webhook-file', fileOf(url), '--public-url', 'https://example.org/m'];
    await importText(at('store.db'), events('a'));
    const first = await notify(argv);
    assert.deepEqual(first, {
      ...{ code: 0, signal: null, stderr: '' },
      stdout: `plugin 7: noted 1 item as sent\nplugin 8: noted 0 items as sent\nsent 0 items to ${url.host}\n`,
    });
    assert.equal(sent.length, 0);
    await importText(at('store.db'), events('a', 'b', 'c'));
    const second = await notify(argv);
    assert.deepEqual([second.code, second.stdout], [0, `sent 2 items to ${url.host}\n`]);
    assert.deepEqual(
      sent.map(({ title, plugin }) => [title, plugin?.id]),
      [
        ['b', 8],
        ['c', 7],
      ],
    );
    const page = 'https://example.org/m/plugin/bukkit/Second/8';
    assert.deepEqual(sent[0], {
      ...{ id: sent[0]?.id, url: page, title: 'b', content_text: '', tags: ['event'] },
      date_published: '2026-01-01T00:00:00.001Z',
      date_modified: '2026-01-01T00:00:00.001Z',
      plugin: { id: 8, name: 'Second' },
    });
    assert.equal((await notify(argv)).stdout, `sent 0 items to ${url.host}\n`);
    assert.equal(sent.length, 2);
  });

  test('--all sends what there is, and the address may be a variable', async () => {
    await importText(at('store.db'), events('a', 'b', 'c'));
    const { url, sent } = await startWebhook();
    const argv = ['--all', '--format', 'discord'];
    const { code, stderr } = await notify(argv, { PLUGIN_METRICS_WEBHOOK: url.href });
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(
      sent.map(({ embeds }) => embeds?.[0]?.['title']),
      ['a', 'b', 'c'],
    );
  });

  test('an entry that was not sent is sent by the next run, and no message has the address', async () => {
    await importText(at('store.db'), events('a', 'b', 'c'));
    const { url, sent, behaviours } = await startWebhook(answers(204), answers(400), answers(404));
    const argv = ['--all', '--webhook', url.href];
    const failed = await notify(argv);
    assert.deepEqual([failed.code, failed.stdout], [1, `sent 1 item to ${url.host}\n`]);
    assert.equal(
      failed.stderr,
      `error: ${url.host} answered 400\nerror: ${url.host} answered 404\nerror: 2 items left to the next run\n`,
    );
    behaviours.push(answers(302, { Location: `http://127.0.0.1:1${secretPath}` }));
    const redirected = await notify(argv);
    assert.equal(redirected.code, 1);
    assert.ok(!`${failed.stderr}${redirected.stdout}${redirected.stderr}`.includes(secretPath.slice(4)));
    assert.equal((await notify(argv)).code, 0);
    assert.deepEqual(
      sent.map(({ title }) => title),
      ['a', 'b', 'c', 'b', 'b', 'c'],
    );
  });

  test('wrong usage ends with 2 and repeats no address', async () => {
    const both = ['--webhook', 'http://localhost', '--webhook-file', 'x'];
    const file = fileOf(new URL(`http://localhost${secretPath}`));
    for (const [argv, reason] of [
      [[], /say where to send to: either --webhook URL or --webhook-file FILE/],
      [both, /say where to send to/],
      [['--webhook', `ftp://x${secretPath}`], /--webhook .*must be the whole address of a webhook/],
      [['--webhook', `http://a:b@x${secretPath}`], /must be the whole address of a webhook/],
      [['--webhook', `http://:b@x${secretPath}`], /must be the whole address of a webhook/],
      [['--webhook', 'http://localhost', '--state', at('store.db')], /store/],
      [['--webhook-file', file, '--state', file], /would replace the file with the address/],
      [['--webhook-file', `${file}.new`, '--state', file], /would replace the file with the address/],
    ] as const) {
      const { code, stderr } = await notify(argv);
      assert.equal(code, 2, stderr);
      assert.match(stderr, reason);
      assert.ok(!stderr.includes('verysecret'), stderr);
    }
  });

  test('a file that cannot be used is named, and nothing is sent', async () => {
    const { url, sent } = await startWebhook();
    writeFileSync(at('no-address'), 'verysecrettoken');
    writeFileSync(at('list'), '[]');
    writeFileSync(at('text'), '{"7":["x"');
    writeFileSync(at('numbers'), '{"7":[1]}');
    for (const [argv, reason] of [
      [['--webhook-file', at('none')], /none: there is no such file/],
      [['--webhook-file', at('no-address')], /no-address: it must have the whole address/],
      [['--webhook', url.href, '--state', at('list')], /list: it is no state of notify: "\[\]"/],
      [['--webhook', url.href, '--state', at('text')], /text: it is no state of notify/],
      [['--webhook', url.href, '--state', at('numbers')], /numbers: it is no state of notify/],
      [['--webhook', url.href, '--state', at('none/state')], /none\/state: /],
      [['--webhook', url.href, '--plugin', '99'], /99/],
    ] as const) {
      const { code, stderr } = await notify(['--all', ...argv]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, reason);
      assert.ok(!stderr.includes('verysecret'), stderr);
    }
    assert.deepEqual(sent, []);
    assert.equal(readFileSync(at('list'), 'utf8'), '[]');
  });
});
