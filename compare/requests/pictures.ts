/** Requests for pictures and badges. */
import type { Random } from '../../sample/random.ts';
import { type Catalogue, type Chart, lineType, type Plugin } from '../catalogue.ts';
import { eachPiece, mixedPieces, type Pieces, pick, withQuery } from '../queries.ts';
import type { Request } from '../request.ts';
import { sharePieces, viewPieces, windowPieces } from './pieces.ts';
import { wrongChartIds, wrongPluginIds } from './v1.ts';

const look: readonly Pieces[] = [
  {
    good: ['theme=light', 'theme=dark', 'theme=auto', 'theme=transparent', 'theme='],
    bad: ['theme=blue', 'theme=DARK', 'theme=dark&theme=dark'],
  },
  {
    good: ['width=200', 'width=333', 'width=800', 'width=1600', 'width='],
    bad: ['width=199', 'width=1601', 'width=x', 'width=300.5', 'width=-300'],
  },
  {
    good: ['height=100', 'height=250', 'height=1000', 'height='],
    bad: ['height=99', 'height=1001', 'height=1e2'],
  },
  {
    good: [
      'title=Short',
      'title=%22%3E%3Cscript%3E',
      `title=${'wide%20'.repeat(28)}`,
      'title=%F0%9F%98%80%D7%A2',
      'title=',
      'title=%26amp;',
    ],
    bad: [`title=${'x'.repeat(201)}`, 'title=a%0Ab', 'title=a&title=b'],
  },
  { good: ['foo=bar', '__proto__=1'] },
];
/** Sizes of PNGs are small here: a large one takes a tenth of a second. */
const pngLook: readonly Pieces[] = [
  ...look.slice(0, 1),
  { good: ['width=200', 'width=417'], bad: ['width=1'] },
  { good: ['height=100', 'height=173'], bad: ['height=1'] },
  ...look.slice(3, 4),
  {
    good: ['scale=1', 'scale=2', 'scale=3', 'scale='],
    bad: ['scale=0', 'scale=4', 'scale=1.5', 'scale=1&scale=1'],
  },
];

/** Pictures of plugins, charts and comparisons, each in all forms somewhere. */
export function pictureRequests(catalogue: Catalogue, random: Random): readonly Request[] {
  const { plugins, charts } = catalogue;
  const overviews = plugins.flatMap(({ id }, index) => {
    const queries =
      index % 20 === 1
        ? eachPiece([...look, windowPieces])
        : ['', ...mixedPieces(random, [...look, windowPieces], 2)];
    return queries.map((query) => picture('/embed/ID.svg', `/embed/${id}.svg`, query));
  });
  const overviewPngs = plugins
    .slice(0, 5)
    .flatMap(({ id }) =>
      [...mixedPieces(random, [...pngLook, windowPieces], 5), 'width=200&height=100'].map((query) =>
        picture('/embed/ID.png', `/embed/${id}.png`, query),
      ),
    );
  return [
    ...overviews,
    ...overviewPngs,
    picture('/embed/ID.png', `/embed/${plugins[0]?.id}.png`),
    ...chartPictures(charts, random),
    ...comparedPictures(charts, random),
    ...signatures(catalogue, random),
    ...wrongPictures(plugins),
  ];
}

