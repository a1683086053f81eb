/** Histories whose answers cost the most: many long names at many times, and names that are others each time. */
import { firstTime } from './histories.ts';

/** A chart with its history. */
export interface CostlyHistory {
  readonly chartId: string;
  readonly type: 'advanced_pie' | 'drilldown_pie';
  readonly timeCount: number;
  /** Shares at each time. */
  readonly shareCount: number;
  readonly nameLength: number;
  /** Shares in a group; none are grouped unless given. */
  readonly perGroup?: number;
  /** True if no name comes again. */
  readonly hasOtherNames?: true;
}

export const costlyPluginId = 1;

const others = { type: 'advanced_pie', timeCount: 400, shareCount: 500, nameLength: 40 } as const;

export const costlyHistories: readonly CostlyHistory[] = [
  { chartId: 'long', type: 'advanced_pie', timeCount: 657, shareCount: 2000, nameLength: 200 },
  {
    chartId: 'groups',
    type: 'drilldown_pie',
    timeCount: 657,
    shareCount: 2000,
    nameLength: 40,
    perGroup: 10,
  },
  { chartId: 'days', type: 'advanced_pie', timeCount: 2628, shareCount: 2000, nameLength: 40 },
  ...['a', 'b', 'c', 'd', 'e'].map((chartId) => ({ ...others, chartId, hasOtherNames: true as const })),
];

const hourMs = 3_600_000;
const timesPerRecord = 100;

/** The archive. */
export function* costlyHistoryArchive(): Generator<string> {
  let count = 0;
  yield '{"record":"archive","version":2}\n';
  for (const record of records()) {
    count++;
    yield `${JSON.stringify(record)}\n`;
  }
  yield `{"record":"end","records":${count}}\n`;
}

function* records(): Generator<object> {
  const pluginId = costlyPluginId;
  yield { record: 'software', id: 1, name: 'bukkit', url: 'bukkit', globalPluginId: null };
  const owner = { id: 1, name: 'Owner' };
  yield { record: 'plugin', id: pluginId, name: 'Costly', owner, softwareId: 1, isGlobal: false };
  for (const [position, history] of costlyHistories.entries()) {
    const { chartId, type, timeCount, hasOtherNames } = history;
    const chart = { pluginId, chartId, uid: 1 + position, type, position, title: chartId, isDefault: false };
    yield { record: 'chart', ...chart, data: {} };
    const step = hasOtherNames ? 1 : timesPerRecord;
    for (let start = 0; start < timeCount; start += step) {
      const slots = Array.from({ length: Math.min(step, timeCount - start) }, (_, index) => start + index);
      const times = slots.map((slot) => firstTime + slot * hourMs);
      yield { record: 'history', pluginId, chartId, times, series: seriesAt(history, slots) };
    }
  }
}

function seriesAt(history: CostlyHistory, slots: readonly number[]): object[] {
  const { shareCount, nameLength, perGroup, hasOtherNames } = history;
  const nameOf = (index: number) => `${index} `.padEnd(nameLength, 'long name ');
  return Array.from({ length: shareCount }, (_, rank) => ({
    ...(perGroup === undefined ? {} : { group: nameOf(Math.floor(rank / perGroup)) }),
    name: nameOf(hasOtherNames ? shareCount * (slots[0] ?? 0) + rank : rank),
    values: slots.map((slot) => 1 + ((rank * 7919 + slot * 31) % 997)),
  }));
}
