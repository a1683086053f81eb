/** `/compare?charts=1337:players,42:players`: several lines in one picture. */

import type { Endpoint } from '../../../http/endpoint.ts';
import { comparePath } from '../../address/paths.ts';
import { loadOnce } from '../../load-once.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { pageQuestion } from '../page-question.ts';
import { parseCompareQuery } from './parse-compare-query.ts';

const loadPage = loadOnce(() => import('./compare-page.ts'));

/** The comparison page. */
export const compareEndpoint: Endpoint = {
  path: comparePath,
  ask: ({ searchParams, origin }) => {
    const query = parseCompareQuery(searchParams);
    return {
      ...pageQuestion(compareAddress(query), origin),
      size: 'large',
      async *parts(reader) {
        const { renderComparePage } = await loadPage();
        yield await renderComparePage(reader, { query, origin });
      },
    };
  },
};
