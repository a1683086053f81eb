/** Question 15: what a service holds after a million requests, and whether that grows. */

import { serviceMemoryBytes } from '../harness/process-figures.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { runWrk } from '../harness/wrk.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';
import { mixedRequests } from '../subjects/mixed-requests.ts';

const distinctCount = 200_000;
const millionth = { whole: 1_000_000, quick: 100_000 };
const timeoutMs = 10 * 60_000;

export const memory: Question = {
  id: '15',
  title: 'memory of `serve` after a million mixed requests',
  programs: ['wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const requests = mixedRequests(ecosystem, distinctCount);
    await using server = await startServe(bench, { store, args: ['--cache-mb', '64'] });
    const wanted = bench.isQuick ? millionth.quick : millionth.whole;
    const looks: { readonly requestCount: number; readonly megabytes: number }[] = [];
    let requestCount = 0;
    for (
      const startedAt = performance.now();
      requestCount < wanted && performance.now() - startedAt < timeoutMs;
    ) {
      const load = { baseUrl: server.url, requests, seconds: bench.isQuick ? 1 : 4, takesErrors: true };
      requestCount += (await runWrk(bench, load)).requestCount;
      const megabytes = serviceMemoryBytes(server.pid) / 1e6;
      looks.push({ requestCount, megabytes });
      bench.say(`${megabytes.toFixed(0)} MB after ${requestCount.toLocaleString('en-US')} requests`);
    }
    if (requestCount < wanted)
      throw new Error(`only ${requestCount} of ${wanted} requests within ${timeoutMs / 1000} s`);
    const at = (share: number) =>
      looks.find((look) => look.requestCount >= wanted * share)?.megabytes ?? Number.NaN;
    const last = looks.at(-1)?.megabytes ?? Number.NaN;
    return [
      {
        what: 'cache budget 64 MB',
        unit: 'MB',
        ours: last,
        demand: { of: 'ours', kind: 'at most', must: 300, aim: 150 },
        notes: [
          `${requestCount.toLocaleString('en-US')} requests: ${at(0.3).toFixed(0)} MB after three tenths, ` +
            `${at(0.6).toFixed(0)} MB after six, ${last.toFixed(0)} MB at the end, over all processes`,
        ],
      },
      {
        what: 'at the end against after three tenths',
        unit: 'MB',
        ours: last,
        limit: at(0.3),
        demand: { of: 'ratio', kind: 'at most', must: 1.1, aim: 1 },
      },
    ];
  },
};
