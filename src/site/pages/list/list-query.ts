/** The query of a list of plugins, and the address of a list. */
import { maxSearchLength } from '../../../http/query-parameter.ts';
import { homePath, withQuery } from '../../address/paths.ts';
import { named, numberField, type StateOf, textField, wordField, write } from '../../state/fields.ts';

/** The columns that a list can be sorted by. */
export const listOrders = ['name', 'servers', 'players', 'change'] as const;

/** A search; blank for all. */
const search = { text: named('q', textField(maxSearchLength)) };

const order = {
  /** Undefined: those with the most servers first; of a search, the best matches. */
  sort: wordField(listOrders, undefined),
  /** Undefined: numbers from the largest on, names from A on. */
  direction: named('dir', wordField(['asc', 'desc'], undefined)),
  page: numberField(1, 999_999_999, 1),
};

/** A list of some plugins. */
export const listFields = { ...search, ...order };

/** The list of all plugins, which may be those of one software. */
export const homeFields = { ...search, softwareUrl: named('software', textField(maxSearchLength)), ...order };

/** The part of a list that is asked for, and its order. */
export interface ListQuery extends StateOf<typeof listFields> {
  readonly softwareUrl: string | undefined;
  readonly ownerId: number | undefined;
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

/** The address of a list. */
export function listPath({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  const { softwareUrl = '' } = query;
  return withQuery(
    path,
    path === homePath ? write(homeFields, { ...query, softwareUrl }) : write(listFields, query),
  );
}
