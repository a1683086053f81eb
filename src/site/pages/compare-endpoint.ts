/** `/compare?charts=1337:players,42:players`: several lines in one picture. */

import { type Range, rangeNames } from '../../draw/range.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { isChartId } from '../../model/chart.ts';
import { maxId } from '../../model/identifier.ts';
import type { Directories } from '../directory/directories.ts';
import { loadOnce } from '../load-once.ts';
import { comparePath, withQuery } from '../paths.ts';
import { malformedQuery } from '../query-parameter.ts';
import { pageQuestion } from './page-question.ts';
import { readChoice, readText } from './query.ts';

/** How many lines one comparison may have. */
export const maxComparedCharts = 10;

/** How lines stand together: as they are, each as 100 at its beginning, or added into one. */
export const compareModes = ['absolute', 'indexed', 'sum'] as const;

/** A line of a comparison. */
export interface ComparedChart {
  readonly pluginId: number;
  readonly chartId: string;
}

/** What a comparison shows: the state that its address holds. */
export interface CompareQuery {
  readonly charts: readonly ComparedChart[];
  readonly mode: (typeof compareModes)[number];
  readonly range: Range;
  /** Plugins to add are searched for; undefined where nobody has asked for any. */
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

/** Such as `1337:players,42:players`. */
export function chartsText(charts: readonly ComparedChart[]): string {
  return charts.map(({ pluginId, chartId }) => `${pluginId}:${chartId}`).join(',');
}

const loadPage = loadOnce(() => import('./compare-page.ts'));

/** The page of a comparison. */
export function compareEndpoint(directories: Directories): Endpoint {
  return {
    path: comparePath,
    ask: (request) => {
      const { origin } = request;
      const query: CompareQuery = {
        charts: parseCharts(readText(request, 'charts', maxChartsLength)),
        mode: readChoice(request, 'mode', { words: compareModes, fallback: 'absolute' }),
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

/** Ten ids with the longest chart ids, and what stands between them. */
const maxChartsLength = maxComparedCharts * 120;

const chartsAllowed = `up to ${maxComparedCharts} line charts, such as 1337:players,42:players`;

function parseCharts(text: string): readonly ComparedChart[] {
  if (text === '') return [];
  const parts = text.split(',');
  if (parts.length > maxComparedCharts || new Set(parts).size < parts.length)
    throw malformedQuery('charts', `${chartsAllowed}, each once`, text);
  return parts.map((part) => {
    const [, id = '', chartId = ''] = /^([1-9][0-9]{0,15}):(.+)$/.exec(part) ?? [];
    const pluginId = Number(id);
    if (id === '' || pluginId > maxId || !isChartId(chartId))
      throw malformedQuery('charts', chartsAllowed, part);
    return { pluginId, chartId };
  });
}
