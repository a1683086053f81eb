/** Question 8: what a second worker on a second core brings. */
import { fullLines } from '../data/catalogue.ts';
import { shuffledMonths, smallCache } from '../harness/not-remembered.ts';
import { alternate, median } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { runWrk } from '../harness/wrk.ts';
import { type Cores, type Question, roundSeconds } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';

export const twoWorkers: Question = {
  id: '8',
  title: 'two workers on two cores against one on one',
  programs: ['wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    // Of what is not remembered, because there the server is busier than the load.
    const requests = shuffledMonths(fullLines(ecosystem));
    await using one = await startServe(bench, { store, args: [...smallCache, '--workers', '1'] });
    await using two = await startServe(bench, {
      store,
      cores: bench.cores.twoServers,
      args: [...smallCache, '--workers', '2'],
    });
    const loadCosts: number[] = [];
    const round = async (baseUrl: string, cores: string, threadCount: number) => {
      const load = { baseUrl, requests, cores, threadCount, seconds: roundSeconds(bench) };
      return await runWrk(bench, load);
    };
    const rates = await alternate(bench, [
      { name: 'one', measure: async () => (await round(one.url, bench.cores.load, 1)).requestsPerSecond },
      {
        name: 'two',
        measure: async () => {
          const result = await round(two.url, bench.cores.twoServersLoad, 2);
          loadCosts.push(result.cpuSecondsPerRequest);
          return result.requestsPerSecond;
        },
      },
    ]);
    return [
      {
        what: 'default month, not remembered',
        unit: 'requests/s',
        ours: rates.two,
        limit: rates.one,
        demand: { of: 'ratio', kind: 'at least', must: 1.7, aim: 2 },
        notes: [coresNote(bench.cores, 1 / rates.one, median(loadCosts))],
      },
    ];
  },
};

/**
 * What this machine can show.
 * @param serverSeconds what an answer costs a core that does nothing else.
 * @param loadSeconds what asking for it costs.
 */
function coresNote(cores: Cores, serverSeconds: number, loadSeconds: number): string {
  if (cores.twoServersLoad !== cores.twoServers) {
    return `the load had the cores ${cores.twoServersLoad} to itself, the two workers ${cores.twoServers}`;
  }
  const ceiling = (2 * serverSeconds) / (serverSeconds + loadSeconds);
  return (
    'this machine has two cores, so the two workers shared them with the load, while the one worker had a core to ' +
    `itself; with what the load takes, a perfect second worker would show as ${ceiling.toFixed(2)}`
  );
}
