// A collector on a full disk, before hostile clients, and beside an import: what was accepted stays, and memory is bounded.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { mainPath, runProgram } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const directory = directoryOfFile();

async function makeStore(name: string): Promise<string> {
  const store = directory.at(`${name}.db`);
  for (const argv of [
    ['add', 'software', 'bukkit'],
    ['add', 'plugin', '--name', 'Two', '--owner', 'Me', '--software', 'bukkit'],
    ['add', 'chart', '2/words', '--type', 'advanced_pie', '--title', 'Words'],
  ])
    assert.equal((await runProgram([...argv, '--store', store])).code, 0);
  return store;
}

interface Collecting extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts a collector whose slot is a day, behind a shell command such as a limit. */
async function startCollect(store: string, before = ':'): Promise<Collecting> {
  const options = ['--store', store, '--port', '0', '--slot', '1d', '--per-address', '1000000'];
  const argv = [mainPath, 'collect', ...options, '--max-connections-per-address', '10000'];
  const script = `${before}; exec "$@"`;
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, ...argv], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout ?? child, 'data');
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url: String(line).replace('listening on ', '').trim(), child, [Symbol.asyncDispose]: stop };
}

/** Sends a report of about 16 KB. */
async function send(url: string, server: number): Promise<number> {
  const words = Array.from({ length: 500 }, (_, index) => [`a word that is new, ${server} ${index}`, 1]);
  const customCharts = [{ chartId: 'words', data: { values: Object.fromEntries(words) } }];
  const response = await fetch(`${url}/api/v2/data/bukkit`, {
    method: 'POST',
    body: JSON.stringify({ serverUUID: `server ${server}`, service: { id: 2, customCharts } }),
  });
  await response.text();
  return response.status;
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
    const status = readFileSync(`/proc/${collecting.child.pid}/status`, 'utf8');
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
