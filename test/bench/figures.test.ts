// The figures of the bench, from measurement to the table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseWrk } from '../../bench/harness/load.ts';
import { cpuSeconds, processUse, serviceUse, sharedMemoryBytes } from '../../bench/harness/processes.ts';
import { alternate, atLeast, atMost, type Bench, type Finding, medianOf } from '../../bench/question.ts';
import { questions } from '../../bench/questions/all.ts';
import { allMet, markdownTable, type Outcome } from '../../bench/table.ts';

const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');

const printed = `Running 1s test @ http://127.0.0.1:8080/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.21ms    0.95ms  18.41ms   93.14%
    Req/Sec    57.31k     6.47k   66.13k    75.00%
  57192 requests in 1.00s, 1.66GB read
Requests/sec:  57021.32
Transfer/sec:      1.65GB
`;

const finding: Finding = {
  what: 'gzip',
  unit: '/CPU s',
  ours: 60,
  limit: 100,
  demand: atLeast(0.6),
  notes: ['a quiet machine'],
};

function outcome(findings: readonly Finding[]): Outcome {
  return { question: { id: '2', title: 'month', measure: async () => findings }, findings };
}

describe('the figures', () => {
  it('are parsed from the output of wrk', () => {
    assert.deepEqual(parseWrk(printed, false), { perSecond: 57_021.32, requestCount: 57_192 });
  });

  it('are rejected if responses were errors, unless errors are expected', () => {
    const withErrors = printed.replace('Requests/sec', '  Non-2xx or 3xx responses: 12\nRequests/sec');
    assert.throws(() => parseWrk(withErrors, false), /not every answer was good.*12/);
    assert.equal(parseWrk(withErrors, true).requestCount, 57_192);
  });

  it('are rejected if connections broke', () => {
    const errors = '  Socket errors: connect 0, read 3, write 0, timeout 0\nRequests/sec';
    assert.throws(() => parseWrk(printed.replace('Requests/sec', errors), true), /read 3/);
  });

  it('include the CPU time and the memory of a process', () => {
    const { cpuSeconds: seconds, memoryBytes } = serviceUse(process.pid);
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    assert.ok(Math.abs(seconds - (userCPUTime + systemCPUTime) / 1e6) < 0.2, `${seconds} s`);
    assert.ok(memoryBytes > 10e6 && memoryBytes <= processUse(process.pid).peakBytes);
    assert.equal(processUse(2 ** 30).cpuSeconds, 0);
    assert.ok(sharedMemoryBytes(process.pid) < 2 * memoryBytes);
    const stat = '7 (a (b) c) S 1 7 7 0 -1 4194560 100 200 0 0 250 50 30 20 20 0 11 0 123 456';
    assert.equal(cpuSeconds(stat), 3.5, 'with ended children');
  });

  it('come from rounds that alternate between the sides', async () => {
    const order: string[] = [];
    const measure = (name: string, figure: number) => async () => {
      order.push(name);
      return figure * order.length;
    };
    const bench = { say: () => {} } as unknown as Bench;
    const rounds = await alternate(bench, { ours: measure('ours', 1), nginx: measure('nginx', 10) }, 2);
    assert.deepEqual(order, ['ours', 'nginx', 'ours', 'nginx']);
    assert.deepEqual(rounds, { ours: [1, 3], nginx: [20, 40] });
  });

  it('are medians', () => {
    assert.equal(medianOf([3, 1, 2], Number), 2);
    assert.equal(medianOf([4, 1, 2, 3], Number), 2.5);
  });

  it('are judged by the ratio if there is a limit, otherwise by themselves', () => {
    assert.ok(allMet([outcome([finding])]));
    assert.ok(!allMet([outcome([{ ...finding, ours: 59 }])]));
    assert.ok(!allMet([outcome([{ what: '', unit: ' ms', ours: 51, demand: atMost(50) }])]));
    assert.ok(!allMet([{ ...outcome([]), failure: 'nothing answered' }]));
  });

  it('are rows of a table, with their notes below', () => {
    const failed: Outcome = { ...outcome([]), failure: 'nothing answered' };
    const table = markdownTable([outcome([finding]), failed]);
    assert.match(
      table,
      /\| 2 +\| month: gzip +\| 60\/CPU s +\| 100\/CPU s +\| 0\.60 +\| ≥ 0\.60 +\| met +\|/,
    );
    assert.match(table, /\| month +\| –.*\| failed \|\n\n- 2: a quiet machine\n- 2: nothing answered$/);
  });

  it('answer every question, each with a unique id', () => {
    const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    for (const { id, title } of questions) {
      const row = rows.find((cells) => cells[1] === id);
      assert.ok(row?.[2]?.startsWith(title), `docs/performance.md has no row ${id}: ${title}`);
    }
    assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
  });
});
