/**
 * Values of the parameters of queries: allowed ones and others, by the schema and the name of a parameter.
 */
import type { Random } from '../../catalogues/random.ts';
import { type Catalogue, type Chart, lineType } from '../catalogue.ts';
import type { Parameter, Route } from './routes.ts';

/** A schema of OpenAPI. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
}

/** Queries of one parameter, of which another query has at most one. */
export interface Pieces {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const words = (text: string): Schema => ({ enum: text.split(' ') });
const numbers = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });
const line = (maxLength: number): Schema => ({ type: 'string', maxLength });

/**
 * The parameters of the site, by the paths that have them. No document lists them, as the API has its own.
 */
const siteParameters: readonly (readonly [paths: RegExp, parameters: Readonly<Record<string, Schema>>])[] = [
  [
    /^\/(?:embed|signatures)\//,
    {
      theme: words('light dark auto transparent'),
      width: numbers(200, 1600),
      height: numbers(100, 1000),
      title: line(200),
      scale: numbers(1, 3),
    },
  ],
  [
    /^\/badge\//,
    { style: words('flat flat-square plastic for-the-badge'), color: line(30), label: line(100) },
  ],
  [
    /^\/(?:(?:embed|signatures|plugin|global)\/|compare$)/,
    {
      range: words('1d 7d 30d 90d 1y all'),
      from: {},
      to: {},
      previous: words('true false'),
      axis: words('linear whole log'),
    },
  ],
  [
    /^\/(?:embed|plugin)\/\{/,
    {
      view: words('now history lines'),
      unit: words('percent count'),
      group: words('minor none'),
      hide: {},
      only: {},
      bom: words('true false'),
      atLeast: words('1.20 1.21.4 21'),
    },
  ],
  [/^\/(?:compare|embed\/lines|badge\/sum)\b/, { charts: {}, mode: words('absolute indexed sum'), hide: {} }],
  [/^\/compare$/, { add: line(200) }],
  [
    /^\/(?:software\/.*|owner\/.*)?$/,
    {
      q: line(200),
      sort: words('name servers players change'),
      dir: words('asc desc'),
      page: numbers(1, 999_999_999),
      software: {},
    },
  ],
];

/** The parameters of a path of the site. */
export function parametersOfSite(path: string): readonly Parameter[] {
  return siteParameters
    .filter(([paths]) => paths.test(path))
    .flatMap(([, parameters]) => Object.entries(parameters))
    .map(([name, schema]) => ({ name, schema }));
}

/**
 * The queries of each parameter. A window is one: `range`, or `from` and `to`, of which the site takes none
 * alone.
 */
export function dimensionsOf(
  { path, parameters }: Route,
  catalogue: Catalogue,
  chart?: Chart,
): readonly Pieces[] {
  const isOfWindow = ({ name }: Parameter) => /^(?:range|from|to)$/.test(name);
  const others = parameters.filter((one) => !isOfWindow(one));
  const dimensions = others.map((parameter) => piecesOf(parameter, catalogue, chart));
  if (others.length === parameters.length) return dimensions;
  const single = parameters.filter(isOfWindow).map((parameter) => piecesOf(parameter, catalogue));
  const isAllowed = (piece: string) => path.startsWith('/api/') || piece.startsWith('range=');
  const good = single.flatMap((pieces) => pieces.good);
  const bad = [...good.filter((piece) => !isAllowed(piece)), ...single.flatMap((pieces) => pieces.bad)];
  const windows = times.good.slice(1).map((to, index) => `from=${times.good[index]}&to=${to}`);
  return [...dimensions, { good: [...good.filter(isAllowed), ...windows], bad }];
}

/** The queries of a parameter; some name the chart, or others of the catalogue. */
export function piecesOf({ name, schema }: Parameter, catalogue: Catalogue, chart?: Chart): Pieces {
  const { good, bad } = namedValues(catalogue, chart)[name] ?? valuesOf(schema);
  const [one = ''] = good;
  return {
    good: [...good, ''].map((value) => `${name}=${value}`),
    bad: [...bad, `${one}&${name}=${one}`].map((value) => `${name}=${value}`),
  };
}

function valuesOf({
  type,
  enum: list,
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
  maxLength = 0,
  ...rest
}: Schema): Pieces {
  if (list !== undefined) return { good: list.map(String), bad: [`${list[0]}`.toUpperCase(), 'nope'] };
  if (type === 'boolean') return { good: ['true', 'false'], bad: ['1', 'TRUE'] };
  if (type !== 'integer')
    return { good: texts, bad: ['%00', '%ff', '%zz', 'a%0Ab', 'x'.repeat(maxLength + 1)] };
  const usual = Number(rest.default ?? minimum);
  const whole = [minimum, minimum + 1, minimum + 133, 511, 513, usual - 1, usual, usual + 1, maximum, 10_000];
  const isAllowed = (value: number) => value >= minimum && value <= maximum;
  return {
    good: [...new Set(whole.filter(isAllowed).map(String)), '007', '%31'],
    bad: [String(minimum - 1), String(maximum + 1), 'x', '1.5', '1e3', '+5', '%20', '%D9%A3', '9'.repeat(40)],
  };
}

/** Texts for titles, labels, colours and searches. */
const texts = [
  'e',
  'Short',
  'red',
  '%23fff',
  'A1B2C3',
  'exmaple',
  '%20%20',
  '%22%3E%3Cscript%3E',
  '%F0%9F%98%80%D7%A2',
  'wide%20'.repeat(13),
];

const times: Pieces = {
  good: [
    '0',
    '2019-01-01',
    '2026-05-03T10:00:00%2B02:00',
    '1780000000000',
    '2026-06-01',
    '2026-06-08',
    '2026-06-29T12:30Z',
    '2026-06-30T23:30:00Z',
    '2030-01-01',
    '9999-12-31',
    '2026-06-15',
  ],
  bad: ['soon', '-1', '1.5', '2026-02-30', '10000-01-01', '253402300800000', '2026-06-01T25:00Z', '%00'],
};

/** Values of parameters that name something in the catalogue, or a time. */
function namedValues(
  { plugins, charts, softwareUrls }: Catalogue,
  chart: Chart | undefined,
): Readonly<Record<string, Pieces>> {
  const shares = chart?.shareNames ?? [];
  const hidden = [...shares, ...shares.map((name) => `${chart?.chartId}:${name}`)].map((name) =>
    encodeURIComponent(name.toWellFormed()),
  );
  const shown = { good: [...hidden, 'nothing'], bad: ['x'.repeat(201)] };
  const names = plugins.slice(0, 12).flatMap(({ name, owner }) => [name.slice(0, 3), owner.name.slice(1, 5)]);
  return {
    charts: chartLists(charts),
    hide: shown,
    only: shown,
    from: times,
    to: times,
    since: times,
    q: {
      good: [...names.map((name) => encodeURIComponent(name.toWellFormed())), ...texts],
      bad: ['%00', '%ff', 'x'.repeat(201)],
    },
    software: { good: softwareUrls, bad: ['A', 'a%20b', '%00'] },
    owner: { good: plugins.slice(0, 6).map(({ owner }) => String(owner.id)), bad: ['x', '-1'] },
    after: { good: [], bad: ['x', '!', 'W10', 'A'.repeat(1201)] },
  };
}

/** Lists of charts: one of each type, lines together, all of a plugin, and lists that are refused. */
function chartLists(charts: readonly Chart[]): Pieces {
  const listOf = (some: readonly Chart[]) =>
    some.map(({ pluginId, chartId }) => `${pluginId}:${chartId}`).join();
  const lines = charts.filter(({ type }) => type === lineType);
  const firsts = [...Map.groupBy(charts, ({ type }) => type).values()].map((some) => some.slice(0, 1));
  const plugins = [...Map.groupBy(charts, ({ pluginId }) => pluginId).values()];
  const one = listOf(lines.slice(0, 1));
  return {
    good: [
      listOf(lines.slice(0, 3)),
      ...firsts.map(listOf),
      ...[2, 4, 8].map((count) => listOf(lines.slice(count, 2 * count))),
      listOf(lines.slice(5, 15)),
      ...plugins.slice(0, 4).map(listOf),
    ],
    bad: [
      `${one},${one}`,
      `${one},`,
      `${one},424242:players`,
      listOf(lines.slice(0, 11)),
      Array.from({ length: 51 }, (_, index) => `1:c${index}`).join(),
      '1',
      'x:y',
      '1:__proto__',
      '1:a%20b',
      '9007199254740992:a',
      'x'.repeat(7000),
    ],
  };
}

/** One query for each piece. */
export function eachPiece(dimensions: readonly Pieces[]): readonly string[] {
  return dimensions.flatMap(({ good, bad }) => [...good, ...bad]);
}

/** A query of several pieces; one in twelve has a piece that is not allowed. */
export function mixedPieces(random: Random, dimensions: readonly Pieces[]): string {
  const badAt = random.below(12 * dimensions.length);
  return dimensions
    .flatMap(({ good, bad }, index) => {
      if (index === badAt) return pick(random, bad);
      return random.next() < 0.4 ? pick(random, good) : [];
    })
    .join('&');
}

function pick<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  const index = random.below(items.length);
  return items.slice(index, index + 1);
}
