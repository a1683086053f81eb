// Responses of more than 16 MiB: all codings, the limit itself, and half a gigabyte with readers of any pace.
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { streamContract } from '../contracts/stream-contract.ts';
import { imageEnvironment } from '../ops/dockerfile.ts';
import { grownBytes } from '../serve/support/grown-bytes.ts';
import { type Serving, startServing } from '../serve/support/serving.ts';
import { pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importFile, importText } from '../support/stores.ts';
import '../support/without-coverage.ts';
import {
  archiveOfSize,
  askSlowly,
  largeArchivePath,
  maxHeldBytes,
  type SlowAnswer,
} from './support/large-plugin.ts';
import { makeDirectory, serveStore } from './support/test-server.ts';
import { get } from './support/validated-client.ts';

test('a response of 16 MiB is whole, one of a byte more is not', async () => {
  for (const [sizeBytes, isWhole] of [
    [maxHeldBytes, true],
    [maxHeldBytes + 1, false],
  ] as const) {
    const path = join(makeDirectory(), 'exact.db');
    const text = archiveOfSize(sizeBytes);
    assert.equal(text.length, sizeBytes);
    await importText(path, text);
    await using server = await serveStore(path);
    const { headers, bytes } = await get(server.url, largeArchivePath);
    assert.equal(bytes.toString() === text, true);
    assert.equal(headers.get('etag') !== undefined, isWhole);
    assert.equal(headers.get('cache-control') === 'no-store', !isWhole);
    assert.equal(headers.get('content-length'), isWhole ? String(sizeBytes) : undefined);
  }
});

streamContract('SQLite', async () => parseStoreName(join(makeDirectory(), 'contract.db')));

const lineCount = 24;
const pointCount = 1_000_000;
const pointsPerRecord = 100_000;

/** Makes a store whose plugin 7 has an archive of half a gigabyte, and a CSV of twice that. */
async function makeHugeStore(): Promise<string> {
  const store = join(makeDirectory(), 'huge.db');
  const file = openSync(`${store}.ndjson`, 'w');
  let recordCount = 0;
  const write = (record: object) => {
    recordCount++;
    writeSync(file, `${JSON.stringify(record)}\n`);
  };
  writeSync(file, '{"record":"archive","version":1}\n');
  write({ record: 'software', id: 1, name: 's', url: 's', globalPluginId: null });
  write({
    record: 'plugin',
    id: 7,
    name: 'p',
    owner: { id: 1, name: 'o' },
    softwareId: 1,
    isGlobal: false,
  });
  for (let line = 0; line < lineCount; line++) {
    const name = { pluginId: 7, chartId: `line${line}` };
    const chart = { type: 'single_linechart', position: line, title: 't', isDefault: true, data: {} };
    write({ record: 'chart', ...name, uid: line + 1, ...chart });
    for (let start = 0; start < pointCount; start += pointsPerRecord) {
      const data = Array.from({ length: pointsPerRecord }, (_, index) => {
        const at = start + index;
        return [1_500_000_000_000 + at * 60_000, (at * at + line) % 1999];
      });
      write({ record: 'data', ...name, data });
    }
  }
  writeSync(file, `{"record":"end","records":${recordCount}}\n`);
  closeSync(file);
  await importFile(store, `${store}.ndjson`);
  return store;
}

/** The most that a large response may take, whatever its size. */
const maxGrownBytes = 64 * 1024 * 1024;

