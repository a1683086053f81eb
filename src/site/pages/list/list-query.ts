/** The query of a list of plugins, and the address of a list. */
import type { EndpointRequest } from '../../../http/endpoint.ts';
import { digitsFrom, parseParameter } from '../../../http/query-parameter.ts';
import { homePath, withQuery } from '../../address/paths.ts';
import { parseChoice, parseSearch } from '../../address/query-parameters.ts';

/** The columns that a list can be sorted by. */
export const listOrders = ['name', 'servers', 'players', 'change'] as const;

const directions = ['asc', 'desc'] as const;

/** The last page that may be asked for. */
const maxPage = 999_999_999;

/** The part of a list that is asked for, and its order. */
export interface ListQuery {
  /** Blank for all. */
  readonly text: string;
  readonly softwareUrl: string | undefined;
  readonly ownerId: number | undefined;
  /** Undefined: those with the most servers first; of a search, the best matches. */
  readonly sort: (typeof listOrders)[number] | undefined;
  /** Undefined: numbers from the largest on, names from A on. */
  readonly direction: (typeof directions)[number] | undefined;
  /** From 1 on. */
  readonly page: number;
}

/** A request for a list. */
export interface ListRequest {
  /** The address without the query. */
  readonly path: string;
  readonly query: ListQuery;
  readonly origin: string;
  /** The time of the request, in Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * Parses the query of a list.
 * @throws AppError `invalid` for a parameter that is not allowed.
 */
export function parseListQuery(
  { searchParams }: EndpointRequest,
  subject: Pick<ListQuery, 'softwareUrl' | 'ownerId'>,
): ListQuery {
  return {
    ...subject,
    text: parseSearch(searchParams, 'q'),
    sort: parseChoice(searchParams, 'sort', { words: listOrders, fallback: undefined }),
    direction: parseChoice(searchParams, 'dir', { words: directions, fallback: undefined }),
    page: parseParameter(searchParams, 'page', { parameter: digitsFrom(1, maxPage), fallback: 1 }),
  };
}

/** The address of a list. */
export function listPath({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  const { text, softwareUrl, sort, direction, page } = query;
  return withQuery(path, {
    q: text === '' ? undefined : text,
    software: path === homePath ? softwareUrl : undefined,
    sort,
    dir: direction,
    page: page === 1 ? undefined : String(page),
  });
}
