/** Question 7: whether the size of the history or of the catalogue slows down what is not remembered. */
import { type Catalogue, fullLines } from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { checkMonths, loadRound, shuffledMonths, smallCache } from '../harness/not-remembered.ts';
import { alternate } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import type { Finding, Question } from '../question.ts';
import { ecosystem, monthLong, tenYearsLong, yearLong } from '../subjects/catalogues.ts';

/** As many as the small catalogues have, so that only their size differs. */
const lineCount = 1000;

export const flat: Question = {
  id: '7',
  title: 'default month, not remembered: slowest against fastest',
  programs: ['wrk'],
  measure: async (bench) => {
    await using stack = new AsyncDisposableStack();
    const side = async <Name extends string>(name: Name, catalogue: Catalogue) => {
      const server = stack.use(
        await startServe(bench, { store: await keptStore(bench, catalogue), args: smallCache }),
      );
      const requests = shuffledMonths(shuffled(fullLines(catalogue), 7).slice(0, lineCount));
      await checkMonths(server, requests);
      return { name, measure: () => loadRound(bench, server, { requests }) };
    };
    const rates = await alternate(bench, [
      await side('month', monthLong),
      await side('year', yearLong),
      await side('tenYears', tenYearsLong),
      await side('ecosystem', ecosystem),
    ]);
    return [
      slowestAgainstFastest('1 month, 1 year, 10 years of history', [
        rates.month,
        rates.year,
        rates.tenYears,
      ]),
      slowestAgainstFastest('100 and 30,000 plugins', [rates.month, rates.ecosystem]),
    ];
  },
};

function slowestAgainstFastest(what: string, rates: readonly number[]): Finding {
  return {
    what,
    unit: 'requests/s',
    ours: Math.min(...rates),
    limit: Math.max(...rates),
    demand: { of: 'ratio', kind: 'at least', must: 1 / 1.3, aim: 1 },
  };
}
