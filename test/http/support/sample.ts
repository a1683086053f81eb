/** The sample archive as expected values, parsed from its text rather than with the code under test. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sampleFile } from './sample-file.ts';

/** A chart of the archive. */
export interface SampleChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  readonly type: string;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  /** Its settings as JSON text. */
  readonly settings: string;
  /** The exact body of `/data` if everything is requested. */
  readonly data: string;
  /** The points of a line in ascending order; empty for other types. */
  readonly points: readonly (readonly [number, number])[];
}

/** A plugin of the archive. */
export interface SamplePlugin {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly id: number; readonly name: string };
  readonly softwareId: number;
  readonly isGlobal: boolean;
}

/** A software of the archive. */
export interface SampleSoftware {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPluginId: number | null;
}

/** The plugin of the sample with a chart of every kind. */
export const museumId = 4242;

const lines = gunzipSync(readFileSync(sampleFile)).toString('utf8').trimEnd().split('\n');
const records = lines.map((line) => ({ line, fields: JSON.parse(line) as Fields }));

/** All software, by ascending id. */
export const sampleSoftware = byId<SampleSoftware>('software');

/** All plugins, by ascending id. */
export const samplePlugins = byId<SamplePlugin>('plugin');

/** All charts: by plugin, position and chart id. */
export const sampleCharts: readonly SampleChart[] = readCharts();

/** The charts of a plugin in the order of its registry. */
export function chartsOf(pluginId: number): readonly SampleChart[] {
  return sampleCharts.filter((chart) => chart.pluginId === pluginId);
}

/** A chart of the sample. */
export function sampleChart(pluginId: number, chartId: string): SampleChart {
  const chart = chartsOf(pluginId).find((candidate) => candidate.chartId === chartId);
  if (chart === undefined) throw new TypeError(`the sample has no chart ${chartId}`);
  return chart;
}

/** A chart of {@link museumId}. */
export function museumChart(chartId: string): SampleChart {
  return sampleChart(museumId, chartId);
}

/** The latest value of a line. */
export function latestOf(pluginId: number, chartId: string): number {
  return sampleChart(pluginId, chartId).points.at(-1)?.[1] ?? Number.NaN;
}

/** The path of a chart. */
export function chartPath({ pluginId, chartId }: Pick<SampleChart, 'pluginId' | 'chartId'>): string {
  return `/api/v1/plugins/${pluginId}/charts/${chartId}`;
}

/** The expected chart object, as JSON text. */
export function chartText(chart: SampleChart): string {
  const { uid, type, position, title, isDefault, settings } = chart;
  return `${JSON.stringify({ uid, type, position, title, isDefault }).slice(0, -1)},"data":${settings}}`;
}

interface Fields {
  readonly record: string;
  readonly pluginId: number;
  readonly chartId: string;
  readonly data: unknown;
}

function byId<T extends { readonly id: number }>(kind: string): readonly T[] {
  const found = records.filter(({ fields }) => fields.record === kind).map(({ fields }) => fields);
  return (found as unknown as T[]).sort((one, other) => one.id - other.id);
}

function readCharts(): readonly SampleChart[] {
  const data = Map.groupBy(
    records.filter(({ fields }) => fields.record === 'data'),
    ({ fields }) => keyOf(fields),
  );
  const charts = records
    .filter(({ fields }) => fields.record === 'chart')
    .map(({ line, fields }) => {
      const chart = fields as unknown as Omit<SampleChart, 'settings' | 'data' | 'points'>;
      const pieces = data.get(keyOf(fields)) ?? [];
      const points = chart.type === 'single_linechart' ? merge(pieces.map((piece) => piece.fields.data)) : [];
      return { ...chart, settings: dataMember(line), data: dataText(chart.type, pieces, points), points };
    });
  return charts.sort(
    (one, other) =>
      one.pluginId - other.pluginId ||
      one.position - other.position ||
      Buffer.compare(Buffer.from(one.chartId), Buffer.from(other.chartId)),
  );
}

function dataText(
  type: string,
  pieces: readonly { readonly line: string }[],
  points: SampleChart['points'],
): string {
  if (type === 'single_linechart') return JSON.stringify(points);
  const [piece] = pieces;
  if (piece !== undefined) return dataMember(piece.line);
  return type === 'drilldown_pie' ? '{"drilldownData":[],"seriesData":[]}' : '[]';
}

function merge(pieces: readonly unknown[]): SampleChart['points'] {
  const merged = new Map((pieces as [number, number][][]).flat());
  return [...merged].sort(([one], [other]) => one - other);
}

/** The text of the member `data`, after which a record may have the time of the data and nothing else. */
function dataMember(line: string): string {
  const start = line.indexOf(',"data":') + ',"data":'.length;
  return line.slice(start).replace(/(,"at":\d+)?\}$/, '');
}

function keyOf({ pluginId, chartId }: Fields): string {
  return `${pluginId} ${chartId}`;
}
