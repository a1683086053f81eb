/** Counts and sizes as the commands print them. */
import type { CopyCounts } from '../model/copy-records.ts';

/** Renders counts, such as `1 software, 2 plugins, 3 charts, 1,000 points`. */
export function countsText(counts: Readonly<CopyCounts>): string {
  const { software, plugin, chart, point, snapshot, event } = counts;
  return [
    `${grouped(software)} software`,
    counted(plugin, 'plugin'),
    counted(chart, 'chart'),
    counted(point, 'point'),
    ...pastCounts(snapshot, event),
  ].join(', ');
}

/** Renders the counts of times of histories and of events, each only if there are some: `1 snapshot`, `2 events`. */
export function pastCounts(snapshotCount: number, eventCount: number): readonly string[] {
  return [
    ...(snapshotCount > 0 ? [counted(snapshotCount, 'snapshot')] : []),
    ...(eventCount > 0 ? [counted(eventCount, 'event')] : []),
  ];
}

/** Renders a count with its noun: `1 plugin`, `2,000 plugins`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Renders a number with separators, such as `2,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** Renders a size, such as `41 kB` and `12.3 MB`. */
export function sizeText(byteCount: number): string {
  return byteCount < 1e6 ? `${Math.round(byteCount / 1000)} kB` : `${megabytes(byteCount)} MB`;
}

/** Renders a size in MB with one decimal, such as `12.3`. */
export function megabytes(byteCount: number): string {
  return (byteCount / 1e6).toFixed(1);
}
