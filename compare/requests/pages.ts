/** Requests for pages, CSV files, redirects and the files of pages. */
import type { Random } from '../../sample/random.ts';
import { type Catalogue, type Chart, lineType, type Plugin } from '../catalogue.ts';
import { eachPiece, mixedPieces, type Pieces, withQuery } from '../queries.ts';
import { unknownTypes } from '../random-shares.ts';
import type { Request } from '../request.ts';
import { comparedLists } from './pictures.ts';
import { sharePieces, viewPieces, windowPieces } from './pieces.ts';
import { wrongPluginIds } from './v1.ts';

/** Files that pages and other sites load; those that pages name are read too. */
const files = [
  ...['/embed.js', '/favicon.svg'],
  ...[
    '/favicon.ico',
    '/robots.txt',
    '/sitemap.xml',
    '/sitemap/1.xml',
    '/sitemap/2.xml',
    '/sitemap/0.xml',
    '/sitemap/x.xml',
    '/sitemap/1',
  ],
  ...[
    '/openapi.json',
    '/client.js',
    '/client.min.js',
    '/embed.js/',
    '/openapi.json/',
    '/openapi.json?x=1',
    '/robots.txt/',
  ],
];

/** Pages that there are not, and paths that only look like one. */
const unknownPaths = [
  ...[
    '/nope',
    '/nope/',
    '//',
    '/%00',
    '/%ff',
    '/%zz',
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2',
    '/api/v3/plugins',
    '/API/v1/plugins',
  ],
  ...[
    '/software',
    '/owner',
    '/plugin',
    '/plugin/',
    '/global',
    '/author',
    '/index.html',
    '/..',
    '/../etc/passwd',
    '/%2e%2e/x',
    '/.git/config',
  ],
  ...[
    '/live',
    '/ready',
    '/metrics',
    '/admin',
    '/compare/',
    '/about/',
    '/plugin-list/',
    '/favicon.svg/',
    '/x'.repeat(200),
    `/${'x'.repeat(5000)}`,
  ],
];

/** Every page for every subject, in states of all kinds, with its CSV files and redirects. */
export function pageRequests(catalogue: Catalogue, random: Random): readonly Request[] {
  const { plugins, charts, softwareUrls } = catalogue;
  const page = (kind: string, path: string, query = ''): Request => ({
    kind,
    target: withQuery(path, query),
  });
  return [
    ...files.map((target) => page('files', target)),
    ...unknownPaths.flatMap((target) => [
      page('unknown path', target),
      { ...page('unknown path', target), headers: { Accept: 'text/html' } },
    ]),
    ...['', '?x=1', '/'].map((end) => page('/about', `/about${end}`)),
    ...listPages(catalogue, random),
    ...pluginPages(catalogue, random),
    ...csvFiles(plugins, random),
    ...comparePages(charts, random),
    ...redirects(plugins, softwareUrls),
  ];
}

/** The path of a plugin's page. */
export function pagePath({ softwareUrl, name, id }: Plugin): string {
  const segment = name === '.' || name === '..' ? '-' : name;
  return `/plugin/${softwareUrl}/${encodeURIComponent(segment).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}/${id}`;
}

