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
 * Tells of a chart of versions since when each of the newest leaders has been the most used one, with three leaders, two, and one. The first
 * one has led for longer than the history tells. Nothing of other charts, nor of times at which a share that is gathered may have led.
 */
export function leaderPhrases(history: VersionHistory): readonly string[] {
  if (!/version/i.test(history.title)) return [];
  const { leaders, isWhole } = leadersOf(history);
  if (leaders.length === 1 && !isWhole) return [];
  const words = leaders.map(({ name, since }, rank) => {
    if (rank > 0) return `${name} since ${formatDay(since)}`;
    return leaders.length === 1 ? `${name} all the time` : name;
  });
  const newest = words.slice(-maxLeaderCount).toReversed();
  return newest.map(
    (_, index) => `most used: ${newest.slice(0, newest.length - index).join(', before it ')}`,
  );
}

/** The largest share at each time, where it changes, after the last time at which others may have led; nothing counted changes nothing. */
function leadersOf({ shares, other, times }: VersionHistory): {
  readonly leaders: readonly Leader[];
  /** False if others may have led at a time. */
  readonly isWhole: boolean;
} {
  const leaders: Leader[] = [];
  let isWhole = true;
  for (const [index, since] of times.entries()) {
    let name: string | undefined;
    let most = 0;
    for (const share of shares) {
      const value = share.values[index] ?? 0;
      if (value > most) [name, most] = [share.name, value];
    }
    if ((other?.values[index] ?? 0) > most) {
      isWhole = false;
      leaders.length = 0;
    } else if (name !== undefined && name !== leaders.at(-1)?.name) leaders.push({ name, since });
  }
  return { leaders, isWhole };
}
