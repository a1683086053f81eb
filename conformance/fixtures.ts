/**
 * Explores the server's data, so that cases can refer to a line chart or an unknown plugin without knowing
 * the data. Bounded: it walks some plugins and reads some charts, never a whole catalogue.
 */

import {
  type Catalogue,
  type CatalogueChart,
  chartPath,
  LINE_TYPE,
  pluginPath,
  type ReadPath,
  walkCatalogue,
} from './catalogue.ts';
import type { Json } from './json.ts';
import { findNode } from './json-text.ts';

/** Values of the placeholders for which the server has data. */
export type Fixtures = ReadonlyMap<string, Json>;

/** Every placeholder, with the data that the server needs for it. */
export const FIXTURES: ReadonlyMap<string, string> = new Map([
  ['unknownPlugin', 'an id that no plugin has'],
  ['plugin', 'a plugin with charts'],
  ['pluginId', 'a plugin with charts'],
  ['listedName', 'a plugin with charts'],
  ['listedOwnerId', 'a plugin with charts'],
  ['emptyPlugin', 'a plugin without charts'],
  ['line', 'a line chart with data'],
  ['lineChartId', 'a line chart with data'],
  ['encodedLine', 'a line chart with data'],
  ['longLine', 'a line chart with more than 1440 points'],
  ['emptyLine', 'a line chart without data'],
  ['other', 'a chart of another type than line'],
  ['otherPlugin', 'a chart of another type than line'],
  ['otherId', 'a chart of another type than line'],
  ['integerChart', 'a chart whose id looks like an integer'],
  ['integerChartPlugin', 'a chart whose id looks like an integer'],
  ['integerChartId', 'a chart whose id looks like an integer'],
  ['oddChart', 'a chart with an id such as constructor'],
  ['oddChartPlugin', 'a chart with an id such as constructor'],
  ['oddChartId', 'a chart with an id such as constructor'],
  ['large', 'an answer of 2 KiB or more'],
  ['small', 'an answer under 1 KiB'],
]);

/** Types with a known form of data; any other is a custom one. */
const SNAPSHOT_TYPES = ['pie', 'map', 'bar'].flatMap((form) => [`simple_${form}`, `advanced_${form}`]);
const KNOWN_TYPES = [LINE_TYPE, 'drilldown_pie', ...SNAPSHOT_TYPES];
const INTEGER_LIKE = /^(?:0|[1-9][0-9]*)$/;
const ODD_CHART_IDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
/** Maximum number of charts of one type whose data is read. */
const MAX_READS_PER_TYPE = 20;
const LARGE_BYTES = 2048;
const SMALL_BYTES = 1024;
const DEFAULT_COUNT = 1440;

/** Asks the server for everything that the placeholders need. */
export async function discoverFixtures(read: ReadPath): Promise<Fixtures> {
  const catalogue = await walkCatalogue(read);
  const { charts, emptyPluginId } = catalogue;
  const fixtures = new Map<string, Json>();
  fixtures.set('unknownPlugin', pluginPath(findUnknownId(catalogue)));
  if (emptyPluginId !== undefined) fixtures.set('emptyPlugin', pluginPath(emptyPluginId));
  const line = await setLines(fixtures, charts, read);
  await setTypes(fixtures, charts, read);
  const other = charts.find((chart) => chart.type !== LINE_TYPE);
  const integerChart = charts.find((chart) => INTEGER_LIKE.test(chart.chartId));
  const oddChartId = ODD_CHART_IDS.find((id) => charts.some((chart) => chart.chartId === id));
  const oddChart = charts.find((chart) => chart.chartId === oddChartId);
  setChart(fixtures, 'other', other);
  setChart(fixtures, 'integerChart', integerChart);
  setChart(fixtures, 'oddChart', oddChart);
  setPlugin(fixtures, catalogue, line ?? charts[0]);
  await setSizes(fixtures, read);
  return fixtures;
}

/** Describes the data that a server needs for a placeholder; undefined if there is no such placeholder. */
export function describeFixture(name: string): string | undefined {
  if (name.startsWith('chart.')) return `a chart of type ${name.slice('chart.'.length)}`;
  if (name.startsWith('absent.')) return `a registry without ${name.slice('absent.'.length)}`;
  return FIXTURES.get(name);
}

function findUnknownId({ listed }: Catalogue): number {
  const taken = new Set(listed.map(({ id }) => id));
  let id = Number.MAX_SAFE_INTEGER;
  while (taken.has(id)) id -= 1;
  return id;
}

