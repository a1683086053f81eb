/** Lists of `/api/v2`: plugins, a page at a time, and software, both with their latest numbers. */

import { maxId, nameSchema, softwareUrlSchema } from '../../model/catalogue.ts';
import { malformedQuery, matching, maxSearchLength, type Query, textUpTo } from '../../model/parameter.ts';
import type { PluginKey, PluginListRequest, PluginSort } from '../../model/plugin-list.ts';
import {
  type ApiEndpoint,
  apiEndpoint,
  boundedInteger,
  choice,
  parseQuery,
  type QueryParameter,
  yesOrNo,
} from '../api-endpoint.ts';

const sorts: readonly PluginSort[] = ['servers', 'players', 'name', 'id'];

/** Maximum number of ids in a request. */
export const maxIds = 1000;

/** Parses ids; sorts and deduplicates them, so that lists of the same plugins share one cached response. */
export function parseIds(text: string): readonly number[] | undefined {
  const parts = text.trim().split(',');
  const ids = new Set(parts.map(Number));
  const areIds = parts.every((part) => /^\d+$/.test(part) && Number(part) <= maxId);
  return areIds && parts.length <= maxIds ? [...ids].sort((a, b) => a - b) : undefined;
}

/** Makes a parameter for the software of plugins. */
export function softwareParameter(description: string): QueryParameter<string, undefined> {
  return {
    ...matching(softwareUrlSchema),
    description,
    schema: { type: 'string' },
    fallback: undefined,
  };
}

/** Makes a parameter for the owner of plugins. */
export function ownerParameter(description: string): QueryParameter<number, undefined> {
  const allowed = `the id of an owner: decimal digits, at most ${maxId}`;
  return boundedInteger({ min: 0, max: maxId, allowed }, undefined, description);
}

const pageParameters = {
  q: {
    ...textUpTo(maxSearchLength),
    description: 'A part of its name or of the name of its owner, ignoring case.',
    schema: { type: 'string', maxLength: maxSearchLength },
    fallback: '',
  },
  software: softwareParameter('The `url` of its software.'),
  owner: ownerParameter('The id of its owner.'),
  ids: {
    allowed: `up to ${maxIds} ids with commas between, each decimal digits, at most ${maxId}`,
    parse: parseIds,
    description: `Plugins with these ids alone: up to ${maxIds}, with commas between. Unknown ones are left out.`,
    schema: { type: 'string', pattern: '^\\d+(,\\d+)*$' },
    fallback: undefined,
  },
  global: yesOrNo(undefined, '`true` for global plugins, `false` for all others.'),
  sort: choice(sorts, 'servers', 'What to sort by.'),
  order: choice(['asc', 'desc'], undefined, 'By default `desc` for servers and players, otherwise `asc`.'),
  limit: boundedInteger({ min: 1, max: 1000 }, 100, 'The most plugins on the page.'),
  after: {
    allowed: '"next" of the previous page',
    parse: (text: string) => text,
    description: '`next` of the previous page.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    fallback: undefined,
  },
};

/** Endpoint of a page of plugins: searched, filtered, sorted. */
export const pluginList: ApiEndpoint = apiEndpoint({
  path: '/api/v2/plugins',
  operationId: 'listPluginPage',
  summary: 'A page of plugins with their latest numbers',
  description:
    'For the next page, send `next` as `after` with the same parameters; it is null on the last page. Plugins without a value come last, equal ' +
    'ones by ascending id.',
  parameters: pageParameters,
  schema: 'PluginPage',
  source: 'data',
  size: 'small',
  parse: ({ searchParams }) => parsePageQuery(searchParams),
  async load(view, request) {
    const { total, plugins, next } = await view.findPlugins(request);
    const cursor = next === undefined ? null : renderCursor(request.sort, next);
    const rows = plugins.map(({ days: _, changes: __, ...row }) => row);
    return [JSON.stringify({ total, next: cursor, plugins: rows })];
  },
});

/** Endpoint of all software with its plugins and servers. */
export const softwareNow: ApiEndpoint = apiEndpoint({
  path: '/api/v2/software',
  operationId: 'listSoftwareNow',
  summary: 'All software with its plugins and servers',
  description:
    'By ascending id. `plugins` counts all of them, `servers` is the latest point of that chart of the global plugin.',
  schema: 'SoftwareNowList',
  source: 'data',
  size: 'small',
  parse: ({ searchParams }) => parseQuery(searchParams, {}),
  async load(view) {
    const all = await view.listSoftwareNow();
    const list = all.map(({ id, name, url, globalPlugin, pluginCount, globalCount, servers }) => ({
      ...{ id, name, url, globalPlugin },
      plugins: pluginCount + globalCount,
      servers,
    }));
    return [JSON.stringify(list)];
  },
});

/**
 * @throws AppError `invalid` for a parameter that is malformed, repeated or unknown, and for a cursor of
 * another sort order.
 */
function parsePageQuery(query: Query): PluginListRequest {
  const { q, software, owner, ids, global, sort, order, limit, after } = parseQuery(query, pageParameters);
  // Counts descend; ids and names ascend.
  const usualOrder = sort === 'servers' || sort === 'players' ? 'desc' : 'asc';
  return {
    text: q,
    softwareUrl: software,
    ownerId: owner,
    ids,
    isGlobal: global,
    sort,
    descending: (order ?? usualOrder) === 'desc',
    limit,
    after: after === undefined ? undefined : parseCursor(sort, after),
  };
}

/**
 * Renders a cursor: the sort order and the last row of the page, so that plugins added later do not shift the
 * next page.
 */
function renderCursor(sort: PluginSort, { id, value }: PluginKey): string {
  return Buffer.from(JSON.stringify([sort, id, value])).toString('base64url');
}

/** Parses a cursor; accepts only the exact text that {@link renderCursor} makes. */
function parseCursor(sort: PluginSort, text: string): PluginKey {
  const key = decodeCursor(text);
  if (isPlace(sort, key) && renderCursor(sort, key) === text) return key;
  throw malformedQuery('after', `"next" of a page with sort=${sort}`, text);
}

function decodeCursor(text: string): { readonly id?: unknown; readonly value?: unknown } {
  try {
    const [, id, value]: readonly unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString());
    return { id, value };
  } catch {
    // The caller refuses this like any other invalid cursor.
    return {};
  }
}

/**
 * Checks that the columns of the sort order can hold the cursor: PostgreSQL, for example, takes no fraction
 * as an id.
 */
function isPlace(sort: PluginSort, key: ReturnType<typeof decodeCursor>): key is PluginKey {
  const { id, value } = key;
  if (!Number.isSafeInteger(id) || Number(id) < 1) return false;
  if (sort === 'id') return value === id;
  if (sort === 'name') return typeof value === 'string' && matching(nameSchema).parse(value) === value;
  return value === null || Number.isFinite(value);
}