function listPages({ plugins, softwareUrls }: Catalogue, random: Random): readonly Request[] {
  const words = plugins.flatMap(({ name, owner }) => [
    name.slice(0, 4),
    owner.name.slice(0, 3).toUpperCase(),
  ]);
  const pieces: readonly Pieces[] = [
    {
      good: [...words, 'e', ' ', 'zzzz', 'ex mp', 'exmaple'].map(
        (text) => `q=${encodeURIComponent(text.toWellFormed())}`,
      ),
      bad: [`q=${'x'.repeat(201)}`, 'q=a&q=b', 'q=%00'],
    },
    {
      good: ['sort=name', 'sort=servers', 'sort=players', 'sort=change', 'sort='],
      bad: ['sort=id', 'sort=name&sort=name'],
    },
    { good: ['dir=asc', 'dir=desc', 'dir='], bad: ['dir=up'] },
    { good: ['page=1', 'page=2', 'page=999', 'page='], bad: ['page=0', 'page=x', 'page=1000000000'] },
    {
      good: softwareUrls.map((url) => `software=${url}`),
      bad: ['software=nope', 'software=%00', 'software=a&software=b'],
    },
    { good: ['x=1'] },
  ];
  const get = (kind: string, path: string, query = ''): Request => ({ kind, target: withQuery(path, query) });
  const owners = [...new Set(plugins.map(({ owner }) => owner.id))];
  return [
    ...eachPiece(pieces).map((query) => get('/', '/', query)),
    ...mixedPieces(random, pieces, 80).map((query) => get('/', '/', query)),
    ...softwareUrls.flatMap((url) =>
      ['', ...mixedPieces(random, pieces, 4)].map((query) => get('/software/URL', `/software/${url}`, query)),
    ),
    ...['nope', 'BUKKIT', '%20', '%00', 'bukkit/', '__proto__'].map((url) =>
      get('/software/URL', `/software/${url}`),
    ),
    ...owners.flatMap((id) =>
      ['', ...mixedPieces(random, pieces, 2)].map((query) => get('/owner/ID', `/owner/${id}`, query)),
    ),
    ...wrongPluginIds.map((id) => get('/owner/ID', `/owner/${id}`)),
    get('/owner/ID', `/owner/${owners[0]}/`),
  ];
}

function pluginPages({ plugins }: Catalogue, random: Random): readonly Request[] {
  const get = (path: string, query = ''): Request => ({
    kind: '/plugin/SOFTWARE/NAME/ID',
    target: withQuery(path, query),
  });
  const dimensionsOf = ({ charts }: Plugin) => [
    windowPieces,
    ...viewPieces,
    sharePieces(charts.slice(0, 6), ({ chartId }, name) => `${chartId}:${name}`),
    { good: ['x=1', 'hide=x', 'only=:x'] },
  ];
  const all = plugins.flatMap((plugin, index) => {
    const queries =
      index % 17 === 2
        ? eachPiece(dimensionsOf(plugin))
        : ['', ...mixedPieces(random, dimensionsOf(plugin), 3)];
    return queries.map((query) => get(pagePath(plugin), query));
  });
  const other = plugins.flatMap((plugin, index) => {
    const { id, softwareUrl, name } = plugin;
    const [query = ''] = mixedPieces(random, dimensionsOf(plugin), 1);
    const paths = [
      `/plugin/${id}`,
      `/plugin/${softwareUrl}/x/${id}`,
      `/plugin/nope/${encodeURIComponent(name.toUpperCase())}/${id}`,
    ];
    return [
      ...paths.map((path) => get(path, query)),
      ...(index < 3 ? [get(`${pagePath(plugin)}/`), get(`/plugin/${id}/`)] : []),
    ];
  });
  return [
    ...all,
    ...other,
    ...wrongPluginIds.flatMap((id) => [get(`/plugin/${id}`), get(`/plugin/bukkit/x/${id}`)]),
  ];
}

