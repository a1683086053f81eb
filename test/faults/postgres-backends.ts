/**
 * A PostgreSQL server whose connections are ended again and again: every response is right or 503, and service recovers
 * soon. test/failover/ has more. Run by `npm run test:faults`.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '../postgres/test-server.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProcess } from '../support/run-program.ts';
import { amount } from './support/form.ts';
import { serveProgram } from './support/served-program.ts';

const database = await startTestServer();
after(() => database[Symbol.asyncDispose]());
const seconds = amount({ quick: 6, long: 300 });
const chartIds = ['a', 'b', 'c'];
const kill =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

test('ending the connections to the store five times a second causes no wrong response', async (t) => {
  const store = await database.emptyDatabase();
  const importText = async (lines: readonly string[]) => {
    const run = await runProcess(['import', '--store', store, '-'], { input: archiveText(lines) });
    assert.doesNotMatch(run.stderr, /bug in plugin-metrics/);
    return run.code === 0;
  };
  const charts = chartIds.map((chartId, index) => chartLine({ chartId, uid: index + 1 }));
  assert.ok(await importText([softwareLine(), pluginLine(), ...charts]));
  await using server = await serveProgram(store);
  const until = performance.now() + seconds * 1000;
  const counts = { right: 0, refused: 0, imports: 0, 'failed imports': 0, kills: 0 };
  let tick = 0;
  let seen = 0;
  const importAll = async () => {
    while (performance.now() < until) {
      const lines = chartIds.map((chartId) => dataLine(chartId, `[[${tick + 1},${tick + 1}]]`));
      if (await importText(lines)) {
        tick++;
        counts.imports++;
      } else counts['failed imports']++;
    }
  };
  const readAll = async () => {
    while (performance.now() < until) {
      const before = tick;
      const target = `/api/v1/plugins/7/charts/${chartIds[counts.right % 3]}/data?maxElements=1`;
      const { status, text } = await server.get(target);
      if (status === 503) counts.refused++;
      else {
        assert.equal(status, 200, text);
        const [[time = 0, value = 0] = []] = JSON.parse(text) as [number, number][];
        assert.equal(time, value);
        // The import is visible within a second; this only checks that no state is older than the last.
        assert.ok(time >= seen && time <= before + 2, `${time} after ${seen}, ${before} imported`);
        seen = Math.max(seen, time);
        counts.right++;
      }
      await sleep(5);
    }
  };
  const killAll = async () => {
    for (; performance.now() < until; await sleep(200)) {
      await database.run(store, kill);
      counts.kills++;
    }
  };
  await Promise.all([importAll(), readAll(), killAll()]);
  await sleep(2000);
  assert.ok(await importText(chartIds.map((chartId) => dataLine(chartId, '[[900000,900000]]'))));
  await sleep(1000);
  for (const chartId of chartIds) {
    const answer = await server.get(`/api/v1/plugins/7/charts/${chartId}/data?maxElements=1`);
    assert.deepEqual(answer, { status: 200, text: '[[900000,900000]]' });
  }
  const check = await runProcess(['check', '--store', store]);
  assert.equal(check.code, 0, check.stdout + check.stderr);
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.kills > 10 && counts.right > 50);
});
