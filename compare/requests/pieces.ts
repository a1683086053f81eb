/** Pieces of queries that pictures, pages and CSV files share. */
import type { Chart } from '../catalogue.ts';
import type { Pieces } from '../queries.ts';

/** Windows of time with both ends, or counted back. */
export const windowPieces: Pieces = {
  good: [
    ...['range=1d', 'range=7d', 'range=30d', 'range=90d', 'range=1y', 'range=all', 'range=', 'from=&to='],
    ...[
      'from=2026-06-01&to=2026-06-08',
      'from=2026-06-29T12:30Z&to=2026-06-30T00:30:00Z',
      'from=1780000000000&to=1781000000000',
    ],
    ...[
      'from=2026-05-03T10:00:00%2B02:00&to=2026-05-20',
      'from=2026-05-03T10:00:00+02:00&to=2026-05-20',
      'from=0&to=1',
    ],
    ...[
      'from=2019-01-01&to=2019-03-01',
      'from=2030-01-01&to=2031-01-01',
      'from=1970-01-01&to=9999-12-31',
      'from=2024-01-01&to=2026-07-01',
    ],
  ],
  bad: [
    ...[
      'range=2d',
      'range=ALL',
      'range=30d&range=7d',
      'from=2026-06-01&to=2026-06-08&range=7d',
      'from=2026-06-02&to=2026-06-01',
    ],
    ...[
      'from=2026-06-01&to=2026-06-01',
      'from=2026-06-01',
      'to=2026-06-01',
      'from=soon&to=2026-06-01',
      'from=2026-02-30&to=2026-06-01',
    ],
    ...['from=2026-01-01&to=10000-01-01', 'from=-1&to=5', 'from=2026-06-01&from=2026-06-02&to=2026-06-03'],
  ],
};

/** Views of shares, and the axis of lines. */
export const viewPieces: readonly Pieces[] = [
  { good: ['view=now', 'view=history', 'view=lines', 'view='], bad: ['view=x', 'view=now&view=now'] },
  { good: ['unit=percent', 'unit=count', 'unit='], bad: ['unit=x'] },
  { good: ['axis=linear', 'axis=whole', 'axis=log', 'axis='], bad: ['axis=x'] },
  {
    good: ['previous=true', 'previous=false', 'group=minor', 'group=none', 'group=', 'previous='],
    bad: ['previous=1', 'group=x'],
  },
];

/** Queries of one share of a chart: left out, or alone. */
export function sharePieces(
  charts: readonly Chart[],
  nameShare: (chart: Chart, name: string) => string,
): Pieces {
  const names = charts.flatMap((chart) =>
    chart.shareNames.map((name) => encodeURIComponent(nameShare(chart, name).toWellFormed())),
  );
  return {
    good: [
      ...names.flatMap((name) => [`hide=${name}`, `only=${name}`]),
      'hide=',
      'only=nothing',
      'hide=a&hide=b&only=c',
    ],
    bad: [`hide=${'x'.repeat(201)}`, Array.from({ length: 101 }, (_, index) => `only=${index}`).join('&')],
  };
}
