// The bench: its data are repeatable archives, its figures are right, and its tables and its page have a row for everything.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { rowIds } from '../../bench/beside/beside.ts';
import { besideArchive, histories, tickArchive } from '../../bench/beside/data.ts';
import { besideTable, isGood, least, type Row, summaryOf } from '../../bench/beside/row.ts';
import { archive, catalogueArchive, laterRecords, renameArchive } from '../../bench/data/archive.ts';
import { type Catalogue, fullLines, lastTimestamp, slotMs } from '../../bench/data/catalogue.ts';
import { lineValues, missingValue } from '../../bench/data/line-values.ts';
import { runChild } from '../../bench/harness/child.ts';
import { dealCores } from '../../bench/harness/machine.ts';
import { cpuSeconds, processUse, serviceUse, sharedMemoryBytes } from '../../bench/harness/processes.ts';
import { Connections, loopOf } from '../../bench/harness/requests.ts';
import { atLeast, atMost, type Bench, medianOf } from '../../bench/question.ts';
import { allMet, markdownTable, type Outcome } from '../../bench/table.ts';

const catalogue: Catalogue = {
  name: 'test',
  pluginCount: 30,
  linesPerPlugin: 10,
  snapshotsPerPlugin: 10,
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

test('lines end at the same time, with a point every half-hour except a few', () => {
  const points = recordsOf(catalogueArchive(catalogue))
    .filter(({ record, pluginId, chartId }) => record === 'data' && pluginId === 1 && chartId === 'servers')
    .flatMap((record) => record.data as [number, number][]);
  const times = points.map(([timestamp]) => timestamp);
  assert.ok(points.length > 5900 && points.length <= 6000, `${points.length} points`);
  assert.ok(times.every((time) => (lastTimestamp - time) % slotMs === 0 && time <= lastTimestamp));
});

test('a fifth of the lines is busy, three tenths are small and half are dead, with values to match', () => {
  const kinds = fullLines({ ...catalogue, pluginCount: 9000 }).map(({ kind }) => kind);
  for (const [kind, share, max] of [
    ['busy', 0.2, 100_000],
    ['small', 0.3, 20],
    ['dead', 0.5, 0],
  ] as const) {
    const found = kinds.filter((one) => one === kind).length / kinds.length;
    assert.ok(Math.abs(found - share) < 0.02, `${kind} ${found}`);
    const values = lineValues({ seed: 7, kind, slotCount: 400_000 });
    const missingCount = values.filter((value) => value === missingValue).length;
    assert.ok(missingCount > 140 && missingCount < 260, `${missingCount} missing`);
    assert.ok(
      values.every((value) => value === missingValue || (value >= 0 && value <= max)),
      kind,
    );
  }
});

test('CPU time and memory are those of a process', () => {
  const { cpuSeconds: seconds, memoryBytes } = serviceUse(process.pid);
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  assert.ok(Math.abs(seconds - (userCPUTime + systemCPUTime) / 1e6) < 0.2, `${seconds} s`);
  assert.ok(memoryBytes > 10e6 && memoryBytes <= processUse(process.pid).peakBytes);
  assert.equal(processUse(2 ** 30).cpuSeconds, 0);
  assert.ok(sharedMemoryBytes(process.pid) < 2 * memoryBytes);
  const stat = '7 (a (b) c) S 1 7 7 0 -1 4194560 100 200 0 0 250 50 30 20 20 0 11 0 123 456';
  assert.equal(cpuSeconds(stat), 3.5, 'with ended children');
});

const bench = { cores: dealCores() } as unknown as Bench;

test('a program is charged with all its CPU time and all that it wrote, and one that fails says why', async () => {
  const script =
    "require('node:fs').writeSync(1, 'x'.repeat(50_000)); for (const end = process.cpuUsage().user + 3e5; process.cpuUsage().user < end; );";
  const child = { command: process.execPath, args: ['-e', script] };
  const { output, cpuSeconds: seconds, writtenBytes } = await runChild(bench, child);
  assert.equal(output.length, 50_000);
  assert.ok(seconds >= 0.3 && seconds < 5, `${seconds} s`);
  assert.ok(writtenBytes >= 50_000 && writtenBytes < 60_000, `${writtenBytes} bytes`);
  const failing = { command: 'sh', args: ['-c', 'echo no such store >&2; exit 3'] };
  await assert.rejects(runChild(bench, failing), /sh -c .* failed \(3\): no such store/);
});

test('a load sends each request once and reads each answer to its end', async () => {
  const targets: (string | undefined)[] = [];
  await using server = await serve((request, response) => {
    targets.push(request.url);
    response.end('x'.repeat(targets.length % 2 === 0 ? 0 : 300_000));
  });
  using connections = new Connections(server.url, { count: 3 });
  const next = loopOf(
    server.url,
    Array.from({ length: 9 }, (_, index) => ({ path: `/${index}` })),
  );
  assert.equal(await connections.send({ next, count: 7 }), 7);
  assert.equal(await connections.send({ next, count: 2 }), 2);
  assert.deepEqual(targets.toSorted(), ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8']);
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

const row: Row = { id: 'cached-month', what: 'a month, cached', unit: '/CPU s', bound: least(0.9) };
const pairs = [
  { present: 80, earlier: 100 },
  { present: 190, earlier: 200 },
  { present: 110, earlier: 100 },
];

test('a row has the median and the range of the ratios of its rounds', () => {
  const { present, earlier, ratio, smallest, largest } = summaryOf(pairs);
  assert.deepEqual([present, earlier, ratio, smallest, largest], [110, 100, 0.95, 0.8, 1.1]);
  assert.equal(medianOf([4, 1, 2, 3], Number), 2.5);
});

test('a row is good within its bound, and never without figures', () => {
  assert.ok(isGood({ row, pairs }));
  assert.ok(!isGood({ row, pairs: pairs.slice(0, 1) }));
  assert.ok(!isGood({ row, pairs: [], failure: 'f95177b: there is no such option' }));
  const inBytes: Row = { ...row, bound: (earlier) => atMost((earlier + 400) / earlier) };
  assert.ok(isGood({ row: inBytes, pairs: [{ present: 1400, earlier: 1000 }] }));
  assert.ok(!isGood({ row: inBytes, pairs: [{ present: 1401, earlier: 1000 }] }));
});

test('the table of builds marks what is missed, and says what one side cannot do', () => {
  const failed = { row: { ...row, id: 'closing' }, pairs: [], failure: 'there is no such option' };
  const names = { present: 'working tree', earlier: 'f95177b' };
  const table = besideTable([{ row, pairs: pairs.slice(0, 1) }, failed], names);
  assert.match(
    table,
    /\| cached-month .*\| 80\/CPU s +\| 100\/CPU s \| 0\.80 +\| 0\.80 … 0\.80 \| ≥ 0\.90 \| MISSED/,
  );
  assert.match(table, /\| closing .*\| NOT MEASURED \|\n\n- closing: there is no such option$/);
});

test('the table of questions judges each figure, and says what failed', () => {
  const finding = {
    what: 'rate',
    unit: '/CPU s',
    figure: 60,
    demand: atLeast(60),
    notes: ['quiet'],
  } as const;
  const question = { id: '2', title: 'month', measure: async () => [finding] };
  const good: Outcome = { question, findings: [finding] };
  const failed: Outcome = { question, findings: [], failure: 'nothing answered' };
  assert.ok(allMet([good]));
  assert.ok(!allMet([{ question, findings: [{ ...finding, figure: 59 }] }]));
  assert.ok(!allMet([good, failed]));
  const table = markdownTable([good, failed]);
  assert.match(table, /\| 2 +\| month: rate +\| 60\/CPU s +\| ≥ 60\/CPU s +\| met +\|/);
  assert.match(table, /\| month +\| –.*\| failed \|\n\n- 2: quiet\n- 2: nothing answered$/);
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