/** Sets the placeholders of line charts, and returns the line chart with data. */
async function setLines(
  fixtures: Map<string, Json>,
  charts: readonly CatalogueChart[],
  read: ReadPath,
): Promise<CatalogueChart | undefined> {
  let best: { readonly chart: CatalogueChart; readonly pointCount: number } | undefined;
  for (const chart of charts.filter(({ type }) => type === LINE_TYPE).slice(0, MAX_READS_PER_TYPE)) {
    const data = await read(`${chartPath(chart)}/data?maxElements=${DEFAULT_COUNT + 1}`);
    if (data?.kind !== 'array') continue;
    const pointCount = data.items.length;
    if (pointCount === 0) fixtures.set('emptyLine', chartPath(chart));
    else if (best === undefined || pointCount > best.pointCount) best = { chart, pointCount };
  }
  if (best === undefined) return undefined;
  const { chart, pointCount } = best;
  if (pointCount > DEFAULT_COUNT) fixtures.set('longLine', chartPath(chart));
  fixtures.set('line', chartPath(chart));
  fixtures.set('lineChartId', chart.chartId);
  fixtures.set('encodedLine', `${pluginPath(chart.pluginId)}/charts/${encodeAll(chart.chartId)}`);
  return chart;
}

/** Sets `chart.TYPE` for every type found, to a chart that has data if there is one. */
async function setTypes(
  fixtures: Map<string, Json>,
  charts: readonly CatalogueChart[],
  read: ReadPath,
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(charts, ({ type }) =>
    KNOWN_TYPES.includes(type) ? type : 'custom',
  )) {
    for (const chart of ofType.slice(0, MAX_READS_PER_TYPE)) {
      const data = await read(`${chartPath(chart)}/data?maxElements=1`);
      const isEmpty = data === undefined || /^(?:\[\]|\{\}|\{"drilldownData":\[\],.*)$/s.test(data.text);
      if (isEmpty && fixtures.has(`chart.${type}`)) continue;
      fixtures.set(`chart.${type}`, chartPath(chart));
      if (!isEmpty) break;
    }
  }
}

function setChart(fixtures: Map<string, Json>, name: string, chart: CatalogueChart | undefined): void {
  if (chart === undefined) return;
  fixtures.set(name, chartPath(chart));
  fixtures.set(`${name}Plugin`, pluginPath(chart.pluginId));
  fixtures.set(`${name}Id`, chart.chartId);
}

function setPlugin(
  fixtures: Map<string, Json>,
  { listed, charts }: Catalogue,
  chart: CatalogueChart | undefined,
): void {
  if (chart === undefined) return;
  const { pluginId } = chart;
  fixtures.set('plugin', pluginPath(pluginId));
  fixtures.set('pluginId', pluginId);
  const entry = listed.find(({ id }) => id === pluginId)?.entry;
  const name = entry && findNode(entry, ['name']);
  const ownerId = entry && findNode(entry, ['owner', 'id']);
  if (name?.kind === 'string') fixtures.set('listedName', name.value);
  if (ownerId?.kind === 'number') fixtures.set('listedOwnerId', ownerId.value);
  const registry = charts.filter((other) => other.pluginId === pluginId);
  for (const id of ODD_CHART_IDS.filter((odd) => !registry.some(({ chartId }) => chartId === odd))) {
    fixtures.set(`absent.${id}`, id);
  }
}

async function setSizes(fixtures: Map<string, Json>, read: ReadPath): Promise<void> {
  const paths = [fixtures.get('line'), fixtures.get('plugin'), fixtures.get('other')]
    .filter((path) => typeof path === 'string')
    .flatMap((path) => [path, `${path}/data?maxElements=1`, `${path}/data`, `${path}/charts`]);
  for (const path of [...paths, '/api/v1/software', '/api/v1/plugins']) {
    const sizeBytes = Buffer.byteLength((await read(path))?.text ?? '');
    if (sizeBytes >= LARGE_BYTES && !fixtures.has('large')) fixtures.set('large', path);
    if (sizeBytes > 0 && sizeBytes < SMALL_BYTES && !fixtures.has('small')) fixtures.set('small', path);
  }
}

/** Every byte of the id as `%XX`: the same path, by RFC 3986 6.2.2.2. */
function encodeAll(chartId: string): string {
  return [...Buffer.from(chartId)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('');
}
