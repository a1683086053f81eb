/**
 * Archives of a random catalogue: every kind of record, chart and line, with names that are hard to store, to draw and to link
 * to. The same seed gives the same bytes.
 */
import { createRandom, type Random } from '../sample/random.ts';
import { oddTexts } from './odd-texts.ts';
import { dayMs, lineShapes, newestTime, type Point } from './random-lines.ts';
import { historyTypes, randomData, randomHistory, randomShares, shareTypes } from './random-shares.ts';

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

/** The lines of an archive, with the number of their version. */
interface Archive {
  readonly version: 1 | 2;
  readonly lines: string[];
}

/**
 * The archives in the order of their import. The first has version 1, the second version 2 and some of it again.
 * @param maxPoints how many of the latest points of a line they have
 */
export function randomArchives(seed: string, maxPoints = Number.POSITIVE_INFINITY): readonly string[] {
  const first: Archive = { version: 1, lines: [] };
  const second: Archive = { version: 2, lines: [] };
  const random = createRandom(`catalogue ${seed}`);
  addSoftware(first);
  const names = pluginNames();
  const plugins = names.map((name, index) => addPlugin(first, { name, index, random }));
  let uid = 1;
  for (let index = 0; index < smallPluginCount; index++) uid = addSmallPlugin(first, { index, uid });
  for (const [index, plugin] of plugins.entries()) {
    // Two plugins have no charts.
    if (index % 19 === 18) continue;
    for (const chart of chartsOf(createRandom(`charts ${seed} ${plugin.id}`), index, maxPoints)) {
      const record = { record: 'chart', pluginId: plugin.id, chartId: chart.id, uid: uid++, ...chart.fields };
      first.lines.push(`${JSON.stringify(record).slice(0, -1)},"data":${chart.settings}}`);
      const name = `"pluginId":${plugin.id},"chartId":${JSON.stringify(chart.id)}`;
      for (const data of chart.data) first.lines.push(`{"record":"data",${name},"data":${data}}`);
      for (const data of chart.laterData) second.lines.push(`{"record":"data",${name},"data":${data}}`);
      if (chart.history !== undefined) second.lines.push(`{"record":"history",${name},${chart.history}}`);
    }
    addEvents(second, createRandom(`events ${seed} ${plugin.id}`), plugin.id);
  }
  // The global plugins exist by now.
  first.lines.push(
    softwareLine(1, { name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: plugins[0]?.id ?? null }),
  );
  first.lines.push(
    softwareLine(7, { name: 'BungeeCord', url: 'bungeecord', globalPluginId: plugins[1]?.id ?? null }),
  );
  for (const [index, name] of [
    'Before',
    'before the rename',
    'EXAMPLE',
    '😀',
    'Share/../x',
    'a.svg',
  ].entries())
    second.lines.push(JSON.stringify({ record: 'oldName', pluginId: plugins[index + 2]?.id, name }));
  return [first, second].map(archiveText);
}

function addSmallPlugin(
  { lines }: Archive,
  { index, uid }: { readonly index: number; readonly uid: number },
): number {
  const id = 5000 + index;
  const owner = { id: 900 + (index % 4), name: 'Owner of many' };
  const softwareId = 1000 + (index % smallSoftwareCount);
  lines.push(
    JSON.stringify({
      record: 'plugin',
      id,
      name: `Plugin ${index % 90}`,
      owner,
      softwareId,
      isGlobal: false,
    }),
    `{"record":"chart","pluginId":${id},"chartId":"servers","uid":${uid},"type":"single_linechart","position":0,"title":"Servers","isDefault":true,"data":{}}`,
    `{"record":"data","pluginId":${id},"chartId":"servers","data":[[${newestTime - (index % 9) * dayMs},${index % 40}],[${newestTime},${index % 30}]]}`,
  );
  return uid + 1;
}

/** One plugin with one line, so long that a response with all of it is sent while it is made. */
export function longArchive(): string {
  const random = createRandom('long line');
  const lines = [
    softwareLine(1, { name: 'Bukkit', url: 'bukkit', globalPluginId: null }),
    '{"record":"plugin","id":5,"name":"Long","owner":{"id":1,"name":"Owner"},"softwareId":1,"isGlobal":false}',
    '{"record":"chart","pluginId":5,"chartId":"servers","uid":1,"type":"single_linechart","position":0,"title":"Servers","isDefault":true,"data":{"lineName":"Servers"}}',
  ];
  const stepMs = 120_000;
  const count = 820_000;
  for (let at = 0; at < count; at += pointsPerRecord) {
    const points = Array.from({ length: Math.min(pointsPerRecord, count - at) }, (_, index) => {
      const time = newestTime - (count - 1 - at - index) * stepMs;
      return `[${time},${1000 + random.below(900)}]`;
    });
    lines.push(`{"record":"data","pluginId":5,"chartId":"servers","data":[${points.join()}]}`);
  }
  return archiveText({ version: 1, lines });
}

function archiveText({ version, lines }: Archive): string {
  return [
    `{"record":"archive","version":${version}}`,
    ...lines,
    `{"record":"end","records":${lines.length}}`,
    '',
  ].join('\n');
}

function addSoftware({ lines }: Archive): void {
  lines.push(softwareLine(1, { name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: null }));
  lines.push(softwareLine(7, { name: 'Bungee', url: 'bungeecord', globalPluginId: null }));
  lines.push(softwareLine(3, { name: '"><script>alert(1)</script>', url: 'x-y_z.0', globalPluginId: null }));
  lines.push(softwareLine(4, { name: 'Digits 😀', url: '12', globalPluginId: null }));
  lines.push(softwareLine(Number.MAX_SAFE_INTEGER, { name: 'Last', url: 'sum', globalPluginId: null }));
  lines.push(softwareLine(6, { name: 'Empty', url: 'empty', globalPluginId: null }));
  for (let index = 0; index < smallSoftwareCount; index++)
    lines.push(
      softwareLine(1000 + index, { name: `Software ${index}`, url: `s${index}`, globalPluginId: null }),
    );
}

