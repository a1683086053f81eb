/**
 * Requests to all routes, for a catalogue: each subject, each value of each parameter, wrong names, and paths
 * that lead nowhere.
 */
import { extname } from 'node:path';
import { createRandom, type Random } from '../../catalogues/random.ts';
import type { Catalogue, Chart, Plugin } from '../catalogue.ts';
import type { Request } from '../request.ts';
import { dimensionsOf, eachPiece, mixedPieces, piecesOf } from './parameters.ts';
import type { Route } from './routes.ts';

/** Values of path parameters that are no name of anything, or of nothing that there is. */
const wrongNames = [
  '0',
  '-1',
  '1.5',
  '007',
  '%31',
  '9007199254740992',
  '424242',
  'nope',
  'PLAYERS',
  'BUKKIT',
  '__proto__',
  'constructor',
  '.',
  '%2e%2e',
  '%20',
  'a%20b',
  'a%2Fb',
  '%00',
  '%ff',
  '%zz',
  '%C3%A9',
  '%F0%9F%98%80',
  '%22%3E%3Cscript%3E',
  '+1',
  '',
  'x'.repeat(101),
];

/** Forms of a path that only look like it. */
const pathEnds = ['/', '?', '?x=1&__proto__=2', '//', '/%20', ';a', '.json', '/nothing'];

/** Paths of no route. */
const otherPaths = ['/nope', '/..', '/%2e%2e/x', '/.git/config', '/%ff', '/%zz', '/%00', '/x'.repeat(200)];

const mostPngs = 16;

/**
 * Queries of several pieces: for a route with one subject, for the first subject of a form, and for others.
 */
const [mixedOfOne, mixedOfForm, mixedOfMany] = [150, 12, 2];

