/** The store that a writer wants, and the wait for another writer. */

/** The store that a writer wants: an existing one, a missing one, which it makes, or either. */
export type WantedStore = 'any' | 'existing' | 'missing';

/** The end of the wait for another writer, and what to do. */
export const anotherImport =
  'another import is running and does not end: wait for it, or end it, which leaves the store as it was';
