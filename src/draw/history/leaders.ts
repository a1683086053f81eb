/** Since when a version has been the most used one. */
import { formatDay } from '../format.ts';
import type { HistoryToDraw } from './history-to-draw.ts';

/** A history whose shares may be versions. */
type VersionHistory = Pick<HistoryToDraw, 'title' | 'shares' | 'other' | 'times'>;

/** A share that was the largest from one time on. */
interface Leader {
  readonly name: string;
  readonly since: number;
}

/** The most leaders that are named. */
const maxLeaderCount = 3;

/**
 * Tells of a chart of versions since when each of the newest leaders has been the most used one, with three leaders, two, and one. Nothing
 * of other charts, nor where one of the shares that are gathered might have been the largest.
 */
export function leaderPhrases(history: VersionHistory): readonly string[] {
  if (!/version/i.test(history.title)) return [];
  const leaders = leadersOf(history);
  const newest = leaders?.slice(-maxLeaderCount).toReversed() ?? [];
  const words = newest.map(({ name, since }) =>
    leaders?.length === 1 ? `${name} all the time` : `${name} since ${formatDay(since)}`,
  );
  return words.map((_, index) => `most used: ${words.slice(0, words.length - index).join(', before it ')}`);
}

/** The largest share at each time, where it changes; a time at which nothing was counted changes nothing. Undefined if others may have led. */
function leadersOf({ shares, other, times }: VersionHistory): readonly Leader[] | undefined {
  const leaders: Leader[] = [];
  for (const [index, since] of times.entries()) {
    let name: string | undefined;
    let most = 0;
    for (const share of shares) {
      const value = share.values[index] ?? 0;
      if (value > most) [name, most] = [share.name, value];
    }
    if ((other?.values[index] ?? 0) > most) return undefined;
    if (name !== undefined && name !== leaders.at(-1)?.name) leaders.push({ name, since });
  }
  return leaders;
}
