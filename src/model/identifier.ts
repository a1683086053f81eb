/** The schemas that several nouns share: ids, names, and the largest of each. */

/** The largest id: 2^53-1, the largest integer that every JSON reader keeps exact. */
export const maxId = Number.MAX_SAFE_INTEGER;

/** Ids of software, plugins and owners, and chart uids. */
export const idSchema = {
  type: 'integer',
  minimum: 1,
  maximum: maxId,
  description: 'an integer from 1 to 9007199254740991',
} as const;

/** Names and titles. The pattern counts code points and leaves out control characters and lone surrogates. */
export const nameSchema = {
  type: 'string',
  pattern: '^[^\\p{Cc}\\p{Cs}]{1,200}$',
  description: 'a string of 1 to 200 characters without control characters',
} as const;

/** A yes or no. */
export const booleanSchema = { type: 'boolean', description: 'true or false' } as const;