describe('half a gigabyte', async () => {
  const store = await makeHugeStore();
  const archive = '/api/v2/plugins/7/archive';
  const csv = '/api/v2/plugins/7/export.csv';

  /** Measures how much more memory a server takes at most while `work` goes on. */
  async function grownBy(work: (server: Serving) => Promise<void>): Promise<number> {
    const env = imageSettings();
    await using server = await startServing(['--store', store, '--trust-proxy', '127.0.0.1'], { env });
    for (const path of ['/api/v1/plugins', '/api/v1/plugins/7', '/api/v2/software'])
      await get(server.url, path);
    // The page cache of the store, which every read fills, is no part of a response.
    for (let line = 0; line < lineCount; line++)
      await get(server.url, `/api/v2/series?charts=7:line${line}&range=all&step=7d`);
    return (await grownBytes(server, () => work(server))).peak;
  }

  /** Reads all of a body, with a pause after each megabyte; returns its size and its last bytes. */
  async function readAll(answer: SlowAnswer, pauseMs = 0): Promise<{ sizeBytes: number; end: string }> {
    let sizeBytes = 0;
    let end = '';
    for (;;) {
      const bytes = await answer.some(1024 * 1024);
      if (bytes.length === 0) return { sizeBytes, end };
      sizeBytes += bytes.length;
      end = (end + bytes.toString('latin1', Math.max(0, bytes.length - 40))).slice(-40);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  for (const [what, pauseMs] of [
    ['read fast', 0],
    ['read slowly', 30],
  ] as const) {
    test(`takes 64 MB at most when it is ${what}, and arrives whole`, async () => {
      const grown = await grownBy(async (server) => {
        using answer = await askSlowly(server.url, archive);
        const { sizeBytes, end } = await readAll(answer, pauseMs);
        assert.ok(sizeBytes > 400e6, `${sizeBytes} bytes`);
        assert.match(end, /"record":"end","records":\d+}\n$/);
      });
      assert.ok(grown < maxGrownBytes, `${grown} bytes`);
    });
  }

  for (const path of [archive, csv])
    for (const coding of ['identity', 'gzip', 'br']) {
      test(`takes 64 MB at most when nobody reads it: ${path} in ${coding}`, async () => {
        const grown = await grownBy(async (server) => {
          using answer = await askSlowly(server.url, path, { 'Accept-Encoding': coding });
          assert.equal(answer.status, 200);
          await sleep(3000);
          for (let count = 1; count < 20; count++)
            await get(server.url, `/api/v1/plugins/7/charts/line0/data?maxElements=${count}`);
        });
        assert.ok(grown < maxGrownBytes, `${grown} bytes`);
      });
    }

  // The first is a little too short to be known for long before it is made.
  for (const path of [
    'series?charts=7:line0,7:line1&from=1500000000000&to=1554000000000',
    'series.csv?charts=7:line0,7:line1&range=all',
  ])
    test(`takes 64 MB at most when a series of it is read: ${path}`, async () => {
      const grown = await grownBy(async (server) => {
        using answer = await askSlowly(server.url, `/api/v2/${path}`);
        assert.ok((await readAll(answer)).sizeBytes > maxHeldBytes);
      });
      assert.ok(grown < maxGrownBytes, `${grown} bytes`);
    });

  test('eight times at once leaves a server that answers others', async () => {
    const grown = await grownBy(async (server) => {
      using open = new DisposableStack();
      const asked = [1, 1, 2, 2, 3, 3, 4, 4].map((client, index) =>
        askSlowly(server.url, index % 2 === 0 ? archive : `${archive}?since=${10 ** 11 + index}`, {
          'X-Forwarded-For': `198.51.100.${client}`,
        }),
      );
      for (const answer of await Promise.all(asked)) assert.equal(open.use(answer).status, 200);
      await sleep(3000);
      for (let count = 1; count < 100; count++)
        await get(server.url, `/api/v1/plugins/7/charts/line0/data?maxElements=${count}`);
    });
    assert.ok(grown < 8 * maxGrownBytes, `${grown} bytes`);
  });
});

describe('names of shares that are others at each time', async () => {
  const store = join(makeDirectory(), 'names.db');
  const charts = ['simple_pie', 'drilldown_pie'].map((type, index) => {
    const name = { pluginId: 7, chartId: type };
    const about = { uid: index + 1, type, position: index, title: 't', isDefault: true, data: {} };
    return { isGrouped: index > 0, name, record: { record: 'chart', ...name, ...about } };
  });
  function* lines() {
    yield softwareLine();
    yield pluginLine();
    for (const { record } of charts) yield JSON.stringify(record);
    for (let start = 0; start < 400; start += 4)
      for (const { name, isGrouped } of charts) {
        const times = [0, 1, 2, 3].map((at) => 1_500_000_000_000 + (start + at) * 3_600_000);
        const series = Array.from({ length: 2000 }, (_, rank) => {
          const text = `${start} ${rank}`.padEnd(100, '.');
          const values = times.map((_, at) => (rank % 4 === at ? 1 + (rank % 97) : 0));
          return { ...(isGrouped ? { group: text } : {}), name: text, values };
        });
        yield JSON.stringify({ record: 'history', ...name, times, series });
      }
  }
  await importText(store, pastText([...lines()]));
  const both = charts.map(({ name }) => `7:${name.chartId}`).join(',');

  const ranked = 2 * maxGrownBytes;
  for (const [path, maxBytes] of [
    ['/api/v2/plugins/7/export.csv', maxGrownBytes],
    ['/api/v2/series.csv?charts=7:simple_pie&range=all&top=100', ranked],
    [`/api/v2/series?charts=${both}&range=all&top=100&level=2&sum=true`, ranked],
    ['/embed/7/drilldown_pie.svg?view=history&range=all', ranked],
  ] as const)
    test(`take ${maxBytes / 1024 / 1024} MB at most: ${path}`, async () => {
      await using server = await startServing(['--store', store], { env: imageSettings() });
      await get(server.url, '/api/v2/plugins/7');
      const read = async () => {
        const response = await fetch(server.url + path);
        assert.equal(response.status, 200);
        for await (const _ of response.body ?? []);
      };
      // V8 alone chooses when it collects old garbage: the least of three peaks is what the answer needs.
      const peaks: number[] = [];
      while (peaks.length < 3 && !peaks.some((peak) => peak < maxBytes))
        peaks.push((await grownBytes(server, read)).peak);
      assert.ok(Math.min(...peaks) < maxBytes, `${peaks} bytes`);
    });
});

/**
 * As operators run it: without these settings Node keeps more of what is freed, by as much as the load of the
 * machine allows.
 */
function imageSettings() {
  return { NODE_OPTIONS: imageEnvironment()['NODE_OPTIONS'] ?? assert.fail() };
}
