/** Question 2: the default month of a chart, remembered, with gzip. */
import { dataPath } from '../data/catalogue.ts';
import { againstNginx } from '../harness/against-nginx.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';
import { exampleLine } from '../subjects/example-line.ts';

export const defaultMonthGzip: Question = {
  id: '2',
  title: 'default month (1440 points), remembered',
  programs: ['nginx', 'wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const path = dataPath(exampleLine(ecosystem));
    const { ours, nginx } = await againstNginx(bench, { store, path, coding: 'gzip' });
    return [
      {
        what: 'gzip',
        unit: 'requests/s',
        ours,
        limit: nginx,
        demand: { of: 'ratio', kind: 'at least', must: 0.7, aim: 1 },
      },
    ];
  },
};
