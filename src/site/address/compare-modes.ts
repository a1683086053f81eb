/** The modes of comparisons, in addresses of pages and pictures. */

/** Modes of a comparison: values, indices (100 at the first point of each line), or one line that is the sum. */
export const compareModes = ['absolute', 'indexed', 'sum'] as const;

/** One of {@link compareModes}. */
export type CompareMode = (typeof compareModes)[number];
