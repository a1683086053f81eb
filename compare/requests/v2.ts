/** Requests to `/api/v2`. */
import type { Random } from '../../sample/random.ts';
import { type Catalogue, type Chart, lineType } from '../catalogue.ts';
import { eachPiece, mixedPieces, type Pieces, withQuery } from '../queries.ts';
import type { Request } from '../request.ts';
import { wrongPluginIds } from './v1.ts';

const windows: Pieces = {
  good: [
    ...[
      'range=1d',
      'range=7d',
      'range=30d',
      'range=90d',
      'range=1y',
      'range=all',
      'range=',
      'from=2026-06-01',
    ],
    ...[
      'from=2026-06-01&to=2026-06-08',
      'from=2026-06-01T12:30Z&to=2026-06-02T00:30:00Z',
      'from=1780000000000&to=1781000000000',
    ],
    ...[
      'from=2026-05-03T10:00:00%2B02:00&to=2026-05-20',
      'from=2026-05-03T10:00:00+02:00&to=2026-05-20',
      'from=0&to=1',
      'from=0',
    ],
    ...[
      'from=2019-01-01&to=2019-03-01',
      'from=2030-01-01&to=2031-01-01',
      'to=2026-06-01',
      'from=2026-06-30T23:30Z',
    ],
    ...['from=1970-01-01&to=9999-12-31', 'from=2026-06-01T00:00&to=2026-06-03'],
  ],
  bad: [
    ...[
      'range=2d',
      'range=ALL',
      'range=30d&range=7d',
      'from=2026-06-01&range=7d',
      'from=2026-06-02&to=2026-06-01',
    ],
    ...[
      'from=2026-06-01&to=2026-06-01',
      'from=soon',
      'from=2026-02-30',
      'from=10000-01-01',
      'from=253402300800000',
      'from=-1',
    ],
    ...['from=2026-06-01&from=2026-06-02', 'to=0', 'from=1.5', 'from=2026-06-01T25:00Z', 'from=%00'],
  ],
};

const seriesPieces: readonly Pieces[] = [
  windows,
  {
    good: ['step=30m', 'step=1h', 'step=6h', 'step=1d', 'step=7d', 'step='],
    bad: ['step=2d', 'step=1D', 'step=1800000', 'step=1h&step=1h'],
  },
  {
    good: [
      'aggregate=mean',
      'aggregate=min',
      'aggregate=max',
      'aggregate=last',
      'aggregate=count',
      'aggregate=',
    ],
    bad: ['aggregate=sum', 'aggregate=MEAN'],
  },
  {
    good: ['top=1', 'top=2', 'top=5', 'top=20', 'top=100', 'top='],
    bad: ['top=0', 'top=101', 'top=x', 'top=1&top=2'],
  },
  { good: ['level=1', 'level=2', 'level='], bad: ['level=3', 'level=0'] },
  { good: ['sum=true', 'sum=false', 'sum='], bad: ['sum=1', 'sum=TRUE'] },
];
const unknownParameters: Pieces = {
  good: [],
  bad: ['x=1', 'maxElements=5', 'Range=7d', '__proto__=1', 'charts=1:a'],
};

