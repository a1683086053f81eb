/** The query of a list of plugins, and the address of a list. */
import { maxSearchLength } from '../../../http/query-parameter.ts';
import { homePath, ownerPath, softwarePath, withQuery } from '../../address/paths.ts';
import { named, numberField, type StateOf, textField, wordField, write } from '../../state/fields.ts';

/** The columns that a list can be sorted by. */
export const listOrders = ['name', 'servers', 'players', 'change'] as const;

/** The parameters of a list. */
export const listFields = {
  /** A search; blank for all. */
  text: named('q', textField(maxSearchLength)),
  /** Undefined: those with the most servers first; of a search, the best matches. */
  sort: wordField(listOrders, undefined),
  /** Undefined: numbers from the largest on, names from A on. */
  direction: named('dir', wordField(['asc', 'desc'], undefined)),
  page: numberField(1, 999_999_999, 1),
};

/** A list of all plugins, of those of a software or of those of an owner: the part that is asked for, and its order. */
export interface ListQuery extends StateOf<typeof listFields> {
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
}

/** The address of a list. */
export function listAddress(query: ListQuery): string {
  return withQuery(listPath(query), write(listFields, query));
}

/** The address of a whole list. */
export function listPath({ softwareUrl, ownerId }: Pick<ListQuery, 'softwareUrl' | 'ownerId'>): string {
  if (ownerId !== undefined) return ownerPath(ownerId);
  return softwareUrl === undefined ? homePath : softwarePath(encodeURIComponent(softwareUrl));
}