function csvFiles(plugins: readonly Plugin[], random: Random): readonly Request[] {
  const get = (plugin: Plugin, file: string, query = ''): Request => ({
    kind: 'CSV of a chart',
    target: withQuery(`${pagePath(plugin)}/${file}`, query),
  });
  const dimensionsOf = (chart: Chart) => [
    windowPieces,
    ...viewPieces,
    sharePieces([chart], (_, name) => name),
  ];
  // The file of a chart whose type is not known was a table made of its JSON, and is the JSON now.
  const drawable = (charts: readonly Chart[]) => charts.filter(({ type }) => !unknownTypes.includes(type));
  const each = plugins.flatMap((plugin) =>
    drawable(plugin.charts).map((chart, index) => {
      const [query = ''] = index % 2 === 0 ? mixedPieces(random, dimensionsOf(chart), 1) : [];
      return get(plugin, `${chart.chartId}.csv`, chart.type === lineType ? query : query || 'view=history');
    }),
  );
  const [plugin] = plugins;
  if (plugin === undefined) return each;
  const full = drawable(plugin.charts)
    .slice(0, 8)
    .flatMap((chart) =>
      eachPiece(dimensionsOf(chart)).map((query) => get(plugin, `${chart.chartId}.csv`, query)),
    );
  const wrong = [
    'nope.csv',
    'a%20b.csv',
    '.csv',
    'servers',
    'servers.json',
    'servers.CSV',
    'servers.csv/',
    '__proto__.csv',
  ].map((file) => get(plugin, file));
  const elsewhere = [
    `/plugin/x/y/${plugin.id}/servers.csv?range=7d`,
    `/plugin/${plugin.id}/servers.csv`,
    `/plugin/${plugin.id}/nope.csv`,
    '/plugin/424242/servers.csv',
    '/plugin/x/servers.csv',
  ];
  return [...each, ...full, ...wrong, ...elsewhere.map((target) => ({ kind: 'CSV of a chart', target }))];
}

function comparePages(charts: readonly Chart[], random: Random): readonly Request[] {
  const lists = comparedLists(charts, random);
  const hidden = lists.slice(0, 3).map((list) => list.replace('charts=', 'hide='));
  const pieces: readonly Pieces[] = [
    windowPieces,
    { good: ['mode=absolute', 'mode=indexed', 'mode=sum', 'mode='], bad: ['mode=x'] },
    { good: ['axis=linear', 'axis=log', 'axis='], bad: ['axis=x'] },
    { good: [...hidden, 'hide='], bad: ['hide=x', 'hide=1:a,1:a'] },
    {
      good: ['add=e', 'add=Example', 'add=%22%3E%3Cscript%3E', 'add=zzzz', 'add='],
      bad: [`add=${'x'.repeat(201)}`, 'add=a&add=b'],
    },
    { good: ['x=1'] },
  ];
  const get = (...queries: readonly string[]): Request => ({
    kind: '/compare',
    target: withQuery('/compare', ...queries),
  });
  return [
    ...eachPiece(pieces).map((query) => get(query)),
    ...lists.flatMap((list) => [
      get(list),
      ...mixedPieces(random, pieces, 3).map((query) => get(list, query)),
    ]),
    ...lists.slice(1, 3).flatMap((list) => eachPiece(pieces).map((query) => get(list, query))),
  ];
}

function redirects(plugins: readonly Plugin[], softwareUrls: readonly string[]): readonly Request[] {
  const get = (target: string): Request => ({ kind: 'redirects', target });
  const named = plugins.flatMap(({ softwareUrl, name, owner }) => [
    get(`/plugin/${softwareUrl}/${encodeURIComponent(name)}`),
    get(
      `/plugin/${softwareUrl.toUpperCase()}/${encodeURIComponent(name.toLowerCase())}?range=7d&view=history&x=1`,
    ),
    get(`/author/${encodeURIComponent(owner.name)}`),
    get(`/author/${encodeURIComponent(owner.name.toUpperCase())}`),
  ]);
  const globals = [...softwareUrls, 'BUKKIT', 'nope', '%00'].flatMap((url) => [
    get(`/global/${url}`),
    get(`/global/${url}/?range=1y&range=x`),
  ]);
  const wrong = [
    '/author/nope',
    '/author/%00',
    '/author/',
    '/plugin/bukkit/nope',
    '/plugin/nope/nope',
    '/plugin/bukkit/',
    '/plugin-list',
    '/plugin-list?x=1',
  ];
  const former = ['Before', 'BEFORE%20THE%20RENAME', '%F0%9F%98%80', 'a.svg'].flatMap((name) =>
    softwareUrls.map((url) => get(`/plugin/${url}/${name}`)),
  );
  return [...named, ...globals, ...former, ...wrong.map(get)];
}
