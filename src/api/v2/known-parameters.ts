/** The rule of the second interface for query parameters: one that is not known is refused, because it is most likely a mistake. */
import type { Query } from '../../http/query-parameter.ts';
import { AppError, quote } from '../../model/app-error.ts';

/** @throws AppError `invalid` for a parameter with another name. */
export function refuseUnknown(query: Query, names: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = names.length === 0 ? 'this path has none' : `it has ${names.join(', ')}`;
  throw new AppError('invalid', `there is no parameter ${quote(unknown)}: ${known}`, {
    kind: 'malformed-query',
  });
}
