/** The ways of HTTP to ask for the same: methods, codings, entity tags, languages of errors. */
import type { Catalogue } from '../catalogue.ts';
import { lineType } from '../catalogue.ts';
import type { Request } from '../request.ts';
import { pagePath } from './pages.ts';

const methods = ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE', 'LOCK'];

const codings = [
  ...[
    'gzip',
    'br',
    'zstd',
    'deflate',
    'identity',
    '*',
    '',
    'gzip, br, zstd',
    'gzip, deflate, br',
    'br;q=0.5, gzip',
    'gzip;q=0.5, br;q=0.4',
  ],
  ...[
    'gzip;q=0',
    '*;q=0',
    'identity;q=0',
    'identity;q=0, *;q=0',
    'gzip;q=0, *',
    'GZIP',
    'x-gzip',
    'gzip;q=1.5',
    'gzip;q=x',
    'gzip;q=0.001',
  ],
  ...[
    'br;q=1.0, identity;q=1',
    'identity, gzip;q=0.9',
    'unknown',
    ' gzip ,, br',
    'gzip;level=1',
    'br;q=0, gzip;q=0, identity',
    'gzip;q=0.000',
  ],
];

const fields: readonly Readonly<Record<string, string>>[] = [
  { Range: 'bytes=0-9' },
  { 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { 'If-Match': '"x"' },
  { 'If-Range': '"x"', Range: 'bytes=0-1' },
  { Origin: 'https://example.org' },
  { Origin: 'null', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-a, x-b' },
  { Cookie: 'a=b' },
  { Authorization: 'Basic x' },
  { 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
  { Accept: 'text/html' },
  { Accept: 'application/json' },
  { Accept: 'image/avif,image/webp,*/*;q=0.8' },
  { Accept: 'text/html;q=0' },
  { Accept: '' },
  { 'Accept-Language': 'de' },
  { 'User-Agent': '' },
  { 'User-Agent': 'bot"><script>' },
  {
    'X-Forwarded-For': '1.2.3.4',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
    Forwarded: 'host=evil.example',
  },
  { Connection: 'close' },
  { TE: 'trailers' },
  { Expect: 'nonsense' },
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Long': 'x'.repeat(7000) },
  { Host: 'other.example:81' },
  { Host: '"><script>' },
];

/** Some of every kind of request, in every way of asking for it. `all` are the other requests, of which some are asked again. */
export function wireRequests(catalogue: Catalogue, all: readonly Request[]): readonly Request[] {
  const targets = typicalTargets(catalogue);
  const ask = (target: string, rest: Partial<Request>): Request => ({ kind: 'ways to ask', target, ...rest });
  const everyWay = targets.flatMap((target) => [
    ask(target, { method: 'HEAD' }),
    ...methods.map((method) => ask(target, { method })),
    ask(target, { method: 'POST', body: '{"a":1}' }),
    ask(target, { body: 'a body on GET' }),
    ...conditional(target, {}),
    ...conditional(target, { 'Accept-Encoding': 'gzip' }).slice(0, 3),
  ]);
  const some = targets.filter((_, index) => index % 3 === 0);
  const withFields = some.flatMap((target) => [
    ...codings.map((coding) => ask(target, { headers: { 'Accept-Encoding': coding } })),
    ...fields.map((headers) => ask(target, { headers })),
  ]);
  const negotiated = targets.flatMap((target) =>
    ['gzip', 'br'].map((coding) => ask(target, { headers: { 'Accept-Encoding': coding } })),
  );
  // Whatever else is asked: now from the cache, as an error page, or without a body.
  const again = all.flatMap((request, index): readonly Request[] => {
    const { kind, target, headers } = request;
    const way = [
      { method: 'HEAD' },
      {},
      { headers: { ...headers, 'Accept-Encoding': 'br, gzip' } },
      { headers: { ...headers, Accept: 'text/html,*/*' } },
    ][(index / 5) % 4];
    if (index % 5 !== 0 || way === undefined || request.next !== undefined) return [];
    return [{ kind, target, ...(headers && { headers }), ...way }];
  });
  return [...everyWay, ...withFields, ...negotiated, ...again];
}

/** Requests with the entity tag of the answer before, in all its forms. */
function conditional(target: string, headers: Readonly<Record<string, string>>): readonly Request[] {
  const forms: readonly ((tag: string) => string)[] = [
    (tag) => tag,
    (tag) => `W/${tag}`,
    (tag) => `"x", ${tag}`,
    (tag) => `${tag},"y"`,
    (tag) => tag.replaceAll('"', ''),
    (tag) => `w/${tag}`,
    (tag) => tag.toUpperCase().toLowerCase(),
    () => '*',
    () => '"x"',
    () => '',
    () => '"x", *',
    () => '"'.repeat(9),
  ];
  return forms.map((form, index) => ({
    kind: 'entity tags',
    target,
    headers,
    next: (answer) => {
      const tag = answer.headers.get('etag') ?? '"none"';
      const name = `${target} If-None-Match in form ${index}`;
      const own: Request = {
        kind: 'entity tags',
        target,
        name,
        headers: { ...headers, 'If-None-Match': form(tag) },
      };
      return index === 0 ? { ...own, next: () => ({ ...own, method: 'HEAD' }) } : own;
    },
  }));
}

/** A path of every endpoint, and one of every kind of error. */
function typicalTargets({ plugins, charts }: Catalogue): readonly string[] {
  const [plugin] = plugins;
  const line = charts.find(({ type }) => type === lineType);
  const shares = charts.find(({ type }) => type !== lineType);
  if (plugin === undefined || line === undefined || shares === undefined) return [];
  const { pluginId, chartId } = line;
  const v1 = `/api/v1/plugins/${pluginId}`;
  const v2 = `/api/v2/plugins/${pluginId}`;
  return [
    ...[
      '/api/v1/plugins',
      '/api/v1/software',
      v1,
      `${v1}/charts`,
      `${v1}/charts/${chartId}`,
      `${v1}/charts/${chartId}/data`,
    ],
    ...[
      `/api/v1/plugins/${shares.pluginId}/charts/${shares.chartId}/data`,
      `${v1}/charts/${chartId}/data?maxElements=9999999`,
      `${v1}/charts/${chartId}/data/`,
    ],
    ...[
      '/api/v2/plugins',
      v2,
      `${v2}/archive`,
      `${v2}/export.csv`,
      '/api/v2/software',
      `/api/v2/series?charts=${pluginId}:${chartId}`,
    ],
    ...[
      `/api/v2/series.csv?charts=${pluginId}:${chartId}`,
      '/openapi.json',
      '/',
      '/about',
      `/compare?charts=${pluginId}:${chartId}`,
      pagePath(plugin),
    ],
    ...[
      `/software/${plugin.softwareUrl}`,
      `/owner/${plugin.owner.id}`,
      `/plugin/${plugin.id}`,
      `${pagePath(plugin)}/${plugin.charts[0]?.chartId}.csv`,
    ],
    ...[
      `/embed/${pluginId}.svg`,
      `/embed/${pluginId}/${chartId}.svg`,
      `/embed/${pluginId}/${chartId}.png?width=200&height=100`,
      `/embed/${shares.pluginId}/${shares.chartId}.svg`,
    ],
    ...[
      `/embed/lines.svg?charts=${pluginId}:${chartId}`,
      `/badge/${pluginId}/${chartId}.svg`,
      `/badge/${pluginId}/${chartId}.json`,
      `/badge/sum.svg?charts=${pluginId}:${chartId}`,
    ],
    ...[
      `/signatures/${plugin.softwareUrl}/${encodeURIComponent(plugin.name)}.svg`,
      '/embed.js',
      '/favicon.svg',
      '/favicon.ico',
      '/robots.txt',
      '/sitemap.xml',
    ],
    ...[
      '/plugin-list',
      '/nope',
      '/api/v1/nope',
      '/api/v1/plugins/424242',
      '/api/v1/plugins/x',
      `${v1}/charts/${chartId}/data?maxElements=x`,
      '/api/v2/plugins?limit=0',
    ],
    ...['/embed/424242.svg', '/embed/x.png', '/plugin/424242', '/software/nope', '/%ff', '/api/v2/series'],
  ];
}
