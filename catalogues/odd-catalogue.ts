/**
 * Archives of a random catalogue: every kind of record, chart and line, with names that are hard to store, to
 * draw and to link to. The same seed gives the same bytes.
 */

import { pointTexts } from './lines.ts';
import { dayMs, lineShapes, newestTime, type OddPoint } from './odd-lines.ts';
import { historyTypes, randomData, randomHistory, randomShares, shareTypes } from './odd-shares.ts';
import { oddTexts } from './odd-texts.ts';
import { createRandom, type Random } from './random.ts';
import {
  archive,
  catalogueRecords,
  dataRecords,
  eventRecord,
  historyRecords,
  type MadeChart,
  type MadeEvent,
  type MadePlugin,
  softwareRecord,
} from './records.ts';

/** Ids of charts that look like integers, built-ins or files. */
const oddChartIds = [
  '12',
  '9',
  '__proto__',
  'constructor',
  'toString',
  'a.b',
  'A~b',
  '_x',
  'data',
  'x.svg',
  `${'c'.repeat(99)}-`,
];

/** Plugins with one value each behind those with charts, so that lists have several pages. */
const smallPluginCount = 130;
/** Software beside the usual, so that lists of it are cut. */
const smallSoftwareCount = 48;
const pointsPerRecord = 3000;

/**
 * The archives in the order of their import. The first has version 1, the second version 2 and some of it
 * again.
 * @param maxPoints how many of the latest points of a line they have
 */
export function oddArchives(seed: string, maxPoints = Number.POSITIVE_INFINITY): readonly string[] {
  const random = createRandom(`catalogue ${seed}`);
  let uid = 1;
  const large = pluginNames().map((name, index) => {
    const plugin = makePlugin(name, index, random);
    const charts = chartsOf(createRandom(`charts ${seed} ${plugin.id}`), index, maxPoints);
    // Two plugins have no charts.
    return { plugin, charts: index % 19 === 18 ? [] : charts.map((chart) => ({ ...chart, uid: uid++ })) };
  });
  const small = Array.from({ length: smallPluginCount }, (_, index) => makeSmallPlugin(index, uid++));
  const [one, other] = large;
  // The global plugins exist by the end.
  const named = [
    { id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: one?.plugin.id ?? null },
    { id: 7, name: 'BungeeCord', url: 'bungeecord', globalPluginId: other?.plugin.id ?? null },
  ];
  const first = [
    ...catalogueRecords({ software, plugins: [...large, ...small] }),
    ...named.map(softwareRecord),
  ];
  const later = large.flatMap(({ plugin: { id }, charts }) => [
    ...charts.flatMap(({ later: [data, at], laterHistory: history, chartId }) => [
      ...dataRecords(id, { chartId, data, at }),
      ...historyRecords(id, { chartId, history }),
    ]),
    ...randomEvents(createRandom(`events ${seed} ${id}`)).map((event) => eventRecord(id, event)),
  ]);
  const oldNames = ['Before', 'before the rename', 'EXAMPLE', '😀', 'Share/../x', 'a.svg'].map(
    (name, index) => JSON.stringify({ record: 'oldName', pluginId: large[index + 2]?.plugin.id, name }),
  );
  return [[...archive(first)].join(''), [...archive([...later, ...oldNames], 2)].join('')];
}

const software = [
  { id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: null },
  { id: 7, name: 'Bungee', url: 'bungeecord', globalPluginId: null },
  { id: 3, name: '"><script>alert(1)</script>', url: 'x-y_z.0', globalPluginId: null },
  { id: 4, name: 'Digits 😀', url: '12', globalPluginId: null },
  { id: Number.MAX_SAFE_INTEGER, name: 'Last', url: 'sum', globalPluginId: null },
  { id: 6, name: 'Empty', url: 'empty', globalPluginId: null },
  ...Array.from({ length: smallSoftwareCount }, (_, index) => ({
    id: 1000 + index,
    name: `Software ${index}`,
    url: `s${index}`,
    globalPluginId: null,
  })),
];

