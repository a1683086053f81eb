/** Question 3: the latest point alone, as badge services ask for it. */
import { dataPath } from '../data/catalogue.ts';
import { againstNginx } from '../harness/against-nginx.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';
import { exampleLine } from '../subjects/example-line.ts';

export const latestPoint: Question = {
  id: '3',
  title: '`maxElements=1`',
  programs: ['nginx', 'wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const path = dataPath(exampleLine(ecosystem), '?maxElements=1');
    const { ours, nginx } = await againstNginx(bench, { store, path, coding: 'identity' });
    return [
      {
        what: 'remembered',
        unit: 'requests/s',
        ours,
        limit: nginx,
        demand: { of: 'ratio', kind: 'at least', must: 0.7, aim: 1 },
      },
    ];
  },
};
