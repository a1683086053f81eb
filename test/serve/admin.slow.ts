// The admin listener as `serve` starts it: alone, with workers, while starting, while stopping, and under
// attack.
import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { parseMetrics } from '../admin/metrics-text.ts';
import { RawConnection } from '../http/support/raw-connection.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { childrenOf } from '../support/child-processes.ts';
import { freePort } from '../support/free-port.ts';
import { endOf, messagesIn, startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Serving, startServing } from './support/serving.ts';

const directory = directoryOfFile();
const storePath = directory.at('store.db');
// Enough that the buffers of a connection cannot hold all of it.
const points = Array.from({ length: 600_000 }, (_, index) => [1_000_000_000_000 + index, index]);
const store = ['--store', storePath];
before(() =>
  importText(
    storePath,
    archiveText([
      ...[softwareLine(), pluginLine(), chartLine(), dataLine('players', JSON.stringify(points))],
      // A wrong clock must not hide that the data has stopped.
      ...[chartLine({ chartId: 'wrong', uid: 71 }), dataLine('wrong', '[[100000000000000,1]]')],
    ]),
  ),
);

describe('serve --admin-port', { concurrency: 2 }, () => {
  test('prints the address of the listener, after that of the interface', async () => {
    await using serving = await startServing([...store, '--admin-port', '0']);
    assert.match(serving.adminUrl, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    assert.deepEqual(await answerOf(`${serving.adminUrl}/live`), [200, '{"status":"live"}']);
    assert.deepEqual(await answerOf(`${serving.adminUrl}/ready`), [200, '{"status":"ready"}']);
    assert.equal((await fetch(`${serving.url}/metrics`)).status, 404);
    serving.signal('SIGTERM');
    assert.deepEqual(await serving.ended, {
      code: 0,
      signal: null,
      stdout: `listening on ${serving.url}\nadmin on ${serving.adminUrl}\n`,
      stderr: '',
    });
  });

  test('listens on loopback despite --host, and elsewhere with --admin-host', async () => {
    const env = { PLUGIN_METRICS_ADMIN_PORT: '0' };
    for (const [more, adminHost] of [
      [[], '127.0.0.1'],
      [['--admin-host', '127.0.0.3'], '127.0.0.3'],
    ] as const) {
      await using serving = await startServing([...store, '--host', '127.0.0.2', ...more], { env });
      assert.equal(new URL(serving.url).hostname, '127.0.0.2');
      assert.equal(new URL(serving.adminUrl).hostname, adminHost);
      assert.equal((await fetch(`${serving.adminUrl}/live`)).status, 200);
    }
  });

  for (const workers of ['1', '2']) {
    test(`with --workers ${workers} is live but not ready while the server stops`, async () => {
      await using serving = await startServing([...store, '--admin-port', '0', '--workers', workers]);
      const { hostname, port } = new URL(serving.url);
      const client = connect({ host: hostname, port: Number(port) });
      const begun = new Promise((resolve) => client.once('data', resolve));
      client.write('GET /api/v1/plugins/7/charts/players/data?maxElements=999999 HTTP/1.1\r\n\r\n');
      await begun;
      client.pause();
      serving.signal('SIGTERM');
      await waitUntil(async () => (await answerOf(`${serving.adminUrl}/ready`))[0] === 503);
      assert.deepEqual(await answerOf(`${serving.adminUrl}/ready`), [
        503,
        '{"status":"not ready","reason":"the server is stopping"}',
      ]);
      assert.equal((await fetch(`${serving.adminUrl}/live`)).status, 200);
      client.resume();
      const { code, stderr } = await serving.ended;
      assert.deepEqual([code, stderr], [0, '']);
    });
  }

  test('is live but not ready while the server waits for the store', async () => {
    // A waiting server has not printed its address yet, so the test picks a port.
    const port = await freePort();
    const child = startProgram([
      ...['serve', '--store', 'postgres://nobody@127.0.0.1:1/none', '--wait', '60'],
      ...['--port', '0', '--admin-port', String(port)],
    ]);
    const ended = endOf(child);
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    await waitUntil(() => said.includes('"message":"waiting: '));
    assert.deepEqual(await answerOf(`http://127.0.0.1:${port}/ready`), [
      503,
      '{"status":"not ready","reason":"the store has not been opened yet"}',
    ]);
    assert.equal((await fetch(`http://127.0.0.1:${port}/live`)).status, 200);
    parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0);
  });

  test('of collect is 503, with metrics that say so, while the store cannot be read', async () => {
    const path = directory.at('collect.db');
    await importText(path, archiveText([softwareLine(), pluginLine()]));
    await using serving = await startServing(['--store', path, '--admin-port', '0'], {
      command: 'collect',
    });
    truncateSync(path, 4096);
    await waitUntil(async () => (await answerOf(`${serving.adminUrl}/ready`))[0] === 503);
    assert.equal((await metricsOf(serving)).get('plugin_metrics_ready'), 0);
    assert.equal(serving.stderr(), '');
  });

  test('adds up the workers, and goes on when one of them was killed', async () => {
    await using serving = await startServing([...store, '--admin-port', '0', '--workers', '2']);
    const answered = 'plugin_metrics_requests_total{status="200"}';
    await askOften(serving.url, 20);
    // The first scrapes lack it while it is looked for.
    const age = 'plugin_metrics_newest_point_age_seconds';
    await waitUntil(async () => (await metricsOf(serving)).has(age));
    const before = await metricsOf(serving);
    assert.ok(Math.abs((before.get(age) ?? 0) - (Date.now() / 1000 - 1_000_000_600)) < 60);
    assert.equal(before.get(answered), 20);
    assert.equal(before.get('plugin_metrics_ready'), 1);
    const startTime = before.get('process_start_time_seconds') ?? 0;
    assert.ok(Math.abs(startTime - Date.now() / 1000) < 600, 'one time, not a sum');
    assert.ok((before.get('process_resident_memory_bytes') ?? 0) > 1e8, 'of all three processes');
    const [worker = 0] = await childrenOf(serving.pid);
    process.kill(worker, 'SIGKILL');
    await waitUntil(async () => (await answerOf(`${serving.adminUrl}/ready`))[0] === 503);
    assert.deepEqual(await answerOf(`${serving.adminUrl}/ready`), [
      503,
      '{"status":"not ready","reason":"1 of 2 processes can answer"}',
    ]);
    assert.ok((await metricsOf(serving)).has(answered));
    await waitUntil(async () => (await answerOf(`${serving.adminUrl}/ready`))[0] === 200);
    const left = (await metricsOf(serving)).get(answered) ?? 0;
    assert.ok(left < 20, 'what it had counted has gone');
    await askOften(serving.url, 10);
    assert.equal((await metricsOf(serving)).get(answered), left + 10);
    serving.signal('SIGTERM');
    const { code, stderr } = await serving.ended;
    assert.deepEqual([code, messagesIn(stderr)], [0, `worker ${worker} ended (SIGKILL); starting another\n`]);
  });
});

describe('the admin listener under attack', () => {
  test('has a limit of connections', async () => {
    await using serving = await startServing([...store, '--admin-port', '0']);
    const open = await Promise.all(Array.from({ length: 256 }, () => RawConnection.open(serving.adminUrl)));
    using more = await RawConnection.open(serving.adminUrl);
    assert.equal(await more.rest(), '', 'one more is closed');
    for (const connection of open) connection[Symbol.dispose]();
    await waitUntil(async () => (await answerOf(`${serving.adminUrl}/live`).catch(() => []))[0] === 200);
  });
});

async function answerOf(url: string): Promise<readonly [status: number, body: string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

async function metricsOf({ adminUrl }: Serving): Promise<ReturnType<typeof parseMetrics>> {
  return parseMetrics((await answerOf(`${adminUrl}/metrics`))[1]);
}

/** One connection each, so that every worker gets some. */
async function askOften(url: string, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    const response = await fetch(`${url}/api/v1/software`, { headers: { connection: 'close' } });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  }
}
