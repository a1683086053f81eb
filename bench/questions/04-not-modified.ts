/** Question 4: a client that has the answer already. */
import { dataPath } from '../data/catalogue.ts';
import { againstNginx } from '../harness/against-nginx.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';
import { exampleLine } from '../subjects/example-line.ts';

export const notModified: Question = {
  id: '4',
  title: '304 for a matching `If-None-Match`',
  programs: ['nginx', 'wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const path = dataPath(exampleLine(ecosystem));
    const { ours, nginx } = await againstNginx(bench, {
      store,
      path,
      coding: 'identity',
      isConditional: true,
    });
    return [
      {
        what: "each side's own tag",
        unit: 'requests/s',
        ours,
        limit: nginx,
        demand: { of: 'ratio', kind: 'at least', must: 0.7, aim: 1 },
      },
    ];
  },
};
