// A mirror that is killed at any moment and started again ends as one that was not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveStore } from '../http/support/test-server.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { randomFrom } from '../support/points.ts';
import { endOf, runProgram, startProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const killsPerStore = 10;
const storeCount = 5;

/** Plugins with two charts each: 62 requests. */
function archive(): string {
  const lines = [softwareLine({ globalPluginId: 20 })];
  for (let id = 1; id <= 20; id++) {
    lines.push(pluginLine({ id }));
    for (const [index, chartId] of ['players', 'servers'].entries()) {
      const uid = id * 10 + index;
      const data = Array.from({ length: 50 }, (_, slot) => [slot * 1000, id]);
      lines.push(chartLine({ pluginId: id, chartId, uid }));
      lines.push(JSON.stringify({ record: 'data', pluginId: id, chartId, data }));
    }
  }
  return archiveText(lines);
}

test('a mirror killed at 50 random moments ends as an undisturbed one', { timeout: 60_000 }, async (t) => {
  using directory = temporaryDirectory();
  const original = directory.at('original.db');
  await importText(original, archive());
  const expected = await exportText(original);
  const random = randomFrom(Math.trunc(Math.random() * 2 ** 31));
  let killedCount = 0;
  const seen = new Set<number>();

  async function disturb(store: string): Promise<void> {
    await using source = await serveStore(original);
    const requestCount = () => source.counts().requestCounts['200'] ?? 0;
    const argv = ['mirror', source.url, '--all', '--concurrency', '4', '--store', store];
    for (let count = 0; count < killsPerStore; count++) {
      const killAt = requestCount() + random() * 70;
      const mirror = startProgram([...argv, '--rate', '500']);
      const ended = endOf(mirror);
      const timer = setInterval(() => {
        if (requestCount() >= killAt) mirror.kill('SIGKILL');
      }, 1);
      const { signal } = await ended;
      clearInterval(timer);
      if (signal === 'SIGKILL') killedCount++;
      const check = await exportText(store).catch(() => '');
      seen.add(check.length);
    }
    const { code, stderr } = await runProgram([...argv, '--rate', '10000']);
    assert.equal(code, 0, stderr);
    assert.equal(await exportText(store), expected);
  }

  await Promise.all(Array.from({ length: storeCount }, (_, index) => disturb(directory.at(`${index}.db`))));
  t.diagnostic(`${killedCount} were killed; ${seen.size} different states were left`);
  assert.ok(killedCount >= 25 && seen.size >= 3, `${killedCount} killed, ${seen.size} states`);
});
