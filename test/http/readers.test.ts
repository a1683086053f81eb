// Clients that do not take what is sent to them: how long they may, and how much may wait for them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Reader } from '../../src/http/reader.ts';
import { importText } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';
import { largeArchive, largeArchivePath } from './support/large-plugin.ts';
import { RawConnection } from './support/raw-connection.ts';
import { chartPath, museumChart } from './support/sample.ts';
import { makeDirectory, makeSampleStore, serveStore, type TestServer } from './support/test-server.ts';
import { get } from './support/validated-client.ts';

const dataPath = `${chartPath(museumChart('servers'))}/data`;
const kilobyte = 1024;

describe('a client is dropped', () => {
  /**
   * Seconds at which a client has taken so many KiB, and is waited for unless it says otherwise; the last
   * look decides.
   */
  type Look = readonly [seconds: number, takenKb: number, isWaitedFor?: boolean];
  const cases: readonly (readonly [
    what: string,
    isKept: boolean,
    isStream: boolean,
    looks: readonly Look[],
  ])[] = [
    ['that takes nothing for 30 s', false, false, [[30, 0]]],
    ['not before', true, false, [[29.9, 0]]],
    [
      'that takes nothing for 30 s after a little',
      false,
      false,
      [
        [1, 10],
        [31, 10],
      ],
    ],
    [
      'not while its average is good',
      true,
      false,
      [
        [1, 1000],
        [58, 1000],
      ],
    ],
    [
      'not if it takes a little, in the first minute',
      true,
      false,
      [
        [20, 1],
        [40, 2],
        [59, 3],
      ],
    ],
    [
      'whose average is bad after that',
      false,
      false,
      [
        [20, 1],
        [40, 100],
        [61, 900],
      ],
    ],
    [
      'not while that is good',
      true,
      false,
      [
        [20, 1],
        [40, 100],
        [61, 1000],
        [300, 4800],
      ],
    ],
    [
      'not for what is being made',
      true,
      false,
      [
        [100, 10, false],
        [300, 10, false],
      ],
    ],
    [
      'that takes nothing of a stream for 30 s',
      false,
      true,
      [
        [1, 10],
        [31, 10],
      ],
    ],
    [
      'whose average is bad for a stream',
      false,
      true,
      [
        [30, 8000],
        [61, 15_000],
      ],
    ],
    [
      'not for a stream whose average is good',
      true,
      true,
      [
        [30, 8000],
        [61, 16_000],
      ],
    ],
    [
      'not for a stream that is made slowly',
      true,
      true,
      [
        [10, 3000],
        [300, 3000, false],
        [301, 3000],
      ],
    ],
    ['for which a stream lasts more than half an hour', false, true, [[1801, 1e9]]],
  ];
  for (const [what, isKept, isStream, looks] of cases)
    test(what, () => {
      const progress = { takenBytes: 5000, queuedBytes: 1 };
      const reader = new Reader(() => progress, 1000);
      if (isStream) reader.begin({ isStream, now: 1000 });
      const kept = looks.map(([seconds, takenKb, isWaitedFor = true]) => {
        progress.takenBytes = 5000 + takenKb * kilobyte;
        progress.queuedBytes = isWaitedFor ? 1 : 0;
        return reader.look(1000 + seconds * 1000);
      });
      assert.deepEqual(kept, [...looks.slice(1).map(() => true), isKept]);
    });
});

describe('a client that takes nothing', async () => {
  const store = await makeSampleStore();
  const largeStore = join(makeDirectory(), 'large.db');
  await importText(largeStore, largeArchive({ pieCount: 12 }));
  const streamStore = join(makeDirectory(), 'stream.db');
  await importText(streamStore, largeArchive());

  for (const [what, path, target, step] of [
    ['cached messages', store, dataPath, 5],
    ['a large response', largeStore, largeArchivePath, 1],
    ['a stream', streamStore, largeArchivePath, 1],
  ] as const)
    test(`is dropped whatever it sends: ${what}`, async () => {
      let nowMs = 0;
      await using server = await serveStore(path, { now: () => nowMs });
      using connection = await RawConnection.open(server.url);
      await ask(server, connection, `GET ${target} HTTP/1.1\r\n\r\n`, step);
      connection.write('\r\n');
      nowMs = 29_000;
      await get(server.url, '/nothing');
      assert.equal(await server.countUnread(), 0);
      await waitUntil(async () => {
        nowMs += 60_000;
        connection.write('\r\n');
        return (await server.countUnread()) === 1;
      });
      await server.isLeft(1);
      assert.deepEqual(server.logLines, []);
    });

  test('leaves room to others: what waits for it counts, of any size', async () => {
    const limits = { maxSendingBytes: 1024 * kilobyte };
    await using server = await serveStore(store, { limits, trustedProxies: ['127.0.0.1/32'] });
    using open = new DisposableStack();
    for (let number = 0; (await server.countUnread()) === 0; number++) {
      const request = `GET ${dataPath}?maxElements=${1000 + number} HTTP/1.1\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n`;
      await ask(server, open.use(await RawConnection.open(server.url)), request);
    }
    const whole = `${dataPath}?maxElements=999999`;
    for (const target of [dataPath, whole])
      assert.equal((await get(server.url, target, { 'X-Forwarded-For': '198.51.100.2' })).status, 200);
  });
});

/**
 * Sends requests on a connection that reads nothing, some at a time, until the buffers between the two have
 * no room for responses.
 */
async function ask(
  { count }: TestServer,
  connection: RawConnection,
  request: string,
  step = 5,
): Promise<void> {
  connection.socket.pause();
  let answered: number;
  do {
    answered = await count('requests_total');
    connection.write(request.repeat(step));
  } while (await reaches(() => count('requests_total'), answered + step));
}

/**
 * True once a count has come so far, false once it has not changed for a hundred looks. The server is in this
 * process, so turns are its clock on a busy machine.
 */
async function reaches(count: () => Promise<number>, wanted: number): Promise<boolean> {
  let [last, looks] = [-1, 0];
  for (;;) {
    const now = await count();
    if (now >= wanted) return true;
    if (now !== last) [last, looks] = [now, 0];
    else if (++looks > 100) return false;
    await sleep(10);
  }
}