/** Badges of charts and of sums. */
export function badgeRequests({ plugins, charts }: Catalogue, random: Random): readonly Request[] {
  const pieces: readonly Pieces[] = [
    {
      good: ['style=flat', 'style=flat-square', 'style=plastic', 'style=for-the-badge', 'style='],
      bad: ['style=social', 'style=flat&style=flat'],
    },
    {
      good: [
        ...[
          'brightgreen',
          'green',
          'yellow',
          'yellowgreen',
          'orange',
          'red',
          'blue',
          'grey',
          'lightgrey',
          'gray',
          'lightgray',
        ],
        ...[
          'success',
          'important',
          'critical',
          'informational',
          'inactive',
          'abc',
          'A1B2C3',
          '%23fff',
          '%23010203',
          '',
        ],
      ].map((color) => `color=${color}`),
      bad: ['color=nope', 'color=12', 'color=%23ggg', 'color=red&color=red'],
    },
    {
      good: [
        'label=Servers',
        'label=%22%3E%3Cscript%3E',
        'label=%F0%9F%98%80%20%D7%A2%D7%91',
        `label=${'W'.repeat(100)}`,
        'label=',
        'label=%20%20',
      ],
      bad: [`label=${'x'.repeat(101)}`, 'label=%0A'],
    },
    { good: ['x=1'] },
  ];
  const pathOf = ({ pluginId, chartId }: Chart) => `/badge/${pluginId}/${chartId}`;
  const get = (path: string, query = ''): Request => ({
    kind: path.startsWith('/badge/sum') ? '/badge/sum' : '/badge/ID/ID',
    target: withQuery(path, query),
  });
  const each = charts.flatMap((chart, index) => [
    get(`${pathOf(chart)}.svg`),
    ...(index % 5 === 0 ? [get(`${pathOf(chart)}.json`)] : []),
  ]);
  const full = firstOfTypes(charts).flatMap((chart, index) =>
    (index < 3 ? eachPiece(pieces) : mixedPieces(random, pieces, 5)).map((query) =>
      get(`${pathOf(chart)}.${index === 1 ? 'json' : 'svg'}`, query),
    ),
  );
  const mixed = mixedPieces(random, pieces, 80).flatMap((query) =>
    pick(random, charts).map((chart) => get(`${pathOf(chart)}.svg`, query)),
  );
  const sums = comparedLists(charts, random).flatMap((list) =>
    ['svg', 'json'].flatMap((extension) =>
      mixedPieces(random, pieces, 2).map((query) => get(`/badge/sum.${extension}`, `${list}&${query}`)),
    ),
  );
  const wrong = ['.svg', '.json', '.png', '', '.SVG', '/'].flatMap((end) => [
    get(`/badge/${plugins[0]?.id}/servers${end}`),
    get(`/badge/424242/servers${end}`),
    get(`/badge/x/servers${end}`),
    get(`/badge/sum${end}`),
    get(`/badge/${plugins[0]?.id}${end}`),
    ...wrongChartIds.map((chartId) => get(`/badge/${plugins[0]?.id}/${chartId}${end}`)),
  ]);
  return [...each, ...full, ...mixed, ...sums, ...wrong];
}

/** Lists of charts to compare, also those that are refused. */
export function comparedLists(charts: readonly Chart[], random: Random): readonly string[] {
  const lines = charts.filter(({ type }) => type === lineType);
  const lists = Array.from({ length: 24 }, (_, index) => {
    const some = Array.from({ length: 1 + (index % 10) }, () => lines[random.below(lines.length)]);
    return [...new Set(some)].map((chart) => `${chart?.pluginId}:${chart?.chartId}`).join();
  });
  const [first = ''] = lists;
  const other = charts.find(({ type }) => type !== lineType);
  const eleven = lines.slice(0, 11).map(({ pluginId, chartId }) => `${pluginId}:${chartId}`);
  const wrong = [
    '',
    '%20',
    first,
    `${first},${first}`,
    `${first},`,
    `${first},424242:players`,
    '424242:players',
    '1',
    'x:y',
    '1:__proto__',
    '1:a%20b',
  ];
  return [
    ...lists,
    ...wrong,
    `${other?.pluginId}:${other?.chartId}`,
    eleven.join(),
    `${first}&charts=${first}`,
  ].map((list) => `charts=${list}`);
}

function picture(kind: string, path: string, query = ''): Request {
  return { kind, target: withQuery(path, query) };
}

function chartPictures(charts: readonly Chart[], random: Random): readonly Request[] {
  const get = ({ pluginId, chartId }: Chart, extension: 'svg' | 'png', query = '') =>
    picture(`/embed/ID/ID.${extension}`, `/embed/${pluginId}/${chartId}.${extension}`, query);
  const sharesOf = (chart: Chart) => sharePieces([chart], (_, name) => name);
  const shownOf = (chart: Chart) => [windowPieces, ...viewPieces, sharesOf(chart)];
  const plain = charts.flatMap((chart, index) => [
    get(chart, 'svg'),
    ...(index % 2 === 0
      ? [get(chart, 'svg', chart.type === lineType ? 'range=all' : 'view=history&range=all')]
      : mixedPieces(random, [...look, ...shownOf(chart)], 1).map((query) => get(chart, 'svg', query))),
  ]);
  const full = firstOfTypes(charts).flatMap((chart, index) => [
    ...eachPiece(index % 4 === 0 ? [...look, ...shownOf(chart)] : shownOf(chart)).map((query) =>
      get(chart, 'svg', query),
    ),
    ...(index % 2 === 0 ? eachPiece([windowPieces, sharesOf(chart)]) : []).map((query) =>
      get(chart, 'svg', `view=history&${query}`),
    ),
    ...mixedPieces(random, [...look, ...shownOf(chart)], 10).map((query) => get(chart, 'svg', query)),
    get(chart, 'png', 'width=300&height=120'),
    ...mixedPieces(random, [...pngLook, ...shownOf(chart)], 5).map((query) => get(chart, 'png', query)),
  ]);
  const largest = charts.slice(0, 2).map((chart) => get(chart, 'png', 'width=1600&height=1000&scale=3'));
  const badPngs = charts
    .slice(0, 1)
    .flatMap((chart) => eachPiece(pngLook).map((query) => get(chart, 'png', query)));
  return [...plain, ...full, ...largest, ...badPngs];
}

