/**
 * Clocks that jump back and forth, through 2038, leap days and daylight saving time. Run by `npm run test:faults`; needs
 * faketime.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProcess } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { serveProgram } from './support/served-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-clocks-'));
after(() => rmSync(folder, { recursive: true }));

const moments = [
  '2026-03-29T00:59:58Z', // Berlin: the hour from 2 to 3 is skipped
  '2026-10-25T00:59:58Z', // Berlin: that hour repeats
  '2028-02-28T23:59:58Z', // a leap day begins
  '2038-01-19T03:14:06Z', // signed seconds end
  '2100-02-28T23:59:58Z', // no leap day
  '1999-12-31T23:59:58Z',
  '2106-02-07T06:28:14Z', // unsigned seconds end
  '2026-11-21T12:00:00Z',
];

const line = '/api/v1/plugins/7/charts/players/data';

test('a server whose clock jumps keeps working: Date, entity tags, connections and new data', async () => {
  const store = join(folder, 'jumps.db');
  await importText(store, archiveText([softwareLine(), pluginLine(), chartLine()]));
  const clock = join(folder, 'clock');
  const setClock = (moment: string) => writeFileSync(clock, `@${moment.slice(0, 19).replace('T', ' ')}\n`);
  setClock('2026-11-21T12:00:00Z');
  const env = {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TZ: 'UTC',
  };
  await using server = await serveProgram(store, { env });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let connections = 0;
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.get(server.url + line, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer));
      });
      request.on('error', reject);
      if (!request.reusedSocket) connections++;
    });
  await ask();
  for (const [index, moment] of moments.entries()) {
    setClock(moment);
    await sleep(50);
    const answer = await ask();
    const aheadMs = Date.parse(answer.headers.date ?? '') - Date.parse(moment);
    assert.ok(aheadMs >= -1000 && aheadMs <= 4000, `${answer.headers.date} at ${moment}`);
    assert.equal((await ask({ 'If-None-Match': answer.headers.etag ?? '' })).statusCode, 304);
    await importText(store, archiveText([dataLine('players', `[[${Date.parse(moment)},${index}]]`)]));
    const next = await ask();
    assert.equal(next.statusCode, 200);
    assert.notEqual(next.headers.etag, answer.headers.etag, 'an import shows in the next answer');
    assert.equal(next.headers['age'], undefined);
  }
  agent.destroy();
  assert.ok(connections <= moments.length * 3 + 1);
  assert.equal(server.stderr(), '');
});

test('pictures and CSV are the same in every time zone, around DST, leap days and 2038', async () => {
  const store = join(folder, 'zones.db');
  const charts = moments.map((moment, index) => {
    const chartId = `at${index}`;
    const first = Date.parse(moment) - 86_400_000;
    const points = Array.from({ length: 96 }, (_, slot) => [first + slot * 1_800_000, slot]);
    return [chartLine({ chartId, uid: index + 1 }), dataLine(chartId, JSON.stringify(points))];
  });
  await importText(store, archiveText([softwareLine(), pluginLine(), ...charts.flat()]));
  const seen = new Map<string, string>();
  for (const TZ of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia']) {
    await using server = await serveProgram(store, { env: { TZ } });
    for (const [index, moment] of moments.entries()) {
      for (const target of [
        `/embed/7/at${index}.svg?range=all`,
        `/plugin/bukkit/ExamplePlugin/7/at${index}.csv`,
        `/api/v1/plugins/7/charts/at${index}/data`,
      ]) {
        const { status, text } = await server.get(target);
        assert.equal(status, 200, target);
        assert.equal(seen.get(target) ?? text, text, `${target} in ${TZ}`);
        seen.set(target, text);
        if (target.endsWith('.csv')) assert.match(text, new RegExp(moment.slice(0, 16)));
      }
    }
  }
  assert.match(
    seen.get('/embed/7/at2.svg?range=all') ?? '',
    />(Feb 29|29 Feb)[^<]*</,
    'the leap day is marked',
  );
  assert.match(seen.get('/embed/7/at4.svg?range=all') ?? '', />(Mar 1|1 Mar)[^<]*</, '2100 has none');
});

test('prune removes a leap day, and days around 2038', async () => {
  const store = join(folder, 'prune.db');
  const times = ['2028-02-28', '2028-02-29', '2028-03-01', '2038-01-19', '2038-01-20'].map(Date.parse);
  const points = JSON.stringify(times.map((time, index) => [time, index]));
  await importText(
    store,
    archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', points)]),
  );
  const env = {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME: '@2038-01-20 12:00:00',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  for (const [before, left] of [
    ['2028-02-29', 4],
    ['2028-03-01T00:00:00+01:00', 3],
    ['1d', 1],
  ] as const) {
    const run = await runProcess(['prune', '--before', before, '--store', store], {
      env: { ...env, TZ: 'UTC' },
    });
    assert.equal(run.code, 0, run.stderr);
    const stats = await runProcess(['stats', '--json', '--store', store]);
    assert.equal(JSON.parse(stats.stdout).points, left, before);
  }
  const wrong = await runProcess(['prune', '--before', '2027-02-29', '--store', store]);
  assert.equal(wrong.code, 2, wrong.stdout);
});

/** libfaketime, which Debian keeps in a folder for each architecture. Throws an Error that says how to install it. */
function faketimeLibrary(): string {
  for (const architecture of readdirSync('/usr/lib').filter((name) => name.includes('-linux-'))) {
    const library = join('/usr/lib', architecture, 'faketime', 'libfaketimeMT.so.1');
    try {
      readdirSync(join(library, '..'));
      return library;
    } catch {
      // Another folder may have it.
    }
  }
  throw new Error('this test needs libfaketime: "apt-get install faketime" has it');
}
