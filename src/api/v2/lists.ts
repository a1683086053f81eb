/** The lists of the second interface: plugins, a page at a time, and software, both with their latest numbers. */
import type { Directories } from '../../directory/directories.ts';
import type { DirectorySort } from '../../directory/directory.ts';
import { findPluginPage, type PluginKey, type PluginPageRequest } from '../../directory/plugin-page.ts';
import {
  malformedQuery,
  matching,
  maxSearchLength,
  type Query,
  textUpTo,
} from '../../http/query-parameter.ts';
import { maxId } from '../../model/identifier.ts';
import { softwareUrlSchema } from '../../model/software.ts';
import {
  type ApiEndpoint,
  apiEndpoint,
  boundedInteger,
  choice,
  parseQuery,
  yesOrNo,
} from '../api-endpoint.ts';

const sorts: readonly DirectorySort[] = ['servers', 'players', 'name', 'id'];

const pageParameters = {
  q: {
    ...textUpTo(maxSearchLength),
    description: "A part of its name or its owner's, without regard to case.",
    schema: { type: 'string', maxLength: maxSearchLength },
    fallback: '',
  },
  software: {
    ...matching(softwareUrlSchema),
    description: 'The `url` of its software.',
    schema: { type: 'string' },
    fallback: undefined,
  },
  owner: boundedInteger(
    { min: 0, max: maxId, allowed: `the id of an owner: decimal digits, at most ${maxId}` },
    undefined,
    'The id of its owner.',
  ),
  global: yesOrNo(undefined, '`true` for global plugins, `false` for all others.'),
  sort: choice(sorts, 'servers', 'What to sort by.'),
  order: choice(['asc', 'desc'], undefined, 'Left out, `desc` for servers and players, otherwise `asc`.'),
  limit: boundedInteger({ min: 1, max: 1000 }, 100, 'The most plugins on the page.'),
  after: {
    allowed: '"next" of a page before',
    parse: (text: string) => text,
    description: '`next` of the page before.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    fallback: undefined,
  },
};

/** The endpoint of a page of plugins: searched, filtered, sorted. */
export function pluginListEndpoint(directories: Directories): ApiEndpoint {
  return apiEndpoint({
    path: '/api/v2/plugins',
    operationId: 'listPluginPage',
    summary: 'A page of plugins with their latest numbers',
    description:
      '`next` is to be given as `after`, with the same parameters, for the next page; null on the last. Plugins without a value come last, equal ' +
      'ones by ascending id.',
    parameters: pageParameters,
    schema: 'PluginPage',
    source: 'data',
    size: 'small',
    parse: ({ searchParams }) => parsePageQuery(searchParams),
    async *render(view, page) {
      const { total, rows, next } = await findPluginPage(await directories.load(view), page);
      const cursor = next === undefined ? null : renderCursor(page.sort, next);
      yield JSON.stringify({ total, next: cursor, plugins: rows });
    },
  });
}

/** The endpoint of all software. */
export function softwareNowEndpoint(directories: Directories): ApiEndpoint {
  return apiEndpoint({
    path: '/api/v2/software',
    operationId: 'listSoftwareNow',
    summary: 'All software with its plugins and servers',
    description:
      'By ascending id. `plugins` counts all of them, `servers` is the latest point of that chart of the global plugin.',
    schema: 'SoftwareNowList',
    source: 'data',
    size: 'small',
    parse: ({ searchParams }) => parseQuery(searchParams, {}),
    async *render(view) {
      const allSoftware = await view.listSoftware();
      const directory = await directories.load(view);
      const { catalogue } = directory;
      const list = allSoftware.map((software) => {
        const position = catalogue.positionOf(software.globalPlugin?.id ?? 0);
        const servers = position === undefined ? undefined : directory.latest('servers', position);
        return { ...software, plugins: catalogue.countPlugins(software.id), servers: servers ?? null };
      });
      yield JSON.stringify(list);
    },
  });
}

/** @throws AppError `invalid` for a parameter that is not allowed, given twice or not known, and for a cursor of another order. */
function parsePageQuery(query: Query): PluginPageRequest {
  const { q, software, owner, global, sort, order, limit, after } = parseQuery(query, pageParameters);
  // Numbers descend; ids and names ascend.
  const usualOrder = sort === 'servers' || sort === 'players' ? 'desc' : 'asc';
  return {
    part: q,
    softwareUrl: software,
    ownerId: owner,
    isGlobal: global,
    sort,
    descending: (order ?? usualOrder) === 'desc',
    limit,
    after: after === undefined ? undefined : parseCursor(sort, after),
  };
}

/** Renders a cursor: the order and the last row of a page, so that a page begins at the right place whatever was added since. */
function renderCursor(sort: DirectorySort, { id, value }: PluginKey): string {
  return Buffer.from(JSON.stringify([sort, id, value])).toString('base64url');
}

function parseCursor(sort: DirectorySort, text: string): PluginKey {
  const [itsSort, id, value] = decodeCursor(text);
  const hasValue = sort === 'name' ? typeof value === 'string' : value === null || typeof value === 'number';
  if (itsSort === sort && Number.isSafeInteger(id) && hasValue) return { id, value } as PluginKey;
  throw malformedQuery('after', `"next" of a page with sort=${sort}`, text);
}

/** Decodes the three members of a cursor; none if it is not JSON. */
function decodeCursor(text: string): readonly unknown[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(key) ? key : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
