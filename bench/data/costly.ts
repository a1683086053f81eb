/** A store whose charts are far more expensive to show than to keep, as one hostile archive can make it. */
import { archive } from './archive.ts';

const maxBytes = 1024 * 1024;

/** A plugin of each kind, by id. */
export const costly = {
  bars: 1,
  drilldown: 2,
  pie: 3,
  map: 4,
  unknown: 5,
  manyCharts: 6,
  largeSettings: 7,
  longLine: 8,
  small: 9,
} as const;

/** The size of each attack. */
export interface CostlyCounts {
  readonly charts: number;
  readonly largeSettings: number;
  readonly lineDays: number;
  /** Plugins with the same name, on another software than the requested one. */
  readonly namesakes: number;
}

/** As many as an attack would have. */
export const attackCounts: CostlyCounts = {
  charts: 50_000,
  largeSettings: 100,
  lineDays: 3650,
  namesakes: 200_000,
};

const firstNamesake = 1000;

/** The archive. */
export function costlyArchive(counts: CostlyCounts = attackCounts): Iterable<string> {
  return archive(costlyRecords(counts));
}

function* costlyRecords(counts: CostlyCounts): Generator<string> {
  for (const [index, url] of ['bukkit', 'fabric'].entries())
    yield JSON.stringify({ record: 'software', id: index + 1, name: url, url, globalPluginId: null });
  for (const [name, id] of Object.entries(costly)) yield plugin(id, name);
  let uid = 0;
  const chart = (pluginId: number, chartId: string, type: string, data: object = {}) => {
    uid++;
    const place = { pluginId, chartId, uid, type, position: uid };
    return JSON.stringify({ record: 'chart', ...place, title: chartId, isDefault: false, data });
  };
  const data = (pluginId: number, chartId: string, json: string) =>
    `{"record":"data","pluginId":${pluginId},"chartId":"${chartId}","data":${json}}`;
  const types = {
    bars: ['simple_bar', bars()],
    drilldown: ['drilldown_pie', drilldown()],
    pie: ['simple_pie', list((index) => `{"name":"n${index}","y":${(index * 7919) % 1000}}`)],
    map: ['simple_map', list((index) => `{"code":"${countryCode(index)}","value":${index % 1000}}`)],
    unknown: ['strange', list((index) => `{"${index.toString(36)}":1}`)],
  } as const;
  for (const [name, [type, json]] of Object.entries(types)) {
    const pluginId = costly[name as keyof typeof types];
    yield chart(pluginId, 'c', type);
    yield data(pluginId, 'c', json);
  }
  for (let index = 0; index < counts.charts; index++)
    yield chart(costly.manyCharts, `c${index}`, 'simple_pie');
  const settings = { text: 'x'.repeat(maxBytes - 20) };
  for (let index = 0; index < counts.largeSettings; index++)
    yield chart(costly.largeSettings, `c${index}`, 'simple_pie', settings);
  for (const [pluginId, days] of [
    [costly.longLine, counts.lineDays],
    [costly.small, 1],
  ] as const) {
    yield chart(pluginId, 'players', 'single_linechart');
    const points = Array.from({ length: 48 * days }, (_, slot) => [
      1_400_000_000_000 + slot * 1_800_000,
      (slot * 7919) % 997,
    ]);
    for (let start = 0; start < points.length; start += 5000)
      yield data(pluginId, 'players', JSON.stringify(points.slice(start, start + 5000)));
  }
  for (let index = 0; index < counts.namesakes; index++) yield plugin(firstNamesake + index, 'Same');
}

function plugin(id: number, name: string): string {
  const owner = { id: 1, name: 'Owner' };
  return JSON.stringify({ record: 'plugin', id, name, owner, softwareId: 1, isGlobal: false });
}

/** As many elements as fit. */
function list(element: (index: number) => string, sizeBytes = maxBytes): string {
  const parts: string[] = [];
  for (let index = 0, size = 2; ; index++) {
    const part = element(index);
    size += part.length + 1;
    if (size > sizeBytes) return `[${parts.join(',')}]`;
    parts.push(part);
  }
}

/** One bar with very many values, and very many bars with one value: the table is their product. */
function bars(): string {
  const long = `{"name":"","data":${list(() => '1', maxBytes / 2)}}`;
  const short = list((index) => `{"name":"b${index % 10}","data":[1]}`, maxBytes / 2 - 100);
  return `[${long},${short.slice(1)}`;
}

/** Very many slices that all refer to the same very many parts. */
function drilldown(): string {
  const parts = list((index) => `["p${index % 10}",1]`, maxBytes / 2 - 200);
  const slices = list(() => '{"name":"s","y":1,"drilldown":"d"}', maxBytes / 2 - 200);
  return `{"drilldownData":[{"name":"d","id":"d","data":${parts}}],"seriesData":${slices}}`;
}

function countryCode(index: number): string {
  const letter = (value: number) => String.fromCharCode(65 + (value % 26));
  return letter(index) + letter(Math.floor(index / 26));
}
