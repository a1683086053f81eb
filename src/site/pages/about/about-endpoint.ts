/** `/about`: the meaning of the numbers, their origin, and ways to use them. */

import type { Endpoint } from '../../../http/endpoint.ts';
import { aboutPath } from '../../address/paths.ts';
import { pageQuestion } from '../page-question.ts';
import { totalsOf } from '../totals.ts';
import { renderAboutPage } from './about-page.ts';

/** The page about the numbers. */
export const aboutEndpoint: Endpoint = {
  path: aboutPath,
  ask: ({ origin }) => ({
    ...pageQuestion(aboutPath, origin),
    async *parts(reader) {
      const totals = totalsOf(await reader.read((view) => view.listSoftwareNow()));
      yield await renderAboutPage(totals, origin);
    },
  }),
};
