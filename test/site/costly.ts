/**
 * A store whose charts are far more expensive to show than to store; a single hostile archive can create it.
 */
import { pointTexts, slotMs, slotsPerDay } from '../../catalogues/lines.ts';
import { archive, catalogueRecords, type MadeChart, type MadePlugin } from '../../catalogues/records.ts';

const maxBytes = 1024 * 1024;

/** Plugin ids by kind of attack. */
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

/** Sizes of the attacks. */
export interface CostlyCounts {
  readonly charts: number;
  readonly largeSettings: number;
  readonly lineDays: number;
  /** Number of plugins with the same name as the requested one, on another software. */
  readonly namesakes: number;
}

const firstNamesake = 1000;

/** Renders the archive. */
export function costlyArchive(counts: CostlyCounts): Iterable<string> {
  return archive(costlyRecords(counts));
}

function costlyRecords(counts: CostlyCounts): Iterable<string> {
  const software = ['bukkit', 'fabric'].map((url, index) => ({
    id: index + 1,
    name: url,
    url,
    globalPluginId: null,
  }));
  let uid = 0;
  return catalogueRecords({ software, plugins: plugins() });
  function* numbered(charts: Iterable<CostlyChart>) {
    for (const one of charts) yield { ...one, uid: ++uid };
  }
  function* plugins() {
    for (const [name, id] of Object.entries(costly))
      yield { plugin: pluginOf(id, name), charts: numbered(chartsOf[id]?.(counts) ?? []) };
    for (let index = 0; index < counts.namesakes; index++)
      yield { plugin: pluginOf(firstNamesake + index, 'Same'), charts: [] };
  }
}

type CostlyChart = Omit<MadeChart, 'uid'>;

const chartsOf: Readonly<Record<number, (counts: CostlyCounts) => Iterable<CostlyChart>>> = {
  [costly.bars]: () => [chart('c', 'simple_bar', { data: [bars()] })],
  [costly.drilldown]: () => [chart('c', 'drilldown_pie', { data: [drilldown()] })],
  [costly.pie]: () => {
    const data = [list((index) => `{"name":"n${index}","y":${(index * 7919) % 1000}}`)];
    return [chart('c', 'simple_pie', { data })];
  },
  [costly.map]: () => {
    const data = [list((index) => `{"code":"${countryCode(index)}","value":${index % 1000}}`)];
    return [chart('c', 'simple_map', { data })];
  },
  [costly.unknown]: () => [chart('c', 'strange', { data: [list((index) => `{"${index.toString(36)}":1}`)] })],
  [costly.manyCharts]: (counts) => pies(counts.charts),
  [costly.largeSettings]: (counts) =>
    pies(counts.largeSettings, { settings: JSON.stringify({ text: 'x'.repeat(maxBytes - 20) }) }),
  [costly.longLine]: (counts) => [line(counts.lineDays)],
  [costly.small]: () => [line(1)],
};

function* pies(count: number, rest: Partial<MadeChart> = {}): Generator<CostlyChart> {
  for (let index = 0; index < count; index++)
    yield chart(`c${index}`, 'simple_pie', { position: index, data: ['[{"name":"a","y":1}]'], ...rest });
}

function line(days: number): CostlyChart {
  const points = Array.from(
    { length: slotsPerDay * days },
    (_, slot) => [1_400_000_000_000 + slot * slotMs, (slot * 7919) % 997] as const,
  );
  return chart('players', 'single_linechart', { data: pointTexts(points, 5000) });
}

function chart(chartId: string, type: string, rest: Partial<MadeChart>): CostlyChart {
  const usual = { position: 0, title: chartId, isDefault: false, settings: '{}', data: [] };
  return { chartId, type, ...usual, ...rest };
}

function pluginOf(id: number, name: string): MadePlugin {
  return { id, name, owner: { id: 1, name: 'Owner' }, softwareId: 1, isGlobal: false };
}

/** Renders an array with as many elements as fit. */
function list(element: (index: number) => string, sizeBytes = maxBytes): string {
  const parts: string[] = [];
  for (let index = 0, size = 2; ; index++) {
    const part = element(index);
    size += part.length + 1;
    if (size > sizeBytes) return `[${parts.join(',')}]`;
    parts.push(part);
  }
}

/**
 * Renders one bar with a huge number of values, and a huge number of bars with one value: the size of the
 * table is their product.
 */
function bars(): string {
  const long = `{"name":"","data":${list(() => '1', maxBytes / 2)}}`;
  const short = list((index) => `{"name":"b${index % 10}","data":[1]}`, maxBytes / 2 - 100);
  return `[${long},${short.slice(1)}`;
}

/** Renders a huge number of slices that all refer to the same huge inner pie. */
function drilldown(): string {
  const parts = list((index) => `["p${index % 10}",1]`, maxBytes / 2 - 200);
  const slices = list(() => '{"name":"s","y":1,"drilldown":"d"}', maxBytes / 2 - 200);
  return `{"drilldownData":[{"name":"d","id":"d","data":${parts}}],"seriesData":${slices}}`;
}

function countryCode(index: number): string {
  const letter = (value: number) => String.fromCharCode(65 + (value % 26));
  return letter(index) + letter(Math.floor(index / 26));
}
