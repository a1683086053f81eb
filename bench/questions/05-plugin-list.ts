/** Question 5: the list of 30,000 plugins. */

import { againstNginx } from '../harness/against-nginx.ts';
import { keptStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';

export const pluginList: Question = {
  id: '5',
  title: 'plugin list of 30,000 plugins',
  programs: ['nginx', 'wrk'],
  measure: async (bench) => {
    const store = await keptStore(bench, ecosystem);
    const { ours, nginx } = await againstNginx(bench, { store, path: '/api/v1/plugins', coding: 'gzip' });
    return [
      {
        what: 'gzip',
        unit: 'requests/s',
        ours,
        limit: nginx,
        demand: { of: 'ratio', kind: 'at least', must: 0.6, aim: 1 },
      },
    ];
  },
};
