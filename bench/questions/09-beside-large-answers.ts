/** Question 9: whether those who ask for everything keep those waiting who ask for one point. */
import { dataPath, fullLines } from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { type LoadResult, runWrk } from '../harness/wrk.ts';
import type { Question } from '../question.ts';
import { tenYearsLong } from '../subjects/catalogues.ts';

const clientCount = 8;
const requestsPerSecond = 200;

export const besideLargeAnswers: Question = {
  id: '9',
  title: 'p99 of `maxElements=1` while 8 clients pull `maxElements=200000`',
  programs: ['wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, tenYearsLong);
    await using server = await startServe(bench, { store });
    const lines = shuffled(fullLines(tenYearsLong), 9);
    const paths = lines.slice(0, 100).map((line) => dataPath(line, '?maxElements=1'));
    const probe = { baseUrl: server.url, paths, requestsPerSecond };
    const seconds = bench.isQuick ? 3 : 15;
    let pulled: LoadResult | undefined;
    const pull = async () => {
      pulled = await runWrk(bench, {
        baseUrl: server.url,
        requests: lines.map((line) => ({ path: dataPath(line, '?maxElements=200000') })),
        connectionCount: clientCount,
        seconds,
        isYielding: true,
      });
    };
    const alone = await probeDuring(bench, probe, () =>
      runWrk(bench, {
        baseUrl: server.url,
        requests: [{ path: paths[0] ?? '/' }],
        connectionCount: 1,
        seconds: 1,
      }),
    );
    const beside = await probeDuring(bench, probe, pull);
    return [
      {
        what: '10 years each, distinct charts',
        unit: 'ms',
        ours: beside.p99Ms,
        demand: { of: 'ours', kind: 'at most', must: 25, aim: 5 },
        notes: [
          `${requestsPerSecond} requests a second, whether answered or not: ${probeText(beside)}`,
          `beside one client that asks for one point: ${probeText(alone)}`,
          `the 8 clients pulled ${pulled?.requestsPerSecond.toFixed(0) ?? 0} answers of 175,200 points a second`,
        ],
      },
    ];
  },
};
