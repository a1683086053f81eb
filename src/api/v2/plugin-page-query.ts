/** The query of a page of plugins, and the cursors that lead from one page to the next. */
import type { DirectorySort } from '../../directory/directory.ts';
import type { PluginKey, PluginPageRequest } from '../../directory/plugin-page.ts';
import {
  digitsFrom,
  maxSearchLength,
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
  textUpTo,
} from '../../http/query-parameter.ts';
import { maxId } from '../../model/identifier.ts';
import { softwareUrlSchema } from '../../model/software.ts';
import { refuseUnknown } from './known-parameters.ts';

/** The parameters of a query. */
export const pluginPageParameters = [
  'q',
  'software',
  'owner',
  'global',
  'sort',
  'order',
  'limit',
  'after',
] as const;

/** Orders of a page. */
export const pluginSorts: readonly DirectorySort[] = ['servers', 'players', 'name', 'id'];

/** The most plugins on a page, and the number on one if it is left out. */
export const pluginLimits = { max: 1000, default: 100 } as const;

/**
 * Parses the query.
 * @throws AppError `invalid` for a parameter that is not allowed, given twice or not known, and for a cursor of another order.
 */
export function parsePluginPageQuery(query: Query): PluginPageRequest {
  refuseUnknown(query, pluginPageParameters);
  const parse = <Value, Fallback>(name: string, parameter: Parameter<Value>, fallback: Fallback) =>
    parseParameter<Value | Fallback>(query, name, { parameter, fallback });
  const sort = parse('sort', oneOf(pluginSorts), 'servers');
  const order = parse('order', oneOf(['asc', 'desc']), defaultOrder(sort));
  const isGlobal = parse('global', oneOf(['true', 'false']), undefined);
  return {
    part: parse('q', textUpTo(maxSearchLength), ''),
    softwareUrl: parse('software', softwareUrl, undefined),
    ownerId: parse('owner', ownerId, undefined),
    isGlobal: isGlobal === undefined ? undefined : isGlobal === 'true',
    sort,
    descending: order === 'desc',
    limit: parse('limit', digitsFrom(1, pluginLimits.max), pluginLimits.default),
    after: parse('after', cursorOf(sort), undefined),
  };
}

/** Renders the shortest query that means the same, which is the key of the answer. */
export function pluginPageQueryText(request: PluginPageRequest): string {
  const { part, softwareUrl: software, ownerId: owner, isGlobal, sort, descending, limit, after } = request;
  const text = new URLSearchParams();
  if (part !== '') text.set('q', part);
  if (software !== undefined) text.set('software', software);
  if (owner !== undefined) text.set('owner', String(owner));
  if (isGlobal !== undefined) text.set('global', String(isGlobal));
  if (sort !== 'servers') text.set('sort', sort);
  const order = descending ? 'desc' : 'asc';
  if (order !== defaultOrder(sort)) text.set('order', order);
  if (limit !== pluginLimits.default) text.set('limit', String(limit));
  if (after !== undefined) text.set('after', renderCursor(sort, after));
  return String(text);
}

/** Numbers descend; ids and names ascend. */
function defaultOrder(sort: DirectorySort): 'asc' | 'desc' {
  return sort === 'servers' || sort === 'players' ? 'desc' : 'asc';
}

const softwareUrlPattern = new RegExp(softwareUrlSchema.pattern);

const softwareUrl: Parameter<string> = {
  allowed: 'the url of a software, such as bukkit',
  parse: (text) => (softwareUrlPattern.test(text) ? text : undefined),
};

const ownerId: Parameter<number> = {
  allowed: `the id of an owner: decimal digits, at most ${maxId}`,
  parse: (text) => (/^[0-9]{1,16}$/.test(text) && Number(text) <= maxId ? Number(text) : undefined),
};

/** Renders a cursor: the order and the last row of a page, so that a page begins at the right place whatever was added since. */
export function renderCursor(sort: DirectorySort, { id, value }: PluginKey): string {
  return Buffer.from(JSON.stringify([sort, id, value])).toString('base64url');
}

function cursorOf(sort: DirectorySort): Parameter<PluginKey> {
  return {
    allowed: `"next" of a page with sort=${sort}`,
    parse: (text) => {
      const key = /^[A-Za-z0-9_-]{1,1200}$/.test(text) ? parseCursor(text) : undefined;
      return key?.sort === sort ? { id: key.id, value: key.value } : undefined;
    },
  };
}

function parseCursor(text: string): (PluginKey & { readonly sort: unknown }) | undefined {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(key) || key.length !== 3) return undefined;
    const [sort, id, value]: readonly unknown[] = key;
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
    const hasValue =
      sort === 'name' ? typeof value === 'string' : value === null || typeof value === 'number';
    return hasValue ? { sort, id, value: value as PluginKey['value'] } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
