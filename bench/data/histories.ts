/** Histories of shares as archives: counts that drift like those of versions or countries. */
import { createRandom } from './random.ts';

/** Charts of one plugin with the same number of shares. */
export interface Histories {
  /** Name of the files that contain them. */
  readonly name: string;
  readonly chartCount: number;
  readonly shareCount: number;
  /** Number of hours. */
  readonly timeCount: number;
}

const hourMs = 3_600_000;
const firstTime = Date.UTC(2024, 0, 1);

/** The time after the last one. */
export function endOf({ timeCount }: Histories): number {
  return firstTime + timeCount * hourMs;
}

/**
 * Bits of a count that cannot be predicted from the one before: it stays in half of the hours, and goes one up or down in a quarter each, as
 * {@link historiesArchive} makes them.
 */
export const entropyBitsPerCount = 1.5;

/** The plugin with charts `pie0`, `pie1`, … and their histories. */
export function* historiesArchive({ chartCount, shareCount, timeCount }: Histories): Generator<string> {
  yield '{"record":"archive","version":2}\n{"record":"software","id":1,"name":"Bukkit","url":"bukkit","globalPluginId":null}\n';
  yield '{"record":"plugin","id":1,"name":"Plugin","owner":{"id":1,"name":"Owner"},"softwareId":1,"isGlobal":false}\n';
  let recordCount = 2;
  for (let index = 0; index < chartCount; index++) {
    const name = `"pluginId":1,"chartId":"pie${index}"`;
    yield `{"record":"chart",${name},"uid":${index + 1},"type":"simple_pie","position":${index},"title":"Pie","isDefault":false,"data":{}}\n`;
    recordCount++;
    const random = createRandom(index + 1);
    const counts = Array.from({ length: shareCount }, (_, rank) => 200 + Math.floor(4000 / (rank + 1)));
    for (let start = 0; start < timeCount; start += timesPerRecord) {
      const times = Array.from(
        { length: Math.min(timesPerRecord, timeCount - start) },
        (_, at) => firstTime + (start + at) * hourMs,
      );
      const columns = counts.map((): number[] => []);
      for (const _ of times)
        for (const [rank, column] of columns.entries()) {
          const draw = random.next();
          counts[rank] = Math.max(1, (counts[rank] ?? 0) + (draw < 0.25 ? -1 : draw < 0.5 ? 1 : 0));
          column.push(counts[rank] ?? 0);
        }
      const series = columns.map((values, rank) => ({ name: `Version 1.${rank}`, values }));
      yield `{"record":"history",${name},"times":${JSON.stringify(times)},"series":${JSON.stringify(series)}}\n`;
      recordCount++;
    }
  }
  yield `{"record":"end","records":${recordCount}}\n`;
}

const timesPerRecord = 500;

/** One more hour of every chart, as data with a time. */
export function* nextHour({ chartCount, shareCount, timeCount }: Histories): Generator<string> {
  yield '{"record":"archive","version":2}\n';
  for (let index = 0; index < chartCount; index++) {
    const data = Array.from({ length: shareCount }, (_, rank) => ({
      name: `Version 1.${rank}`,
      y: 200 + ((index + rank) % 50),
    }));
    yield `{"record":"data","pluginId":1,"chartId":"pie${index}","data":${JSON.stringify(data)},"at":${firstTime + timeCount * hourMs}}\n`;
  }
  yield `{"record":"end","records":${chartCount}}\n`;
}
