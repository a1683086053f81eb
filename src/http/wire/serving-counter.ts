/**
 * What this process has answered, as plain numbers: counting must cost nothing. Like CPU time it belongs to the
 * process, so that errors can be counted where no server is at hand, on a bare socket.
 */
import type { AnswerOrigin } from '../../model/serving-counts.ts';

// By status; an array of numbers is quicker to add to than an object.
const requestCounts = new Float64Array(600);

/** Numbers that only grow. */
export const tally: { bodyBytes: number; storeChangeCount: number } & Record<AnswerOrigin, number> = {
  bodyBytes: 0,
  storeChangeCount: 0,
  remembered: 0,
  shared: 0,
  read: 0,
};

/** Counts a request that has been answered. */
export function countRequest(status: number): void {
  requestCounts[status] = (requestCounts[status] ?? 0) + 1;
}

/** Shown from the start, so that the first of its kind is seen as a change. */
const usualStatuses: readonly number[] = [200, 304, 400, 404, 500, 503];

/** How many requests were answered with each status that is usual or has occurred. */
export function countsByStatus(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [status, count] of requestCounts.entries())
    if (count > 0 || usualStatuses.includes(status)) counts[status] = count;
  return counts;
}
