/** `/compare?charts=1337:players,42:players`: several lines in one picture. */

import type { Endpoint } from '../../../http/endpoint.ts';
import { comparePath } from '../../address/paths.ts';
import { compareAddress, parseCompareQuery } from '../../state/compare-query.ts';
import { pageQuestion } from '../page-question.ts';
import { renderComparePage } from './compare-page.ts';

/** The comparison page. */
export const compareEndpoint: Endpoint = {
  path: comparePath,
  ask: ({ searchParams, origin }) => {
    const query = parseCompareQuery(searchParams);
    return {
      ...pageQuestion(compareAddress(query), origin),
      size: 'large',
      async *parts(reader) {
        yield await renderComparePage(reader, { query, origin });
      },
    };
  },
};
