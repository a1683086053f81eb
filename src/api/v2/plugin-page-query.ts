/** The query of a page of plugins, and the cursors that lead from one page to the next. */
import type { DirectorySort } from '../../directory/directory.ts';
import type { PluginKey, PluginPageRequest } from '../../directory/plugin-page.ts';
import { malformedQuery, maxSearchLength, type Query, textUpTo } from '../../http/query-parameter.ts';
import { maxId } from '../../model/identifier.ts';
import { softwareUrlSchema } from '../../model/software.ts';
import { boundedInteger, choice, parseQuery, yesOrNo } from '../query.ts';

const sorts: readonly DirectorySort[] = ['servers', 'players', 'name', 'id'];

const softwareUrlPattern = new RegExp(softwareUrlSchema.pattern);

/** The parameters. */
export const pluginPageParameters = {
  q: {
    ...textUpTo(maxSearchLength),
    description: "A part of the name of the plugin or of its owner's, without regard to case.",
    schema: { type: 'string', maxLength: maxSearchLength },
    fallback: '',
  },
  software: {
    allowed: 'the url of a software, such as bukkit',
    parse: (text: string) => (softwareUrlPattern.test(text) ? text : undefined),
    description: 'Only plugins of the software with this `url`.',
    schema: { type: 'string' },
    fallback: undefined,
  },
  owner: boundedInteger(
    { min: 0, max: maxId, allowed: `the id of an owner: decimal digits, at most ${maxId}` },
    undefined,
    'Only plugins of the owner with this id.',
  ),
  global: yesOrNo(undefined, '`true` for global plugins alone, `false` for all others; left out, both.'),
  sort: choice(sorts, 'servers', 'What to sort by.'),
  order: choice(
    ['asc', 'desc'],
    undefined,
    'Left out, `desc` for numbers of servers and players, `asc` for names and ids.',
  ),
  limit: boundedInteger({ min: 1, max: 1000 }, 100, 'The most plugins on the page.'),
  after: {
    allowed: '"next" of a page before',
    parse: (text: string) => text,
    description: '`next` of the page before.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    fallback: undefined,
  },
};

/**
 * Parses the query.
 * @throws AppError `invalid` for a parameter that is not allowed, given twice or not known, and for a cursor of another order.
 */
export function parsePluginPageQuery(query: Query): PluginPageRequest {
  const { q, software, owner, global, sort, order, limit, after } = parseQuery(query, pluginPageParameters);
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
export function renderCursor(sort: DirectorySort, { id, value }: PluginKey): string {
  return Buffer.from(JSON.stringify([sort, id, value])).toString('base64url');
}

function parseCursor(sort: DirectorySort, text: string): PluginKey {
  const key = /^[A-Za-z0-9_-]{1,1200}$/.test(text) ? parseJson(text) : undefined;
  if (Array.isArray(key) && key.length === 3) {
    const [itsSort, id, value]: readonly unknown[] = key;
    const hasValue =
      sort === 'name' ? typeof value === 'string' : value === null || typeof value === 'number';
    if (itsSort === sort && typeof id === 'number' && Number.isSafeInteger(id) && hasValue)
      return { id, value: value as PluginKey['value'] };
  }
  throw malformedQuery('after', `"next" of a page with sort=${sort}`, text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