/** Requests to every route. */
export function routeRequests(
  routes: readonly Route[],
  catalogue: Catalogue,
  seed: string,
): readonly Request[] {
  const prefixes = routes.flatMap(({ path }) =>
    path.split('/').map((_, at, all) => all.slice(0, at).join('/')),
  );
  const unknown = [...new Set([...prefixes, ...otherPaths])].filter(
    (path) => path !== '' && !/\{/.test(path),
  );
  return [
    ...routes.flatMap((route) => requestsTo(route, catalogue, createRandom(`${route.path} ${seed}`))),
    ...unknown.flatMap((target) => [
      { kind: 'unknown path', target },
      { kind: 'unknown path', target: target.toUpperCase() },
      { kind: 'unknown path', target, headers: { Accept: 'text/html' } },
    ]),
  ];
}

/** A target of every route: the first that the catalogue has. */
export function typicalTargets(routes: readonly Route[], catalogue: Catalogue): readonly string[] {
  return routes.flatMap(({ path, parameters }) => {
    const [charts] = parameters.filter(({ name }) => name === 'charts');
    const [query] = charts === undefined ? [] : piecesOf(charts, catalogue).good;
    return subjectsOf(path, catalogue)
      .slice(0, 1)
      .map(({ target }) => withQuery(target, query));
  });
}

function requestsTo(route: Route, catalogue: Catalogue, random: Random): readonly Request[] {
  const { path, parameters } = route;
  const subjects = subjectsOf(path, catalogue);
  const [some] = subjects;
  return [
    ...queriesOf(route, subjects, { catalogue, random }),
    ...wrongPaths(path, some, catalogue),
    ...(some === undefined ? [] : pathEnds.map((end) => `${some.target}${end}`)),
  ]
    .map((target): Request => ({ kind: path, target }))
    .concat(parameters.some(({ name }) => name === 'after') ? walks(path, parameters) : []);
}

/**
 * Every subject without a query and with some; for the first of each form also every piece of a query alone.
 */
function queriesOf(
  route: Route,
  subjects: readonly Subject[],
  { catalogue, random }: { readonly catalogue: Catalogue; readonly random: Random },
): readonly string[] {
  const forms = new Set<string>();
  return subjects.flatMap(({ target, chart }) => {
    if (route.parameters.length === 0) return [target];
    const pieces = dimensionsOf(route, catalogue, chart);
    // Where charts must be named, a piece alone would say nothing.
    const charts = pieces.flatMap(({ good }) => good).find((piece) => piece.startsWith('charts='));
    const form = target.endsWith('.png')
      ? 'png'
      : `${isOfCharts(route.path) && chart?.type} ${extname(target)}`;
    const isFirst = !forms.has(form);
    forms.add(form);
    const single = isFirst ? eachPiece(pieces) : [];
    const count = subjects.length === 1 && form !== 'png' ? mixedOfOne : isFirst ? mixedOfForm : mixedOfMany;
    const mixed = Array.from({ length: count }, () => mixedPieces(random, pieces));
    return [
      target,
      ...single.map((piece) => withQuery(target, piece.startsWith('charts=') ? undefined : charts, piece)),
      ...mixed.map((query) => withQuery(target, query)),
    ];
  });
}

function wrongPaths(path: string, some: Subject | undefined, { oldNames }: Catalogue): readonly string[] {
  const names = [...wrongNames, ...oldNames.map((name) => encodeURIComponent(name.toLowerCase()))];
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return parameters.flatMap((parameter) => {
    const ends = parameter === 'file' ? ['', '.svg', '.png', '.csv', '.json'] : [''];
    return names.flatMap((name) =>
      ends.map((end) => fill(path, some?.values ?? {}, { [parameter]: `${name}${end}` })),
    );
  });
}

/** A path with its parameters filled in. */
interface Subject {
  readonly target: string;
  readonly values: Readonly<Record<string, string>>;
  readonly chart: Chart | undefined;
}

/** The paths of a route: one for each plugin, chart, owner or software that it names. */
function subjectsOf(path: string, { plugins }: Catalogue): readonly Subject[] {
  const subjects = plugins.flatMap((plugin) =>
    (isOfCharts(path) ? plugin.charts : withShares(plugin.charts)).flatMap((chart) =>
      valuesOf(path, plugin, chart).map((values) => ({ target: fill(path, values), values, chart })),
    ),
  );
  const byTarget = [...new Map(subjects.map((subject) => [subject.target, subject])).values()];
  const pngs = new Set(byTarget.filter(({ target }) => target.endsWith('.png')).slice(mostPngs));
  return byTarget.filter((subject) => !pngs.has(subject));
}

function isOfCharts(path: string): boolean {
  return /\{chartId\}|\{pluginId\}\/\{file\}/.test(path);
}

/** One chart, with shares that a query can name if there is one. */
function withShares(charts: readonly Chart[]): readonly Chart[] {
  const [first] = charts;
  const chart = charts.find(({ shareNames }) => shareNames.length > 0) ?? first;
  return chart === undefined ? [] : [chart];
}

/** The values of the parameters of a path, encoded; several where a file has several forms. */
function valuesOf(
  path: string,
  plugin: Plugin,
  { chartId }: Chart,
): readonly Readonly<Record<string, string>>[] {
  const { id, name, owner, softwareUrl } = plugin;
  const [, folder = ''] = path.split('/');
  const stem =
    folder === 'sitemap'
      ? '1'
      : folder === 'signatures'
        ? name
        : path.includes('{pluginId}')
          ? chartId
          : `${id}`;
  const ends = {
    embed: ['svg', 'png'],
    signatures: ['svg'],
    badge: ['svg', 'json'],
    sitemap: ['xml'],
    plugin: ['csv'],
  };
  const extensions = Object.entries(ends).find(([of]) => of === folder)?.[1] ?? Object.values(ends).flat();
  const values = {
    pluginId: String(id),
    chartId,
    softwareUrl,
    // Clients resolve these two, even percent-encoded.
    pluginName: name === '.' || name === '..' ? '-' : encodeName(name),
    ownerId: String(owner.id),
    ownerName: encodeName(owner.name),
  };
  if (!path.includes('{file}')) return [values];
  return extensions.map((extension) => ({ ...values, file: `${encodeName(stem)}.${extension}` }));
}

function fill(path: string, ...values: readonly Readonly<Record<string, string>>[]): string {
  const all = Object.assign({}, ...values);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => all[name] ?? '1');
}

/** As `encodeURIComponent`, and the letters that the server encodes beside those. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Pages of a list from the first to the last, by the cursors that the same build gives, in every order. */
function walks(path: string, parameters: Route['parameters']): readonly Request[] {
  const wordsOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema.enum ?? [];
  return wordsOf('sort').flatMap((sort) =>
    wordsOf('order').map((order) => pageFrom(`${path}?sort=${sort}&order=${order}&limit=17`, 1)),
  );
}

function pageFrom(target: string, page: number, cursor?: string): Request {
  return {
    kind: 'pages by cursors',
    target: cursor === undefined ? target : `${target}&after=${encodeURIComponent(cursor)}`,
    name: `${target}, page ${page}`,
    next: ({ status, body }) => {
      const following: unknown = status === 200 ? JSON.parse(body.toString()).next : undefined;
      return typeof following === 'string' ? pageFrom(target, page + 1, following) : undefined;
    },
  };
}

function withQuery(path: string, ...queries: readonly (string | undefined)[]): string {
  const query = queries.filter((one) => one !== undefined && one !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** Some of these again, in another way: from the cache, without a body, compressed, for a browser. */
export function askedAgain(requests: readonly Request[]): readonly Request[] {
  const ways: readonly Partial<Request>[] = [
    { method: 'HEAD' },
    {},
    { headers: { 'Accept-Encoding': 'br, gzip' } },
    { headers: { Accept: 'text/html,*/*' } },
  ];
  return requests
    .filter(({ next }, index) => next === undefined && index % 5 === 0)
    .map((request, index) => ({ ...request, ...ways[index % ways.length] }));
}