/** The line of servers that a plugin has at least. */
const serversChart = {
  chartId: 'servers',
  type: 'single_linechart',
  position: 0,
  title: 'Servers',
  isDefault: true,
  settings: '{}',
};

function makeSmallPlugin(index: number, uid: number) {
  const points = [
    [newestTime - (index % 9) * dayMs, index % 40],
    [newestTime, index % 30],
  ] as const;
  const plugin = {
    id: 5000 + index,
    name: `Plugin ${index % 90}`,
    owner: { id: 900 + (index % 4), name: 'Owner of many' },
    softwareId: 1000 + (index % smallSoftwareCount),
    isGlobal: false,
  };
  return { plugin, charts: [{ ...serversChart, uid, data: pointTexts(points, pointsPerRecord) }] };
}

/** One plugin with one line, so long that a response with all of it is sent while it is made. */
export function longArchive(): string {
  const random = createRandom('long line');
  const [stepMs, count] = [120_000, 820_000];
  const points = Array.from(
    { length: count },
    (_, index) => [newestTime - (count - 1 - index) * stepMs, 1000 + random.below(900)] as const,
  );
  const owner = { id: 1, name: 'Owner' };
  const plugin = { id: 5, name: 'Long', owner, softwareId: 1, isGlobal: false };
  const charts = [{ ...serversChart, uid: 1, data: pointTexts(points, pointsPerRecord) }];
  const made = { software: software.slice(0, 1), plugins: [{ plugin, charts }] };
  return [...archive(catalogueRecords(made))].join('');
}

function pluginNames(): readonly string[] {
  const plain = ['Servers of Bukkit', 'Proxies', 'Example', 'example', 'EXAMPLE plus', 'lines', 'sum', 'Ten'];
  // Plugins of one name and owner, for several software, are one to their readers.
  return [...plain, ...oddTexts, 'Everywhere', 'Everywhere', 'Everywhere'];
}

function makePlugin(name: string, index: number, random: Random): MadePlugin {
  const id = [3, 8, 1337, 1, 2, 10, 9007199254740991, 4294967296][index] ?? 1000 + index * 17;
  const ownerIndex = random.below(9);
  const isEverywhere = name === 'Everywhere';
  const owner = {
    id: [1, 42, 9007199254740991][ownerIndex] ?? ownerIndex + 50,
    name: oddTexts[ownerIndex * 2] ?? 'Owner',
  };
  const ids =
    index < 2 || isEverywhere ? [[1, 7, 3][index % 3]] : [1, 1, 1, 7, 3, 4, Number.MAX_SAFE_INTEGER];
  return {
    id,
    name,
    owner: isEverywhere ? { id: 77, name: 'Everyone' } : owner,
    softwareId: ids[random.below(ids.length)] ?? 1,
    isGlobal: index < 2,
  };
}

/** A chart without its uid, and what the second archive has of it. */
interface OddChart extends Omit<MadeChart, 'uid'> {
  readonly later: readonly [data: readonly string[], at?: number];
  readonly laterHistory: readonly string[];
}