/** Every endpoint for every plugin, series of all kinds of charts, and pages of the list by their own cursors. */
export function v2Requests(catalogue: Catalogue, random: Random): readonly Request[] {
  const { plugins } = catalogue;
  const get = (kind: string, target: string): Request => ({
    kind: `/api/v2/${kind}`,
    target: `/api/v2/${target}`,
  });
  const software = ['software', 'software/', 'software?x=1', 'software?'].map((target) =>
    get('software', target),
  );
  const ofPlugins = plugins.flatMap(({ id }, index) => [
    get('plugins/ID', `plugins/${id}${index % 4 === 0 ? '/' : ''}`),
    get('plugins/ID/archive', `plugins/${id}/archive`),
    get('plugins/ID/export.csv', `plugins/${id}/export.csv${index % 4 === 1 ? '/' : ''}`),
  ]);
  const since = [
    '2026-06-01',
    '2026-06-30T23:30:00Z',
    '1780000000000',
    '0',
    '2050-01-01',
    '',
    'x',
    '-1',
    '1&since=2',
    '2026-02-30',
    '10000-01-01',
  ];
  const archives = plugins
    .slice(0, 4)
    .flatMap(({ id }) =>
      since.map((time) => get('plugins/ID/archive', `plugins/${id}/archive?since=${time}`)),
    );
  const queried = ['?x=1', '?since=1', '?charts=1:a', '?'].flatMap((query) =>
    ['', '/archive', '/export.csv'].map((end) =>
      get('plugins/ID', `plugins/${plugins[0]?.id}${end}${query}`),
    ),
  );
  const wrong = wrongPluginIds.flatMap((id) =>
    ['', '/archive', '/export.csv', '/nothing'].map((end) => get('plugins/ID wrong', `plugins/${id}${end}`)),
  );
  return [
    ...software,
    ...listRequests(catalogue, random),
    ...ofPlugins,
    ...archives,
    ...queried,
    ...wrong,
    ...seriesRequests(catalogue, random),
    ...['', 'x', 'plugins/1/charts', 'series/', 'series.json', 'series.csv/'].map((path) =>
      get('unknown path', path),
    ),
  ];
}

function seriesRequests({ charts }: Catalogue, random: Random): readonly Request[] {
  const lists = [...chartLists(charts, random), ...wrongChartLists(charts)];
  const paths = ['series', 'series.csv'];
  const get = (path: string, query: string): Request => ({
    kind: `/api/v2/${path}`,
    target: withQuery(`/api/v2/${path}`, query),
  });
  const plain = lists.flatMap((list) => paths.map((path) => get(path, list)));
  const some = [lists[0], ...lists.filter((_, index) => index % 17 === 5)].filter(
    (list) => list !== undefined,
  );
  const pieces = some.flatMap((list, index) =>
    eachPiece([...seriesPieces, unknownParameters]).map((query) =>
      get(paths[index % 2] ?? '', [list, query].join('&')),
    ),
  );
  const mixed = lists.flatMap((list) =>
    mixedPieces(random, [...seriesPieces, unknownParameters], 3).map((query) =>
      get(paths[random.below(2)] ?? '', [list, query].join('&')),
    ),
  );
  const none = ['', 'charts', 'charts=', 'charts=%20', 'range=7d', 'step=1d'].flatMap((query) =>
    paths.map((path) => get(path, query)),
  );
  return [...plain, ...pieces, ...mixed, ...none];
}

/** Lists of charts for `charts=`: one of each type, all of a plugin, random ones, and as many as a request may name. */
function chartLists(charts: readonly Chart[], random: Random): readonly string[] {
  const listOf = (some: readonly Chart[]) => `charts=${some.map(nameOf).join()}`;
  const ofType = [...Map.groupBy(charts, ({ type }) => type).values()];
  const lines = charts.filter(({ type }) => type === lineType);
  const randomList = (from: readonly Chart[], count: number) =>
    listOf(
      [...new Set(Array.from({ length: count }, () => from[random.below(from.length)]))].filter(
        (chart) => chart !== undefined,
      ),
    );
  const ofPlugins = [...Map.groupBy(charts, ({ pluginId }) => pluginId).values()].slice(0, 8);
  return [
    ...ofType.flatMap((some) => some.slice(0, 4).map((chart) => listOf([chart]))),
    ...ofPlugins.map((some) => listOf(some.filter(({ type }) => type === lineType || /pie|map/.test(type)))),
    ...Array.from({ length: 10 }, () => randomList(lines, 4)),
    ...Array.from({ length: 10 }, () => randomList(charts, 3)),
    listOf(lines.slice(0, 50)),
  ];
}