function comparedPictures(charts: readonly Chart[], random: Random): readonly Request[] {
  const modes: Pieces = {
    good: ['mode=absolute', 'mode=indexed', 'mode=sum', 'mode='],
    bad: ['mode=x', 'mode=sum&mode=sum'],
  };
  const axes: Pieces = { good: ['axis=linear', 'axis=log', 'axis=whole', 'axis='], bad: ['axis=x'] };
  const previous: Pieces = { good: ['previous=true'] };
  const lists = comparedLists(charts, random);
  const get = (extension: string, ...queries: readonly string[]): Request => ({
    kind: `/embed/lines.${extension}`,
    target: withQuery(`/embed/lines.${extension}`, ...queries),
  });
  const plain = lists.flatMap((list) =>
    ['', 'mode=sum', 'mode=indexed'].map((query) => get('svg', list, query)),
  );
  const mixed = lists.flatMap((list) =>
    mixedPieces(random, [...look, windowPieces, modes, axes, previous], 2).map((query) =>
      get('svg', list, query),
    ),
  );
  const full = lists
    .slice(2, 4)
    .flatMap((list) =>
      eachPiece([...look, windowPieces, modes, axes, previous]).map((query) => get('svg', list, query)),
    );
  const pngs = lists
    .slice(0, 8)
    .flatMap((list) =>
      mixedPieces(random, [...pngLook, windowPieces, modes, axes], 2).map((query) => get('png', list, query)),
    );
  return [...plain, ...mixed, ...full, ...pngs, get('svg'), get('png'), get('jpg')];
}

function signatures({ plugins, softwareUrls, oldNames }: Catalogue, random: Random): readonly Request[] {
  const get = (softwareUrl: string, file: string, query = ''): Request => ({
    kind: '/signatures/SOFTWARE/NAME.svg',
    target: withQuery(`/signatures/${softwareUrl}/${file}`, query),
  });
  const ofPlugins = plugins.flatMap(({ name, softwareUrl }) => {
    const encoded = encodeURIComponent(name);
    return [
      get(softwareUrl, `${encoded}.svg`),
      get(softwareUrl.toUpperCase(), `${encodeURIComponent(name.toUpperCase())}.svg`),
      get(
        softwareUrl,
        `${encoded.replaceAll('%20', '+')}.svg`,
        mixedPieces(random, [...look, windowPieces], 1).join(),
      ),
    ];
  });
  const former = oldNames.flatMap((name) =>
    softwareUrls.slice(0, 2).map((url) => get(url, `${encodeURIComponent(name.toLowerCase())}.svg`)),
  );
  const [first] = plugins;
  const wrong = [
    ...['nope.svg', '.svg', 'a', 'a.png', '%00.svg', '%ff.svg', 'x/y.svg', '%F0%9F%98%80.svg'].map((file) =>
      get('bukkit', file),
    ),
    ...['nope', '%20', 'BUKKIT', '__proto__'].map((url) =>
      get(url, `${encodeURIComponent(first?.name ?? '')}.svg`),
    ),
    ...eachPiece(look).map((query) =>
      get(first?.softwareUrl ?? '', `${encodeURIComponent(first?.name ?? '')}.svg`, query),
    ),
  ];
  return [...ofPlugins, ...former, ...wrong];
}

/** Pictures that there are not: each answers with a picture that says why. */
function wrongPictures(plugins: readonly Plugin[]): readonly Request[] {
  const id = plugins[0]?.id;
  const ends = ['.svg', '.png', '.jpg', '', '.svg/', '.SVG', '.svg.png'];
  const paths = [
    ...ends.flatMap((end) => [
      `/embed/${id}${end}`,
      `/embed/${id}/servers${end}`,
      `/embed/424242${end}`,
      `/embed/${id}/nope${end}`,
    ]),
    ...wrongPluginIds.flatMap((wrong) => [`/embed/${wrong}.svg`, `/embed/${wrong}/servers.svg`]),
    ...wrongChartIds.flatMap((wrong) => [
      `/embed/${id}/${wrong}.svg`,
      `/embed/${id}/${wrong}.svg?theme=dark&width=300`,
    ]),
    ...[
      '/embed',
      '/embed/',
      '/embed/1/',
      '/embed/1/2/3.svg',
      `/embed/${id}/nope.png?theme=transparent&title=T`,
      `/embed/${id}/nope.svg?width=1`,
    ],
  ];
  return paths.map((target) => ({ kind: 'wrong pictures', target }));
}

/** A chart of each type, one with shares if there is one. */
function firstOfTypes(charts: readonly Chart[]): readonly Chart[] {
  return [...Map.groupBy(charts, ({ type }) => type).values()].flatMap(
    (some) => some.find(({ shareNames }) => shareNames.length > 1) ?? some.slice(0, 1),
  );
}
