// From what `wrk` prints to the page that people read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { replaceGenerated } from '../../bench/harness/performance-page.ts';
import { median } from '../../bench/harness/rounds.ts';
import { allMet, markdownTable, type Outcome } from '../../bench/harness/table.ts';
import { parseWrk } from '../../bench/harness/wrk.ts';
import type { Finding } from '../../bench/question.ts';

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
  unit: 'requests/s',
  ours: 60,
  limit: 100,
  demand: { of: 'ratio', kind: 'at least', must: 0.6, aim: 1 },
  notes: ['a quiet machine'],
};

function outcome(findings: readonly Finding[]): Outcome {
  const question = { id: '2', title: 'month', programs: [], measure: async () => findings };
  return { question, findings };
}

describe('the figures', () => {
  it('are read from what wrk prints', () => {
    assert.deepEqual(parseWrk(printed, false), { requestsPerSecond: 57_021.32, requestCount: 57_192 });
  });

  it('are refused where answers were errors, unless those are expected', () => {
    const withErrors = printed.replace('Requests/sec', '  Non-2xx or 3xx responses: 12\nRequests/sec');
    assert.throws(() => parseWrk(withErrors, false), /not every answer was good.*12/);
    assert.equal(parseWrk(withErrors, true).requestCount, 57_192);
  });

  it('are refused where connections broke', () => {
    const broken = printed.replace(
      'Requests/sec',
      '  Socket errors: connect 0, read 3, write 0, timeout 0\nRequests/sec',
    );
    assert.throws(() => parseWrk(broken, true), /read 3/);
  });

  it('are medians', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
  });

  it('are judged by the ratio or by themselves', () => {
    assert.ok(allMet([outcome([finding])]));
    assert.ok(!allMet([outcome([{ ...finding, ours: 59 }])]));
    assert.ok(
      !allMet([outcome([{ ...finding, demand: { of: 'ours', kind: 'at most', must: 50, aim: 5 } }])]),
    );
    assert.ok(!allMet([{ ...outcome([]), failure: 'nothing answered' }]));
  });

  it('replace the generated part of the page and nothing else', () => {
    const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
    const table = markdownTable([outcome([finding])]);
    const once = replaceGenerated(page, { machine: [['CPU', 'one']], table });
    const twice = replaceGenerated(once, { machine: [['CPU', 'two']], table });
    assert.match(twice, /\| 2 \| month: gzip \| 60\/s \| 100\/s \| 0\.60 \| ≥ 0\.60 \| ≥ 1\.00 \| met \|/);
    assert.match(twice, /- 2: a quiet machine/);
    assert.ok(!twice.includes('| CPU | one |') && twice.includes('| CPU | two |'));
    const [head, tail] = [page.split('<!--')[0] ?? '', page.split('-->').at(-1) ?? ''];
    assert.ok(twice.startsWith(head) && twice.endsWith(tail) && tail.includes('## What was tried'));
  });

  it('go nowhere where the page has lost its marks', () => {
    assert.throws(
      () => replaceGenerated('# Performance\n', { machine: [], table: '' }),
      /must hold the lines/,
    );
  });
});
