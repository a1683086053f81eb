/**
 * Histories of shares that behave like versions and countries: a few large counts that drift, and many small
 * ones that come and go.
 */
import { createRandom } from '../../catalogues/random.ts';
import { catalogueRecords, dataRecords, type MadeChart } from '../../catalogues/records.ts';
import { historyMembers, sharesData } from '../../catalogues/shares.ts';

/** Charts of one plugin, named `pie0`, `pie1`, …, all with the same number of shares. */
export interface Histories {
  readonly pluginId: number;
  /** Uid of the first chart. */
  readonly firstUid: number;
  readonly chartCount: number;
  readonly shareCount: number;
  /** Number of hours. */
  readonly timeCount: number;
}

const hourMs = 3_600_000;

/** First time of every history. */
export const firstTime = Date.UTC(2024, 0, 1);

/** Returns the time after the last one. */
export function endOf({ timeCount }: Histories): number {
  return firstTime + timeCount * hourMs;
}

/** Yields the plugin, its charts and their histories as records. The software must exist already. */
export function historyRecords(histories: Histories): Iterable<string> {
  const { pluginId, firstUid, chartCount } = histories;
  const owner = { id: 1, name: 'Owner1' };
  const plugin = { id: pluginId, name: 'Histories', owner, softwareId: 1, isGlobal: false };
  const charts = Array.from({ length: chartCount }, (_, index): MadeChart => {
    const place = { chartId: `pie${index}`, uid: firstUid + index, position: index, isDefault: false };
    return { ...place, type, title: 'Pie', settings: '{}', data: [], history: historyOf(index, histories) };
  });
  return catalogueRecords({ software: [], plugins: [{ plugin, charts }] });
}

function* historyOf(index: number, { shareCount, timeCount }: Histories): Generator<string> {
  const random = createRandom(`history ${index}`);
  const counts = Array.from({ length: shareCount }, (_, rank) =>
    rank < largeCount ? Math.floor(4000 / (rank + 1)) : 0,
  );
  for (let start = 0; start < timeCount; start += timesPerRecord) {
    const times = Array.from(
      { length: Math.min(timesPerRecord, timeCount - start) },
      (_, at) => firstTime + (start + at) * hourMs,
    );
    const columns = counts.map((): number[] => []);
    for (const _ of times)
      for (const [rank, column] of columns.entries()) {
        const draw = random.next();
        const count = counts[rank] ?? 0;
        // A small count falls more often than it rises, so it is 0 most of the time.
        const comes = rank < largeCount ? 0.25 : 0.1 / (count + 1);
        counts[rank] = Math.max(0, count + (draw < comes ? 1 : draw > 0.75 ? -1 : 0));
        column.push(counts[rank] ?? 0);
      }
    yield historyMembers(
      times,
      columns.map((values, rank) => ({ name: shareName(rank), values })),
    );
  }
}

const type = 'simple_pie';

const timesPerRecord = 500;

/** Number of shares that are never 0. */
const largeCount = 5;

/** Yields the data of all charts `hours` after the end of their histories, as records with a time. */
export function* recordsAt(histories: Histories, hours: number): Generator<string> {
  for (let index = 0; index < histories.chartCount; index++) {
    const shares = Array.from({ length: histories.shareCount }, (_, rank) => ({
      name: shareName(rank),
      value: 200 + ((index + rank + hours) % 50),
    }));
    const at = endOf(histories) + hours * hourMs;
    const data = [sharesData(type, shares)];
    yield* dataRecords(histories.pluginId, { chartId: `pie${index}`, data, at });
  }
}

function shareName(rank: number): string {
  return `Version 1.${rank}`;
}