function wrongChartLists(charts: readonly Chart[]): readonly string[] {
  const [line] = charts.map(nameOf);
  const names = [
    `${line},${line}`,
    `${line},`,
    `,${line}`,
    '1',
    '1:',
    ':players',
    `${line}:x`,
    `${line},424242:players`,
    '0:players',
    'x:y',
  ];
  const many = Array.from({ length: 51 }, (_, index) => `1:c${index}`).join();
  return [
    ...names,
    many,
    '9007199254740992:a',
    '1:a%20b',
    '1:__proto__',
    `${line}&charts=${line}`,
    'x'.repeat(7000),
  ].map((list) => `charts=${list}`);
}

/** The name of a chart in queries. */
function nameOf({ pluginId, chartId }: Chart): string {
  return `${pluginId}:${chartId}`;
}

function listRequests({ plugins, softwareUrls }: Catalogue, random: Random): readonly Request[] {
  const words = plugins.flatMap(({ name, owner }) => [
    name.slice(0, 3),
    name.slice(1).toUpperCase(),
    owner.name.slice(0, 4),
  ]);
  const texts = [
    ...words,
    ...[...words].map((word) => word.toLowerCase()),
    'e',
    ' ',
    'zzzz',
    'ss',
    'x'.repeat(200),
  ];
  const dimensions: readonly Pieces[] = [
    {
      good: texts.map((text) => `q=${encodeURIComponent(text.toWellFormed())}`),
      bad: ['q=%00', `q=${'x'.repeat(201)}`, 'q=a&q=b', 'q=%zz', 'q=%ff'],
    },
    {
      good: ['software=', 'software=nope', ...softwareUrls.map((url) => `software=${url}`)],
      bad: ['software=A', 'software=a%20b'],
    },
    {
      good: plugins.slice(0, 9).map(({ owner }) => `owner=${owner.id}`),
      bad: ['owner=x', 'owner=-1', 'owner=9007199254740992', 'owner=1&owner=2'],
    },
    { good: ['global=true', 'global=false'], bad: ['global=1', 'global=TRUE'] },
    {
      good: ['sort=servers', 'sort=players', 'sort=name', 'sort=id'],
      bad: ['sort=owner', 'sort=NAME', 'sort=id&sort=id'],
    },
    { good: ['order=asc', 'order=desc'], bad: ['order=up'] },
    {
      good: ['limit=1', 'limit=7', 'limit=100', 'limit=1000'],
      bad: ['limit=0', 'limit=1001', 'limit=x', 'limit=1.0'],
    },
    { good: [], bad: ['after=x', 'after=!', 'after=W10', `after=${'A'.repeat(1201)}`, 'x=1', 'page=2'] },
  ];
  const queries = [...eachPiece(dimensions), ...mixedPieces(random, dimensions, 120)];
  const get = (query: string): Request => ({
    kind: '/api/v2/plugins',
    target: withQuery('/api/v2/plugins', query),
  });
  const orders = ['servers', 'players', 'name', 'id'].flatMap((sort) =>
    ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`),
  );
  const walks = [...orders, 'q=e', 'global=false'].map((query) => pageFrom(`${query}&limit=7`, 1));
  return [...queries.map(get), get('/'), ...walks];
}

/** A page of the list, then the next by the cursor that the same build gave. */
function pageFrom(query: string, page: number, cursor?: string): Request {
  const target = `/api/v2/plugins?${query}`;
  return {
    kind: '/api/v2/plugins',
    target: cursor === undefined ? target : `${target}&after=${encodeURIComponent(cursor)}`,
    ...(cursor === undefined ? {} : { name: `${target}, page ${page}` }),
    next: ({ status, body }) => {
      const following: unknown = status === 200 ? JSON.parse(body.toString()).next : undefined;
      return typeof following === 'string' ? pageFrom(query, page + 1, following) : undefined;
    },
  };
}
