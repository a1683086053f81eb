// The bench: its data are repeatable archives, its figures are right, and its tables and its page have a row
// for everything.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { rowIds } from '../../bench/beside/beside.ts';
import { besideArchive, histories, tickArchive } from '../../bench/beside/data.ts';
import { isGood, type Row } from '../../bench/beside/row.ts';
import { catalogueArchive, laterRecords, renameArchive } from '../../bench/data/archive.ts';
import type { Catalogue } from '../../bench/data/catalogue.ts';
import { startInstalled } from '../../bench/harness/peer.ts';
import { Connections, loopOf } from '../../bench/harness/requests.ts';
import type { Bench } from '../../bench/question.ts';
import { archive } from '../../catalogues/records.ts';

const catalogue: Catalogue = {
  name: 'test',
  pluginCount: 30,
  linesPerPlugin: 10,
  piesPerPlugin: 10,
  slotCount: 6000,
  fullHistoryEvery: 3,
};

test('the same catalogue gives the same archive', () => {
  const [first, second] = [1, 2].map(() => [...catalogueArchive(catalogue)].join(''));
  // Not assert.equal: its diff of megabytes takes minutes to print.
  assert.ok(first === second);
});

test('every archive ends with the number of its records', () => {
  const archives = [
    catalogueArchive(catalogue),
    archive(laterRecords(catalogue, { firstSlot: 0, slotCount: 5 })),
    renameArchive(1, 'Renamed'),
    besideArchive(catalogue, { ...histories, timeCount: 3 }),
    tickArchive(0),
  ];
  for (const [index, blocks] of archives.entries()) {
    const records = recordsOf(blocks);
    assert.deepEqual(records[0], { record: 'archive', version: index < 3 ? 1 : 2 });
    assert.deepEqual(records.at(-1), { record: 'end', records: records.length - 2 });
  }
});

test('a load goes on after the server has closed connections, and fails at an answer of another status', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/broken') response.destroy();
    else
      response.writeHead(request.url === '/' ? 200 : 404, { Connection: 'close', 'Content-Length': 0 }).end();
  });
  const send = async (path: string, times = 1) => {
    using connections = new Connections(server.url, { count: 1 });
    for (let time = 0; time < times; time++) {
      await connections.send({ next: loopOf(server.url, [{ path }]), count: 1 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await send('/', 2);
  await assert.rejects(send('/missing'), /HTTP\/1\.1 404/);
  await assert.rejects(send('/broken'), /closed a connection/);
});

test('a load goes on after a response in chunks', async () => {
  await using server = await serve(async (_, response) => {
    response.write('a'.repeat(300_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
    response.end();
  });
  using connections = new Connections(server.url, { count: 2 });
  assert.equal(await connections.send({ next: loopOf(server.url, [{ path: '/' }]), count: 6 }), 6);
});

test('a row is good within its bound, and never without figures', () => {
  const row: Row = { id: 'cached-month', what: 'a month, cached', unit: '/CPU s' };
  const beside100 = (...present: number[]) => present.map((figure) => ({ present: figure, earlier: 100 }));
  assert.ok(isGood({ row, pairs: beside100(95) }));
  assert.ok(!isGood({ row, pairs: beside100(93, 94, 95) }));
  // Where the rounds differ by more than a tenth, the median may be lower.
  assert.ok(isGood({ row, pairs: beside100(80, 94, 95) }));
  assert.ok(!isGood({ row, pairs: [], failure: 'f95177b: there is no such option' }));
  const inBytes: Row = { ...row, unit: ' B' };
  assert.ok(isGood({ row: inBytes, pairs: beside100(105) }));
  assert.ok(!isGood({ row: inBytes, pairs: beside100(106) }));
});

test('a peer that is not installed is left out, with a hint at its package', async () => {
  const lines: string[] = [];
  const bench: Bench = {
    ...{ build: { name: '', folder: '', node: '', main: '' }, folder: '' },
    ...{ cores: { all: '0', server: '0', load: '0' }, say: (line) => lines.push(line) },
  };
  await using stack = new AsyncDisposableStack();
  const program = { args: [], url: 'http://127.0.0.1:9' };
  assert.equal(await startInstalled(bench, stack, { ...program, path: '/missing/nginx' }), undefined);
  assert.deepEqual(lines, ['/missing/nginx is not installed, and left out: apt-get install nginx']);
  await assert.rejects(
    startInstalled(bench, stack, { ...program, path: '/bin/false' }),
    /false did not start/,
  );
});

test('docs/performance.md has each row once', () => {
  const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  for (const id of rowIds) assert.equal(page.split(`\`${id}\``).length - 1, 1, id);
});

/** Serves while the test runs. */
async function serve(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface ArchiveRecord {
  readonly record: string;
  readonly pluginId?: number;
  readonly chartId?: string;
  readonly data?: unknown;
}

function recordsOf(blocks: Iterable<string>): ArchiveRecord[] {
  const lines = [...blocks].join('').trimEnd().split('\n');
  return lines.map((line): ArchiveRecord => JSON.parse(line));
}
