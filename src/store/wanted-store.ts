/** The state in which a writer wants a store, and the message of a writer that has waited too long. */

/** The state in which a writer wants the store: existing, missing (the writer creates it), or either. */
export type WantedStore = 'any' | 'existing' | 'missing';

/** The message of a writer that has waited too long for another writer. */
export const anotherImport =
  'another import is running and does not end: wait for it, or end it, which leaves the store as it was';
