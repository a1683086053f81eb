/** Since when a version has been the most used one. */
import { formatDay } from '../../../draw/format.ts';
import type { HistoryToDraw } from '../../../draw/history/history-to-draw.ts';

/** A share that was the largest from one time on. */
interface Leader {
  readonly name: string;
  readonly since: number;
}

/** The largest share at each time, where it changes; a time at which nothing was counted changes nothing. */
function leadersOf({ shares, times }: Pick<HistoryToDraw, 'shares' | 'times'>): readonly Leader[] {
  const leaders: Leader[] = [];
  for (const [index, since] of times.entries()) {
    let name: string | undefined;
    let most = 0;
    for (const share of shares) {
      const value = share.values[index] ?? 0;
      if (value > most) [name, most] = [share.name, value];
    }
    if (name !== undefined && name !== leaders.at(-1)?.name) leaders.push({ name, since });
  }
  return leaders;
}

/** Tells of a chart of versions since when each of the newest three leaders has been the most used one; '' for other charts. */
export function leaderWords(history: Pick<HistoryToDraw, 'title' | 'shares' | 'times' | 'step'>): string {
  if (!/version/i.test(history.title)) return '';
  const leaders = leadersOf(history);
  const last = leaders.at(-1);
  if (last === undefined) return '';
  const isWhole = leaders.length === 1;
  const now = `Most used: ${last.name} ${isWhole ? 'all the time' : `since ${formatDay(last.since)}`}`;
  const before = leaders.slice(-3, -1).toReversed();
  return [now, ...before.map(({ name, since }) => `${name} since ${formatDay(since)}`)].join(', before it ');
}
