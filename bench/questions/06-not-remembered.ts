/** Question 6: the default month of one of 20,000 charts, none of which is remembered. */
import { fullLines } from '../data/catalogue.ts';
import { checkMonths, loadRound, shuffledMonths, smallCache } from '../harness/not-remembered.ts';
import { alternate } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';

export const notRemembered: Question = {
  id: '6',
  title: 'default month, not remembered (20,000 charts)',
  programs: ['wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const requests = shuffledMonths(fullLines(ecosystem));
    await using server = await startServe(bench, { store, args: smallCache });
    await checkMonths(server, requests);
    const { ours } = await alternate(bench, [
      { name: 'ours', measure: () => loadRound(bench, server, { requests }) },
    ]);
    return [
      {
        what: 'as it is',
        unit: 'requests/s',
        ours,
        demand: { of: 'ours', kind: 'at least', must: 7000, aim: 12_000 },
      },
    ];
  },
};
