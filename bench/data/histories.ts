/** Histories of shares, as versions and countries have them: a few large counts that drift, and many small ones that come and go. */
import { createRandom } from './random.ts';

/** Charts of one plugin, named `pie0`, `pie1`, …, with the same number of shares. */
export interface Histories {
  readonly pluginId: number;
  /** The uid of the first chart. */
  readonly firstUid: number;
  readonly chartCount: number;
  readonly shareCount: number;
  /** Number of hours. */
  readonly timeCount: number;
}

const hourMs = 3_600_000;

/** The first time of every history. */
export const firstTime = Date.UTC(2024, 0, 1);

/** The time after the last one. */
export function endOf({ timeCount }: Histories): number {
  return firstTime + timeCount * hourMs;
}

/** The plugin with its charts and their histories, as records of an archive. Its software must be there. */
export function* historyRecords(histories: Histories): Generator<string> {
  const { pluginId, firstUid, chartCount, shareCount, timeCount } = histories;
  yield `{"record":"plugin","id":${pluginId},"name":"Histories","owner":{"id":1,"name":"Owner1"},"softwareId":1,"isGlobal":false}`;
  for (let index = 0; index < chartCount; index++) {
    const name = `"pluginId":${pluginId},"chartId":"pie${index}"`;
    yield `{"record":"chart",${name},"uid":${firstUid + index},"type":"simple_pie","position":${index},"title":"Pie","isDefault":false,"data":{}}`;
    const random = createRandom(index + 1);
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
          // A small count goes as often as it comes, and is 0 most of the time.
          const comes = rank < largeCount ? 0.25 : 0.1 / (count + 1);
          counts[rank] = Math.max(0, count + (draw < comes ? 1 : draw > 0.75 ? -1 : 0));
          column.push(counts[rank] ?? 0);
        }
      const series = columns.map((values, rank) => ({ name: shareName(rank), values }));
      yield `{"record":"history",${name},"times":${JSON.stringify(times)},"series":${JSON.stringify(series)}}`;
    }
  }
}

const timesPerRecord = 500;

/** Shares that are never 0. */
const largeCount = 5;

/** One more moment of every chart, so many hours after the last one, as records with a time. */
export function* momentRecords(histories: Histories, hours: number): Generator<string> {
  for (let index = 0; index < histories.chartCount; index++) {
    const data = Array.from({ length: histories.shareCount }, (_, rank) => ({
      name: shareName(rank),
      y: 200 + ((index + rank + hours) % 50),
    }));
    const at = endOf(histories) + hours * hourMs;
    yield `{"record":"data","pluginId":${histories.pluginId},"chartId":"pie${index}","data":${JSON.stringify(data)},"at":${at}}`;
  }
}

function shareName(rank: number): string {
  return `Version 1.${rank}`;
}
