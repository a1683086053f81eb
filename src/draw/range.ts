/** The ranges of time that a picture of a line can show, counted back from the newest point of the chart (CONTRACT 5). */

const days = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Number.POSITIVE_INFINITY } as const;

/** The name of a range. */
export type Range = keyof typeof days;

/** The names of the ranges, the shortest first. */
export const rangeNames: readonly Range[] = ['1d', '7d', '30d', '90d', '1y', 'all'];

/** Whether a text names a range. */
export function isRange(text: string): text is Range {
  return Object.hasOwn(days, text);
}

/** The length of a range in milliseconds; infinite for `all`. */
export function rangeMs(range: Range): number {
  return days[range] * 24 * 60 * 60 * 1000;
}

/** A range in a sentence: `in the last 30 days`. */
export function rangeWords(range: Range): string {
  return words[range];
}

const words: Readonly<Record<Range, string>> = {
  '1d': 'in the last day',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
  '90d': 'in the last 90 days',
  '1y': 'in the last year',
  all: 'in its whole history',
};
