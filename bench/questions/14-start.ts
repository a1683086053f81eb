/** Question 14: how long a large store keeps a starting server from its first answer. */
import { dataPath } from '../data/catalogue.ts';
import { askGood } from '../harness/ask.ts';
import { alternate } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';
import { exampleLine } from '../subjects/example-line.ts';

const startCount = 5;

export const start: Question = {
  id: '14',
  title: 'start to first answer',
  programs: [],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const path = dataPath(exampleLine(ecosystem));
    const measure = async () => {
      const startedAt = performance.now();
      await using server = await startServe(bench, { store });
      await askGood(server.url + path);
      return performance.now() - startedAt;
    };
    const { ours } = await alternate(bench, [{ name: 'ours', measure }], startCount);
    return [
      {
        what: '30,000 plugins, 360,000 charts',
        unit: 'ms',
        ours,
        demand: { of: 'ours', kind: 'at most', must: 500, aim: 150 },
      },
    ];
  },
};
