// A collector on a full disk, before hostile clients, and beside an import: what was accepted stays, and
// memory is bounded.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Serving } from '../serve/support/serving.ts';
import { mainPath, runProgram } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import '../support/without-coverage.ts';
import { makeCollectingStore, sendReport, startCollecting } from './collecting.ts';

const directory = directoryOfFile();

async function makeStore(name: string): Promise<string> {
  const store = directory.at(`${name}.db`);
  await makeCollectingStore(store);
  const argv = ['add', 'chart', '2/words', '--type', 'advanced_pie', '--title', 'Words', '--store', store];
  assert.equal((await runProgram(argv)).code, 0);
  return store;
}

/** Starts a collector behind a shell command such as a limit. */
function startCollect(store: string, before = ':'): Promise<Serving> {
  return startCollecting(store, ['--max-connections-per-address', '10000'], {
    start: (argv) => spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, mainPath, ...argv]),
  });
}

/** Sends a report of about 16 KB. */
function send(url: string, server: number): Promise<number> {
  const words = Array.from({ length: 500 }, (_, index) => [`a word that is new, ${server} ${index}`, 1]);
  const customCharts = [{ chartId: 'words', data: { values: Object.fromEntries(words) } }];
  return sendReport(url, `server ${server}`, { customCharts });
}

test('on a full disk reports are refused with 503, and those that were accepted stay', async () => {
  const store = await makeStore('full');
  const accepted: number[] = [];
  {
    // A file may not have more than a megabyte: the same error as that of a full disk.
    await using collecting = await startCollect(store, 'ulimit -f 2048');
    let refusedCount = 0;
    for (let server = 0; refusedCount < 5; server++) {
      const status = await send(collecting.url, server);
      if (status === 202) accepted.push(server);
      else {
        assert.equal(status, 503);
        refusedCount++;
      }
      assert.ok(server < 1000, 'the limit was never reached');
    }
    assert.ok(accepted.length > 10);
    assert.equal((await fetch(`${collecting.url}/`)).status, 404);
  }
  await using collecting = await startCollect(store);
  for (const server of accepted) assert.equal(await send(collecting.url, server), 429);
  assert.equal(await send(collecting.url, 9999), 202);
});

test('thousands of slow bodies, and gzip bombs, leave memory and honest clients alone', async () => {
  const store = await makeStore('hostile');
  await using collecting = await startCollect(store);
  const { hostname, port } = new URL(collecting.url);
  assert.equal(await send(collecting.url, 1), 202);
  const residentBytes = () => {
    const status = readFileSync(`/proc/${collecting.pid}/status`, 'utf8');
    return 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  };
  const before = residentBytes();
  const head = (length: number, more = '') =>
    `POST /api/v2/data/bukkit HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`;
  const sockets: Socket[] = [];
  const openSocket = (bytes: Uint8Array) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('error', () => {});
    socket.resume();
    sockets.push(socket);
  };
  // 500 MB of bodies, each of which lacks its last byte.
  const slow = Buffer.concat([Buffer.from(head(256 * 1024)), Buffer.alloc(256 * 1024 - 1, 0x20)]);
  for (let count = 0; count < 2000; count++) {
    openSocket(slow);
    if (count % 100 === 99) await sleep(20);
  }
  await sleep(1000);
  const bomb = gzipSync(Buffer.alloc(190 * 1024 * 1024));
  assert.ok(bomb.length < 256 * 1024);
  for (let count = 0; count < 20; count++)
    openSocket(Buffer.concat([Buffer.from(head(bomb.length, 'Content-Encoding: gzip\r\n')), bomb]));
  await sleep(500);
  assert.ok(residentBytes() - before < 256 * 1024 * 1024, `${residentBytes() - before} bytes more`);
  for (const socket of sockets) socket.destroy();
  await waitUntil(async () => (await send(collecting.url, 2)) !== 503);
  assert.equal(await send(collecting.url, 3), 202);
});
