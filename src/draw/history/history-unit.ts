/** The units of a history: percent of the sum at each time, or values as they are. */
export const historyUnits = ['percent', 'count'] as const;

/** One of {@link historyUnits}. */
export type HistoryUnit = (typeof historyUnits)[number];