function softwareLine(
  id: number,
  fields: { readonly name: string; readonly url: string; readonly globalPluginId: number | null },
): string {
  return JSON.stringify({ record: 'software', id, ...fields });
}

function pluginNames(): readonly string[] {
  const plain = ['Servers of Bukkit', 'Proxies', 'Example', 'example', 'EXAMPLE plus', 'lines', 'sum', 'Ten'];
  // Plugins of one name and owner, for several software, are one to their readers.
  return [...plain, ...oddTexts, 'Everywhere', 'Everywhere', 'Everywhere'];
}

function addPlugin(
  { lines }: Archive,
  { name, index, random }: { readonly name: string; readonly index: number; readonly random: Random },
): { readonly id: number } {
  const id = [3, 8, 1337, 1, 2, 10, 9007199254740991, 4294967296][index] ?? 1000 + index * 17;
  const ownerIndex = random.below(9);
  const owner = {
    id: [1, 42, 9007199254740991][ownerIndex] ?? ownerIndex + 50,
    name: oddTexts[ownerIndex * 2] ?? 'Owner',
  };
  const isEverywhere = name === 'Everywhere';
  if (isEverywhere) Object.assign(owner, { id: 77, name: 'Everyone' });
  const softwareId =
    index < 2 || isEverywhere
      ? [1, 7, 3][index % 3]
      : [1, 1, 1, 7, 3, 4, Number.MAX_SAFE_INTEGER][random.below(7)];
  lines.push(JSON.stringify({ record: 'plugin', id, name, owner, softwareId, isGlobal: index < 2 }));
  return { id };
}

/** A chart as it is written. */
interface WrittenChart {
  readonly id: string;
  readonly fields: object;
  readonly settings: string;
  readonly data: readonly string[];
  /** Data of the second archive. */
  readonly laterData: readonly string[];
  readonly history?: string | undefined;
}

function chartsOf(random: Random, pluginIndex: number, maxPoints: number): readonly WrittenChart[] {
  const shapes = Object.values(lineShapes);
  const charts: WrittenChart[] = [];
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
      id: takeId(wanted),
      fields: { type: 'single_linechart', ...place(), title: titleOf(random, wanted) },
      settings: lineSettings(random, wanted),
      data: pointRecords(random, points),
      laterData: points.length > 100 ? [laterPoints(random, points)] : [],
    });
  }
  for (let count = 3 + random.below(5); count > 0; count--) {
    const type = shareTypes[random.below(shareTypes.length)] ?? 'simple_pie';
    const shares = randomShares(random, type);
    const hasHistory = historyTypes.includes(type) && random.next() < 0.6;
    const hasData = random.next() < 0.9;
    charts.push({
      id: takeId(oddChartIds[random.below(40)] ?? type.replace(/^.*_/, '')),
      fields: { type, ...place(), title: titleOf(random, type) },
      settings:
        [
          '{}',
          '{"filter":{"enabled":true,"useRegex":false,"blacklist":true,"filter":["a"]}}',
          '{"2":1,"1":1.50,"a":[null]}',
        ][random.below(3)] ?? '{}',
      data: hasData ? [randomData(random, type, shares)] : [],
      laterData:
        hasHistory && type !== 'advanced_bar' && random.next() < 0.5
          ? [`${randomData(random, type, shares)},"at":${newestTime - random.below(3) * dayMs}`]
          : [],
      history: hasHistory ? randomHistory(random, shares) : undefined,
    });
  }
  return charts;
}

function titleOf(random: Random, fallback: string): string {
  return random.next() < 0.3 ? (oddTexts[random.below(oddTexts.length)] ?? fallback) : `Title of ${fallback}`;
}

function lineSettings(random: Random, id: string): string {
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

/** Points in records of bounded size, some of them not in their order. */
function pointRecords(random: Random, points: readonly Point[]): readonly string[] {
  const records: string[] = [];
  for (let at = 0; at < points.length; at += pointsPerRecord)
    records.push(pointsJson(points.slice(at, at + pointsPerRecord), random.next() < 0.2));
  return random.next() < 0.3 ? records.reverse() : records;
}

/** Values that replace some, and points between others. */
function laterPoints(random: Random, points: readonly Point[]): string {
  const some = points
    .filter(() => random.next() < 0.01)
    .map(([time]): Point => [time, String(random.below(90))]);
  const between = points.filter(() => random.next() < 0.01).map(([time]): Point => [time + 7, '5.5']);
  return pointsJson([...some, ...between], true);
}

function pointsJson(points: readonly Point[], isReversed: boolean): string {
  const texts = points.map(([time, value]) => `[${time},${value}]`);
  return `[${(isReversed ? texts.reverse() : texts).join()}]`;
}

function addEvents({ lines }: Archive, random: Random, pluginId: number): void {
  const times = new Set<string>();
  for (let count = random.below(9); count > 0; count--) {
    const time = newestTime - random.below(500) * dayMs + random.below(3) * 1000;
    const title = oddTexts[random.below(60)] ?? `${random.below(9)}.${random.below(9)}.0`;
    if (times.has(`${time} ${title}`)) continue;
    times.add(`${time} ${title}`);
    const url =
      [null, 'https://example.org/releases/1.0?a=1&b="2"#x', 'http://example.org'][random.below(3)] ?? null;
    lines.push(JSON.stringify({ record: 'event', pluginId, time, title, url }));
  }
}
