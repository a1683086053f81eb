/** `/compare?charts=1337:players,42:players`: several lines in one picture. */

import { type Range, rangeNames } from '../../draw/range.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import {
  type ComparedChart,
  type CompareMode,
  chartsText,
  parseCharts,
  parseMode,
} from '../compared-charts.ts';
import type { Directories } from '../directory/directories.ts';
import { loadOnce } from '../load-once.ts';
import { comparePath, withQuery } from '../paths.ts';
import { pageQuestion } from './page-question.ts';
import { readChoice, readText } from './query.ts';

/** What a comparison shows: the state that its address holds. */
export interface CompareQuery {
  readonly charts: readonly ComparedChart[];
  readonly mode: CompareMode;
  readonly range: Range;
  /** Search for plugins to add; blank where nobody has searched. */
  readonly add: string;
}

/** The address of a comparison. */
export function compareAddress({ charts, mode, range, add }: CompareQuery): string {
  return withQuery(comparePath, {
    charts: charts.length === 0 ? undefined : chartsText(charts),
    mode: mode === 'absolute' ? undefined : mode,
    range: range === '30d' ? undefined : range,
    add: add === '' ? undefined : add,
  });
}

const loadPage = loadOnce(() => import('./compare-page.ts'));

/** The page of a comparison. */
export function compareEndpoint(directories: Directories): Endpoint {
  return {
    path: comparePath,
    ask: (request) => {
      const { origin } = request;
      const query: CompareQuery = {
        charts: parseCharts(request.searchParams),
        mode: parseMode(request.searchParams),
        range: readChoice(request, 'range', { words: rangeNames, fallback: '30d' }),
        add: readText(request, 'add'),
      };
      return {
        ...pageQuestion(compareAddress(query), origin),
        async *parts(reader, turns) {
          const { comparePage } = await loadPage();
          yield await comparePage(reader, { query, origin }, { directories, turns });
        },
      };
    },
  };
}
