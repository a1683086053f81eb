// A comparison of two builds: its ratios, its table, and the load from its own process.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { rowIds } from '../../bench/beside/beside.ts';
import { besideTable, isGood, least, type Row, summaryOf } from '../../bench/beside/row.ts';
import { runChild } from '../../bench/harness/child.ts';
import { dealCores } from '../../bench/harness/machine.ts';
import { Connections, requestBytes } from '../../bench/harness/requests.ts';
import { atMost, type Bench } from '../../bench/question.ts';

const row: Row = { id: 'cached-month', what: 'a month, cached', unit: '/CPU s', bound: least(0.9) };
const pairs = [
  { present: 80, earlier: 100 },
  { present: 190, earlier: 200 },
  { present: 110, earlier: 100 },
];

describe('the rows of a comparison', () => {
  it('have the median and the range of the ratios of all rounds', () => {
    const { present, earlier, ratio, smallest, largest } = summaryOf(pairs);
    assert.deepEqual([present, earlier, ratio, smallest, largest], [110, 100, 0.95, 0.8, 1.1]);
  });

  it('are good within their bound, and never without figures', () => {
    assert.ok(isGood({ row, pairs }));
    assert.ok(!isGood({ row, pairs: pairs.slice(0, 1) }));
    assert.ok(!isGood({ row, pairs: [], failure: 'f95177b: there is no such option' }));
    const inBytes: Row = { ...row, bound: (earlier) => atMost((earlier + 400) / earlier) };
    assert.ok(isGood({ row: inBytes, pairs: [{ present: 1400, earlier: 1000 }] }));
    assert.ok(!isGood({ row: inBytes, pairs: [{ present: 1401, earlier: 1000 }] }));
  });

  it('are a table that marks what is missed, and says what one side cannot do', () => {
    const table = besideTable(
      [
        { row, pairs: pairs.slice(0, 1) },
        { row: { ...row, id: 'closing' }, pairs: [], failure: 'f95177b: there is no such option' },
      ],
      { present: 'working tree', earlier: 'f95177b' },
    );
    assert.match(table, /^\| row .*\| working tree \| f95177b +\| ratio \|/);
    assert.match(
      table,
      /\| cached-month .*\| 80\/CPU s +\| 100\/CPU s \| 0\.80 +\| 0\.80 … 0\.80 \| ≥ 0\.90 \| MISSED/,
    );
    assert.match(table, /\| closing .*\| NOT MEASURED \|\n\n- closing: f95177b: there is no such option$/);
  });

  it('have unique names', () => {
    assert.equal(new Set(rowIds).size, rowIds.length);
  });
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

describe('a load from its own process', () => {
  it('sends each request once and reads each answer to its end', async () => {
    const targets: (string | undefined)[] = [];
    await using server = await serve((request, response) => {
      targets.push(request.url);
      response.end('x'.repeat(targets.length % 2 === 0 ? 0 : 300_000));
    });
    using connections = new Connections(server.url, { count: 3 });
    let at = 0;
    const next = () => requestBytes(server.url, `/${at++}`);
    assert.equal(await connections.send({ next, count: 7 }), 7);
    assert.equal(await connections.send({ next, count: 2 }), 2);
    assert.deepEqual(targets.toSorted(), ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8']);
  });

  it('goes on after the server has closed connections that were not used', async () => {
    await using server = await serve((_, response) => response.setHeader('Connection', 'close').end());
    using connections = new Connections(server.url, { count: 1 });
    const next = () => requestBytes(server.url, '/');
    for (const _ of [1, 2]) {
      assert.equal(await connections.send({ next, count: 1 }), 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  it('fails at an answer of another status, or at a connection that breaks', async () => {
    await using server = await serve((request, response) => {
      if (request.url === '/broken') response.destroy();
      else response.writeHead(404).end();
    });
    for (const [path, reason] of [
      ['/missing', /HTTP\/1\.1 404/],
      ['/broken', /closed a connection/],
    ] as const) {
      using connections = new Connections(server.url, { count: 1 });
      await assert.rejects(
        connections.send({ next: () => requestBytes(server.url, path), count: 1 }),
        reason,
      );
    }
  });
});

describe('a program that runs to its end', () => {
  const bench = { cores: dealCores() } as unknown as Bench;

  it('is charged with all its CPU time and all that it wrote', async () => {
    const script =
      "require('node:fs').writeSync(1, 'x'.repeat(50_000)); for (const end = process.cpuUsage().user + 3e5; process.cpuUsage().user < end; );";
    const { output, cpuSeconds, writtenBytes } = await runChild(bench, {
      command: process.execPath,
      args: ['-e', script],
    });
    assert.equal(output.length, 50_000);
    assert.ok(cpuSeconds >= 0.3 && cpuSeconds < 5, `${cpuSeconds} s`);
    assert.ok(writtenBytes >= 50_000 && writtenBytes < 60_000, `${writtenBytes} bytes`);
  });

  it('that fails says why', async () => {
    const child = { command: 'sh', args: ['-c', 'echo no such store >&2; exit 3'] };
    await assert.rejects(runChild(bench, child), /sh -c .* failed \(3\): no such store/);
  });
});
