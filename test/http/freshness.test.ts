// How soon imports become visible in responses.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { tables } from '../../src/store/tables.ts';
import { changingId, stateRecords } from './support/import-loop.ts';
import { RawConnection } from './support/raw-connection.ts';
import {
  archiveText,
  importRecords,
  makeDirectory,
  replaceMethods,
  serveStore,
  type TestServerOptions,
} from './support/test-server.ts';
import { get, getText } from './support/validated-client.ts';

const plugin = `/api/v1/plugins/${changingId}`;
const newPlugin = '/api/v1/plugins/8';
const targets = [
  '/api/v1/plugins',
  plugin,
  `${plugin}/charts`,
  `${plugin}/charts/line`,
  `${plugin}/charts/line/data`,
  `${plugin}/charts/line/data?maxElements=100000`,
  `${plugin}/charts/pie/data`,
  '/api/v1/software',
];

test('an import by another process is in the next response, and a plugin that was not there is found', async () => {
  const store = await makeStore();
  await using server = await serveStore(store);
  const before = await Promise.all([...targets, newPlugin].map((target) => get(server.url, target)));
  assert.equal(before.at(-1)?.status, 404);
  const file = join(makeDirectory(), 'next.ndjson');
  const owner = { id: 1, name: 'o1' };
  const added = { record: 'plugin', id: 8, name: 'p1', owner, softwareId: 1, isGlobal: false };
  writeFileSync(file, archiveText([...stateRecords(1), added]));
  const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [program, 'import', '--store', store, file]);
  for (const [index, target] of [...targets, newPlugin].entries()) {
    const etag = before[index]?.headers.get('etag') ?? '';
    const after = await get(server.url, target, { 'if-none-match': etag });
    assert.equal(after.status, 200, target);
    assert.deepEqual(numbersIn(after.bytes.toString()), new Set([1]));
  }
});

test('a response never mixes two states of the store', async (t) => {
  const store = await makeStore();
  await using server = await serveStore(store);
  const seen = new Set<number>();
  let latest = 0;
  const worker = new Worker(new URL('./support/import-loop.ts', import.meta.url), { workerData: store });
  const ended = once(worker, 'exit');
  t.after(() => {
    worker.postMessage('enough');
    return ended;
  });
  worker.on('message', (number: number) => {
    latest = number;
  });
  const failed = new Promise<never>((_, reject) => worker.on('error', reject));
  while (seen.size < 6) {
    const finished = latest;
    const asked = Promise.all(targets.map((target) => get(server.url, target)));
    for (const [index, answer] of (await Promise.race([asked, failed])).entries()) {
      const numbers = numbersIn(answer.bytes.toString());
      assert.equal(numbers.size, 1, `${targets[index]} mixes ${[...numbers].join(', ')}`);
      const [number = -1] = numbers;
      assert.ok(number >= finished, `${targets[index]} is of ${number} after ${finished} was finished`);
      seen.add(number);
    }
  }
});

test('a response begun before an import is not cached after it', async () => {
  const store = await makeStore();
  let isSlow = true;
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wrap: TestServerOptions['wrap'] = (reader) =>
    replaceMethods(reader, (view) => ({
      async getPlugin(id) {
        const found = await view.getPlugin(id);
        if (!isSlow) return found;
        begun.resolve();
        await gate.promise;
        return found;
      },
    }));
  await using server = await serveStore(store, { wrap });
  const slow = getText(server.url, plugin);
  await begun.promise;
  isSlow = false;
  await importRecords(store, stateRecords(1));
  assert.deepEqual(numbersIn(await getText(server.url, plugin)), new Set([1]));
  gate.resolve();
  assert.deepEqual(numbersIn(await slow), new Set([0]));
  assert.deepEqual(numbersIn(await getText(server.url, plugin)), new Set([1]));
});

function renamePlugin(db: DatabaseSync, id: number, name: string): void {
  const row = db.prepare('select * from plugin where id = ?').get(id) ?? {};
  const columns = tables.plugin.columns.map((column) => ({ ...row, name })[column.sqlName] ?? null);
  db.prepare('update plugin set name = ?, checksum = ? where id = ?').run(
    name,
    tables.plugin.checksumOf(columns),
    id,
  );
}

test('a commit during a long turn of the event loop is in responses to later requests', async () => {
  const store = await makeStore();
  using writer = new DatabaseSync(store);
  let round = 0;
  let askAfterwards = () => {};
  const wrap: TestServerOptions['wrap'] = (reader) =>
    replaceMethods(reader, (view) => ({
      readChartData: (...asked) => {
        const endsAt = performance.now() + 5;
        while (performance.now() < endsAt);
        renamePlugin(writer, changingId, `round ${round}`);
        writer.exec('update generation set data = data + 1, catalogue = catalogue + 1');
        askAfterwards();
        return view.readChartData(...asked);
      },
    }));
  await using server = await serveStore(store, { wrap });
  await getText(server.url, plugin);
  using first = await RawConnection.open(server.url);
  using second = await RawConnection.open(server.url);
  askAfterwards = () => second.write(`GET ${plugin} HTTP/1.1\r\n\r\n`);
  const dataTarget = `${plugin}/charts/line/data`;
  for (round = 1; round < 6; round++) {
    first.write(`GET ${dataTarget}?maxElements=${round} HTTP/1.1\r\n\r\n`);
    await first.read({ method: 'GET', target: dataTarget });
    const answer = await second.read({ method: 'GET', target: plugin });
    assert.ok(answer?.bytes.includes(`"round ${round}"`), `${round}: ${answer?.bytes}`);
  }
});

async function makeStore(): Promise<string> {
  const store = join(makeDirectory(), 'changing.db');
  await importRecords(store, stateRecords(0));
  return store;
}

/** The numbers of the states that the facts of a response belong to. */
function numbersIn(text: string): ReadonlySet<number> {
  const facts = text.matchAll(/"[psco](\d+)"|"number":(\d+)|"y":(\d+)|\[\d+,(\d+)\]/g);
  return new Set([...facts].map(([, ...numbers]) => Number(numbers.find((number) => number !== undefined))));
}
