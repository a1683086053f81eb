// A mirror that is killed at random moments and started again ends with the same store as one that was not.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { serveStore } from '../http/support/test-server.ts';
import { chartLine, eventLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { randomFrom } from '../support/points.ts';
import { endOf, runProcess, startProgram } from '../support/run-program.ts';
import { seed } from '../support/seed.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Number of kills; more of them find rare faults. */
const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 50);
/** With more kills, most would come when nothing is left to do. */
const killsPerStore = 5;
const storesAtOnce = 5;
const pluginCount = 20;

/** Plugins with two charts each: 22 requests. */
function archive(): string {
  const lines = [softwareLine({ globalPluginId: pluginCount })];
  for (let id = 1; id <= pluginCount; id++) {
    lines.push(pluginLine({ id }));
    for (const [index, chartId] of ['players', 'servers'].entries()) {
      const uid = id * 10 + index;
      const data = Array.from({ length: 50 }, (_, slot) => [slot * 1000, id]);
      lines.push(chartLine({ pluginId: id, chartId, uid }));
      lines.push(JSON.stringify({ record: 'data', pluginId: id, chartId, data }));
    }
    lines.push(eventLine(id, '1.0', null, id));
  }
  return pastText(lines);
}

const timeout = 600_000 + killCount * 1000;

test(`a mirror killed at ${killCount} random times ends with the same store as one that was not killed`, {
  timeout,
}, async (t) => {
  using directory = temporaryDirectory();
  const original = directory.at('original.db');
  await importText(original, archive());
  const expected = await exportText(original);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  let killedCount = 0;
  const expectedLines = new Set(expected.split('\n'));
  let partialCount = 0;

  /** A plugin is stored with everything that it has, or not at all. */
  async function assertWhole(store: string): Promise<void> {
    assert.deepEqual(await Array.fromAsync(checkSqliteStore(store, recordChecker())), []);
    const lines = (await exportText(store))
      .split('\n')
      .filter((line) => /^\{"record":"(plugin|chart|data|event)"/.test(line));
    assert.deepEqual(
      lines.filter((line) => !expectedLines.has(line)),
      [],
    );
    const countOf = (record: string) =>
      lines.filter((line) => line.startsWith(`{"record":"${record}"`)).length;
    assert.equal(countOf('chart'), 2 * countOf('plugin'));
    assert.equal(countOf('data'), 2 * countOf('plugin'));
    assert.equal(countOf('event'), countOf('plugin'));
    if (countOf('plugin') > 0 && countOf('plugin') < pluginCount) partialCount++;
  }

  async function disturb(store: string): Promise<void> {
    await using source = await serveStore(original);
    const requestCount = () => source.count('requests_total', { status: '200' });
    const argv = ['mirror', source.url, '--all', '--store', store];
    for (let count = 0; count < killsPerStore; count++) {
      const killAt = (await requestCount()) + random() * 24;
      const mirror = startProgram([...argv, '--rate', '500']);
      const ended = endOf(mirror);
      const timer = setInterval(async () => {
        if ((await requestCount()) >= killAt) mirror.kill('SIGKILL');
      }, 1);
      const { signal } = await ended;
      clearInterval(timer);
      if (signal === 'SIGKILL') killedCount++;
      if (existsSync(store)) await assertWhole(store);
    }
    const { code, stderr } = await runProcess([...argv, '--rate', '10000']);
    assert.equal(code, 0, stderr);
    assert.equal(await exportText(store), expected);
  }

  const stores = Array.from({ length: killCount / killsPerStore }, (_, index) => directory.at(`${index}.db`));
  const disturbAll = async () => {
    for (let store = stores.pop(); store !== undefined; store = stores.pop()) await disturb(store);
  };
  await Promise.all(Array.from({ length: storesAtOnce }, disturbAll));
  t.diagnostic(`${killedCount} were killed; ${partialCount} left a part of the plugins`);
  assert.ok(
    killedCount >= killCount / 2 && partialCount >= killCount / 10,
    `${killedCount}, ${partialCount}`,
  );
});
