// Servers that answer with something else than the archive of a plugin, or with a hostile one.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { AppError } from '../../src/model/app-error.ts';
import { chartLine, dataLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { serveArchives } from './archive-source.ts';
import { pluginRoutes, type Reply, type Route, serveRoutes } from './dialect-server.ts';
import { emptyMirror, fastClock, type MirrorOnceOptions, mirrorOnce, recordsOf } from './mirror-into.ts';

const temporary = temporaryDirectory();
after(() => temporary[Symbol.dispose]());
const path = '/plugins/7/archive';
const target = `/api/v2${path}`;
const softwareList: Reply = {
  body: [{ id: 1, name: 'Bukkit', url: 'bukkit', globalPlugin: null, plugins: 1, servers: null }],
};
const good = [
  softwareLine({ name: 'Bukkit' }),
  pluginLine(),
  chartLine(),
  dataLine('players', '[[1000,1],[2000,2]]'),
];

/**
 * Mirrors plugin 7 of a server with these answers for its archive, one after the other; its first interface
 * works too.
 */
async function mirrorArchive(route: Route, options: MirrorOnceOptions = {}) {
  await using server = await serveRoutes({
    ...pluginRoutes(),
    '/api/v2/software': softwareList,
    [target]: route,
  });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const clock = fastClock();
  const { failures, progress } = await mirrorOnce(mirror, server.url, { clock, ...options });
  const records = existsSync(mirror.path) ? await recordsOf(mirror) : [];
  const targets = server.takeTargets();
  return {
    failures,
    progress,
    records,
    targets,
    attempts: targets.filter((one) => one.startsWith(target)).length,
  };
}

describe('a server has no archives if it answers with', () => {
  const answers: Readonly<Record<string, Route>> = {
    '404': { status: 404 },
    'an endless page': { fault: 'endless' },
    'other lines': { body: `${good.join('\n')}\n` },
  };
  for (const [what, answer] of Object.entries(answers))
    test(`${what}, and is asked chart by chart`, async () => {
      const { failures, records, targets } = await mirrorArchive(answer);
      assert.deepEqual(failures, []);
      assert.equal(records.length, 4);
      assert.deepEqual(targets, [
        '/api/v2/software',
        target,
        '/plugins/7',
        '/plugins',
        '/plugins/7/charts/players/data?maxElements=4000000',
      ]);
    });

  test('something else than a list of software, and no archive is requested', async () => {
    for (const answer of [
      { status: 404 },
      { body: '<!DOCTYPE html>' },
      { status: 302, headers: { Location: 'http://other.example/' } },
      { body: { a: 1 } },
      { body: [{}] },
      { body: Buffer.from([0xff]) },
    ] satisfies Reply[]) {
      await using server = await serveRoutes({ ...pluginRoutes(), '/api/v2/software': answer });
      using directory = temporaryDirectory();
      const mirror = emptyMirror(directory.path);
      assert.deepEqual((await mirrorOnce(mirror, server.url)).failures, []);
      assert.equal((await recordsOf(mirror)).length, 4);
      assert.ok(!server.takeTargets().includes(target));
    }
  });

  test('a page for each plugin, of which one is enough', async () => {
    const live = { software: { id: 1 }, isGlobal: false, owner: { id: 1, name: 'O' }, charts: {} };
    const ids = [11, 12, 13, 14, 15, 16];
    const plugins = ids.map((id): [string, Route] => [
      `/plugins/${id}`,
      { body: { id, name: 'P', ...live } },
    ]);
    await using server = await serveRoutes({
      ...pluginRoutes(),
      ...Object.fromEntries(plugins),
      '/api/v2/software': softwareList,
    });
    using directory = temporaryDirectory();
    const options = { pluginIds: ids };
    const { progress, failures } = await mirrorOnce(emptyMirror(directory.path), server.url, options);
    // Each plugin that was begun until then has asked for its archive.
    assert.ok(server.takeTargets().filter((one) => one.endsWith('/archive')).length <= 2);
    assert.deepEqual(failures, []);
    assert.equal(progress.doneCount, 6);
  });
});

describe('a source that does not say if it has archives is down, and nothing is copied:', {
  concurrency: true,
}, () => {
  const answers: Readonly<Record<string, readonly [answer: Reply, reason: string, attempts: number]>> = {
    'a rest of an hour': [
      { status: 503, headers: { 'Retry-After': '3600' } },
      'answered 503; its Retry-After is 3600',
      1,
    ],
    'a connection that is reset': [{ fault: 'reset' }, 'no answer: ', 5],
  };
  for (const [what, [answer, reason, attempts]] of Object.entries(answers))
    test(what, async () => {
      await using source = await serveArchives(good);
      await source.visit(Date.UTC(2026, 0, 1));
      const before = await source.mirrorText();
      await source.add([dataLine('players', '[[3000,3]]')]);
      for (const [path, route] of Object.entries(pluginRoutes())) source.server.routes.set(path, route);
      source.server.routes.set('/api/v2/software', answer);
      for (const mirror of [source.mirror, emptyMirror(temporary.path, `${what}.db`)]) {
        source.server.takeTargets();
        const options = { clock: fastClock(Date.UTC(2026, 0, 1)), pluginIds: undefined };
        await assert.rejects(mirrorOnce(mirror, source.server.url, options), (error: AppError) => {
          assert.equal(error.place, `${source.server.url}/api/v2/software`);
          assert.ok(error.message.startsWith(reason), error.message);
          return true;
        });
        const asked = Array<string>(attempts).fill('/api/v2/software');
        assert.deepEqual(source.server.takeTargets(), asked);
      }
      assert.equal(await source.mirrorText(), before);
      assert.ok(!existsSync(temporary.at(`${what}.db`)));
      // It is back at the next visit.
      source.server.routes.clear();
      assert.deepEqual((await source.visit(Date.UTC(2026, 0, 1))).failures, []);
      assert.equal(await source.mirrorText(), await source.sourceText());
    });

  test('but not if it says so when it is asked again', async () => {
    for (const first of [{ status: 503 }, { fault: 'reset' }] as const) {
      await using source = await serveArchives(good);
      source.server.routes.set('/api/v2/software', [first, { status: 429 }, softwareList]);
      assert.deepEqual((await source.visit(Date.UTC(2026, 0, 1))).failures, []);
      assert.equal(await source.mirrorText(), await source.sourceText());
    }
  });
});

test('a plugin that the server does not have is not looked for elsewhere', async () => {
  const body = {
    type: '/openapi.json#/components/responses/unknown-plugin',
    title: 'Unknown plugin',
    status: 404,
  };
  const headers = { 'Content-Type': 'application/problem+json' };
  const { failures, targets } = await mirrorArchive({ status: 404, headers, body });
  assert.deepEqual(failures, [`${target}: there is no plugin with the id 7`]);
  assert.deepEqual(targets, ['/api/v2/software', target]);
});

describe('a temporary error is retried:', { concurrency: true }, () => {
  const whole: Reply = { body: pastText(good) };
  const passing: Readonly<Record<string, Reply>> = {
    'an archive that ends within the body': { ...whole, fault: 'cut' },
    'an archive without its last line': { body: `${pastText(good).split('\n').slice(0, -2).join('\n')}\n` },
  };
  for (const [what, reply] of Object.entries(passing))
    test(what, async () => {
      const { failures, records, attempts } = await mirrorArchive([reply, reply, whole]);
      assert.deepEqual(failures, []);
      assert.equal(records.length, 4);
      assert.equal(attempts, 3);
    });

  test('an archive that comes a byte at a time takes no longer than ten other answers', async () => {
    const { failures } = await mirrorArchive({ fault: 'slow' }, { timeoutMs: 100 });
    assert.deepEqual(failures, [`${target}: no answer: it took longer than 1 s`]);
  });
});

describe('a wrong archive is refused, with its line, and nothing of the plugin is stored:', () => {
  const other = { pluginId: 8 };
  const version = chartLine({ chartId: 'version', uid: 72, type: 'simple_pie' });
  const cases: Readonly<Record<string, readonly [lines: readonly string[], fault: string]>> = {
    'another plugin': [
      [softwareLine(), pluginLine({ id: 8 })],
      ':3: the archive must be of plugin 7, got plugin 8',
    ],
    'a second plugin': [
      [...good, pluginLine()],
      ':6: the archive of a plugin must begin with one software and the plugin',
    ],
    'no plugin': [
      [softwareLine()],
      ':3: the archive of a plugin must begin with one software and the plugin',
    ],
    'the software of another plugin': [
      [softwareLine(), pluginLine({ softwareId: 2 })],
      ':3: softwareId must be 1, got 2',
    ],
    'data of another plugin': [
      [...good, JSON.stringify({ record: 'data', ...other, chartId: 'players', data: [] })],
      ':6: the archive must be of plugin 7, got plugin 8',
    ],
    'data of a chart that it does not have': [
      [...good, dataLine('servers', '[]')],
      ':6: the data and the history of chart "servers" must follow the chart',
    ],
    'data apart from their chart': [
      [...good, version, dataLine('players', '[]')],
      ':7: the data and the history of chart "players" must follow the chart',
    ],
    'data behind an event': [
      [
        ...good,
        '{"record":"event","pluginId":7,"time":1000,"title":"1.0","url":null}',
        dataLine('players', '[]'),
      ],
      ':7: the data and the history of chart "players" must follow the chart',
    ],
    'a line with a time': [
      [...good, '{"record":"data","pluginId":7,"chartId":"players","data":[[2,2]],"at":1}'],
      ':6: only a chart of shares',
    ],
    'a removal': [
      [...good, JSON.stringify({ record: 'removal', pluginId: 7, before: null })],
      ':6: the archive of a plugin must not have a removal',
    ],
    'text that is no JSON': [[...good, '\u202e'.repeat(100_000)], ':6: '],
  };
  for (const [what, [lines, fault]] of Object.entries(cases))
    test(what, async () => {
      const { failures, records, attempts } = await mirrorArchive({ body: pastText(lines) });
      const [failure = ''] = failures;
      assert.equal(failures.length, 1);
      assert.ok(failure.startsWith(target + fault), failure);
      assert.ok(failure.length < 500, `${failure.length} characters`);
      assert.deepEqual([records, attempts], [[], 1]);
    });
});

describe('an archive has bounds:', () => {
  const padding = ' '.repeat(200_000);

  test('a bomb', async () => {
    const bomb = Buffer.from(
      gzipSync(Buffer.concat([Buffer.from(pastText(good)), Buffer.alloc(30_000_000, ' ')])),
    );
    const { failures } = await mirrorArchive(
      { body: bomb, headers: { 'Content-Encoding': 'gzip' } },
      { maxArchiveBytes: 2_000_000 },
    );
    assert.deepEqual(failures, [`${target}: the archive has more than 2000000 bytes`]);
  });

  test('a large one is kept in a temporary file', async () => {
    const lines = Array.from({ length: 8 }, (_, index) =>
      dataLine('players', `[[${index},${index}]${padding}]`),
    );
    const { failures, records } = await mirrorArchive({ body: pastText([...good, ...lines]) });
    assert.deepEqual(failures, []);
    const data = records.find(({ record }) => record === 'data')?.['data'] as unknown[];
    assert.equal(data.length, 10);
  });
});

describe('the times of charts are checked where they are asked for:', () => {
  const hour = 3_600_000;
  const start = Date.UTC(2026, 0, 1);
  const old = chartLine({ chartId: 'old', uid: 71 });
  const lines = [...good.slice(0, 3), old, dataLine('old', '[[1000,1]]')];
  const answers: Readonly<Record<string, readonly [Reply, string]>> = {
    'a missing plugin': [{ status: 404 }, 'there is no plugin with the id 7'],
    'no charts': [{ body: {} }, 'the field "charts" is missing'],
    'a time beyond all dates': [
      { body: { charts: [{ chartId: 'old', first: 1, last: 9e15 }] } },
      'charts[0].last must be an integer',
    ],
  };
  for (const [what, [answer, reason]] of Object.entries(answers))
    test(what, async () => {
      await using source = await serveArchives([
        ...lines,
        chartLine({ chartId: 'new', uid: 73 }),
        dataLine('new', `[[${start},1]]`),
      ]);
      await source.visit(start + hour);
      source.server.routes.set('/api/v2/plugins/7', answer);
      const [failure = ''] = (await source.visit(start + hour)).failures;
      assert.ok(failure.startsWith(`/api/v2/plugins/7: ${reason}`), failure);
    });
});

test('a signal in the middle of an archive ends the run, and the next one copies the plugin', async () => {
  await using source = await serveArchives(good);
  const controller = new AbortController();
  source.server.routes.set(target, () => {
    controller.abort();
    return { fault: 'stalled' };
  });
  const { progress } = await source.visit(Date.UTC(2026, 0, 1), { signal: controller.signal });
  assert.ok(progress.isInterrupted && progress.doneCount === 0);
  source.server.routes.delete(target);
  assert.deepEqual((await source.visit(Date.UTC(2026, 0, 1))).failures, []);
  assert.equal(await source.mirrorText(), await source.sourceText());
});
