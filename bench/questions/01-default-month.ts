/** Question 1: the default month of a chart, remembered, as it is. */
import { dataPath } from '../data/catalogue.ts';
import { againstNginx } from '../harness/against-nginx.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';
import { exampleLine } from '../subjects/example-line.ts';

export const defaultMonth: Question = {
  id: '1',
  title: 'default month (1440 points), remembered',
  programs: ['nginx', 'wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const path = dataPath(exampleLine(ecosystem));
    const { ours, nginx } = await againstNginx(bench, { store, path, coding: 'identity' });
    return [
      {
        what: 'as it is',
        unit: 'requests/s',
        ours,
        limit: nginx,
        demand: { of: 'ratio', kind: 'at least', must: 0.65, aim: 1 },
      },
    ];
  },
};