function chartsOf(random: Random, pluginIndex: number, maxPoints: number): readonly OddChart[] {
  const shapes = Object.values(lineShapes);
  const charts: OddChart[] = [];
  const ids = new Set<string>();
  const takeId = (wanted: string) => {
    const id = ids.has(wanted) ? `${wanted.slice(0, 90)}${ids.size}` : wanted;
    ids.add(id);
    return id;
  };
  const place = () => ({
    position: [0, 1, 2, 2, -1, 3][random.below(6)] ?? 0,
    isDefault: random.next() < 0.5,
  });
  const lineIds = pluginIndex % 5 === 4 ? ['traffic'] : ['servers', 'players'];
  for (const wanted of [
    ...lineIds,
    ...(pluginIndex % 3 === 0 ? ['own'] : []),
    oddChartIds[pluginIndex % 23] ?? 'extra',
  ]) {
    const shape = shapes[(pluginIndex * 3 + charts.length) % shapes.length];
    const points = wanted === 'own' || shape === undefined ? [] : shape(random).slice(-maxPoints);
    charts.push({
      chartId: takeId(wanted),
      type: 'single_linechart',
      ...place(),
      title: titleOf(random, wanted),
      settings: oddSettings(random, wanted),
      data: pointRecords(random, points),
      later: [points.length > 100 ? laterPoints(random, points) : []],
      laterHistory: [],
    });
  }
  for (let count = 3 + random.below(5); count > 0; count--) {
    const type = shareTypes[random.below(shareTypes.length)] ?? 'simple_pie';
    const shares = randomShares(random, type);
    const hasHistory = historyTypes.includes(type) && random.next() < 0.6;
    const hasData = random.next() < 0.9;
    charts.push({
      chartId: takeId(oddChartIds[random.below(40)] ?? type.replace(/^.*_/, '')),
      type,
      ...place(),
      title: titleOf(random, type),
      settings:
        [
          '{}',
          '{"filter":{"enabled":true,"useRegex":false,"blacklist":true,"filter":["a"]}}',
          '{"2":1,"1":1.50,"a":[null]}',
        ][random.below(3)] ?? '{}',
      data: hasData ? [randomData(random, type, shares)] : [],
      later:
        hasHistory && type !== 'advanced_bar' && random.next() < 0.5
          ? [[randomData(random, type, shares)], newestTime - random.below(3) * dayMs]
          : [[]],
      laterHistory: hasHistory ? [randomHistory(random, shares) ?? []].flat() : [],
    });
  }
  return charts;
}

function titleOf(random: Random, fallback: string): string {
  return random.next() < 0.3 ? (oddTexts[random.below(oddTexts.length)] ?? fallback) : `Title of ${fallback}`;
}

function oddSettings(random: Random, id: string): string {
  const name = JSON.stringify(random.next() < 0.3 ? oddTexts[random.below(oddTexts.length)] : `Line ${id}`);
  return (
    [
      `{"lineName":${name},"filter":{"enabled":false,"maxValue":null,"minValue":null}}`,
      `{"lineName":${name},"filter":{"enabled":true,"maxValue":2000000.0,"minValue":-0}}`,
      `{"filter":{"minValue":1e3,"enabled":true},"lineName":${name},"more":{"2":[],"1":"\\u00e9"}}`,
      '{}',
    ][random.below(4)] ?? '{}'
  );
}

/** Points in records of bounded size, not always in their order. */
function pointRecords(random: Random, points: readonly OddPoint[]): readonly string[] {
  const records = pointTexts(random.next() < 0.2 ? points.toReversed() : points, pointsPerRecord);
  return random.next() < 0.3 ? records.reverse() : records;
}

/** Values that replace some, and points between others. */
function laterPoints(random: Random, points: readonly OddPoint[]): readonly string[] {
  const some = points
    .filter(() => random.next() < 0.01)
    .map(([time]): OddPoint => [time, String(random.below(90))]);
  const between = points.filter(() => random.next() < 0.01).map(([time]): OddPoint => [time + 7, '5.5']);
  return pointTexts([...some, ...between].reverse(), pointsPerRecord);
}

function randomEvents(random: Random): readonly MadeEvent[] {
  const urls = [null, 'https://example.org/releases/1.0?a=1&b="2"#x', 'http://example.org'];
  const events = Array.from({ length: random.below(9) }, () => ({
    time: newestTime - random.below(500) * dayMs + random.below(3) * 1000,
    title: oddTexts[random.below(60)] ?? `${random.below(9)}.${random.below(9)}.0`,
    url: urls[random.below(urls.length)] ?? null,
  }));
  return [...new Map(events.map((event) => [`${event.time} ${event.title}`, event])).values()];
}
