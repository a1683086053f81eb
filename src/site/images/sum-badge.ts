/** `/badge/sum.svg?charts=1337:players,42:players`: the latest value of a sum as a badge, and `.json` for shields.io. */
import type { Endpoint } from '../../http/endpoint.ts';
import { chartsText, parseSomeCharts } from '../compared-charts.ts';
import { badgeExtensions, badgeQuestion, loadBadges } from './badge-question.ts';

/** The endpoints, one for each extension. */
export const sumBadges: readonly Endpoint[] = badgeExtensions.map((extension) => ({
  path: `/badge/sum.${extension}`,
  ask: ({ searchParams: query }) => {
    const charts = parseSomeCharts(query);
    return badgeQuestion({
      path: '/badge/sum',
      extension,
      query,
      ownParameters: { charts: chartsText(charts) },
      readWords: async (reader, turns) => (await loadBadges()).wordsOfSum(reader, charts, turns),
    });
  },
}));
