// The methods of the client whose answers are read as they arrive: CSV and archives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginMetricsClient, PluginMetricsError } from '../../src/client/client.ts';
import { importRecords, makeStore, serveStore } from '../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../support/records.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { cutAnswer, noAnswer, serveAnswers } from './support/answering-server.ts';
import { testClock } from './support/test-clock.ts';

const start = Date.UTC(2026, 0, 1);
const records = [
  softwareRecord(),
  pluginRecord(1, 'Plugin'),
  chartRecord('players', 1),
  dataRecord(
    'players',
    [0, 1, 2].map((hour) => [start + hour * 3_600_000, hour]),
  ),
];

const textOf = async (stream: Promise<ReadableStream<Uint8Array>>) =>
  Buffer.from(await new Response(await stream).arrayBuffer()).toString();

test('CSV is that of the server', async () => {
  await using server = await serveStore(await makeStore(records));
  const client = new PluginMetricsClient(server.url);
  const rows = ['00', '01', '02'].map((hour, value) => `2026-01-01T${hour}:00:00.000Z,${value}\r\n`);
  const charts = ['1:players'] as const;
  assert.equal(await textOf(client.readSeriesCsv({ charts })), `time,players\r\n${rows.join('')}`);
  const from = new Date(start + 1);
  assert.equal(
    await textOf(client.readSeriesCsv({ charts, from, bom: true })),
    `\ufefftime,players\r\n${rows.slice(1).join('')}`,
  );
  assert.equal(
    await textOf(client.readPluginCsv(1)),
    `chart,group,name,time,value\r\n${rows.map((row) => `players,,players,${row}`).join('')}`,
  );
});

test('an archive can be imported, whole or since a time', async () => {
  const store = await makeStore(records);
  await using server = await serveStore(store);
  const client = new PluginMetricsClient(server.url);
  const copy = directoryOfFile().at('copy.db');
  await importText(copy, await textOf(client.readPluginArchive(1)));
  assert.equal(await exportText(copy), await exportText(store));
  const more = [...records.slice(0, 3), dataRecord('players', [[start + 4 * 3_600_000, 4]])];
  await importRecords(store, more);
  const since = start + 4 * 3_600_000;
  const text = await textOf(client.readPluginArchive(1, { since }));
  assert.doesNotMatch(text, new RegExp(`${start + 3_600_000}`));
  await importText(copy, text);
  assert.equal(await exportText(copy), await exportText(store));
});

test('a body that breaks off is an error, and is not requested again', async () => {
  const target = '/api/v2/plugins/7/archive';
  const { url, targets } = await serveAnswers({ [target]: cutAnswer('{"record"') });
  const body = await new PluginMetricsClient(url, { retries: 2 }).readPluginArchive(7);
  const reader = body.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), '{"record"');
  await assert.rejects(reader.read(), (error) => {
    assert.ok(error instanceof PluginMetricsError);
    assert.match(error.message, /archive: the answer broke off: /);
    assert.deepEqual([error.status, error.url], [200, `${url}${target}`]);
    return true;
  });
  assert.deepEqual(targets(), [target]);
});

test('what is lost before the body is retried, and a refusal is an error', async () => {
  const target = '/api/v2/plugins/7/export.csv?bom=true';
  const { url, targets } = await serveAnswers({ [target]: [noAnswer, { body: 'csv' }] });
  const client = new PluginMetricsClient(url, { retries: 1, clock: testClock() });
  assert.equal(await textOf(client.readPluginCsv(7, { bom: true })), 'csv');
  assert.deepEqual(targets(), [target, target]);
  await assert.rejects(client.readPluginCsv(8), { isNotFound: true, status: 404 });
});

test('a signal ends the body with its reason, and a body that nobody wants closes the connection', async () => {
  const target = '/api/v2/series.csv?charts=7%3Aplayers';
  let closedCount = 0;
  const { url } = await serveAnswers({
    [target]: (response) => {
      response.once('close', () => closedCount++);
      response.write('time');
    },
  });
  const client = new PluginMetricsClient(url);
  const ending = new AbortController();
  const reader = (await client.readSeriesCsv({ charts: ['7:players'], signal: ending.signal })).getReader();
  await reader.read();
  const reason = new Error('enough');
  ending.abort(reason);
  await assert.rejects(reader.read(), reason);
  await (await client.readSeriesCsv({ charts: ['7:players'] })).cancel();
  while (closedCount < 2) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('an answer without a body is empty', async () => {
  const fetch = async () => new Response(null, { status: 204 });
  const client = new PluginMetricsClient('http://127.0.0.1', { fetch });
  assert.equal(await textOf(client.readPluginCsv(7)), '');
});
