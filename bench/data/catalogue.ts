/** Generated catalogues: their plugins and charts, and the length and activity of their lines. */
import { pointTexts } from '../../catalogues/lines.ts';
import { createRandom } from '../../catalogues/random.ts';
import { type LineKind, linePoints, slots } from './line-points.ts';

/** A catalogue; the same description always gives the same data. */
export interface Catalogue {
  /** Name of the files that contain it. */
  readonly name: string;
  readonly pluginCount: number;
  /** The number of plugins with charts, the first ones; all by default. */
  readonly chartedPluginCount?: number;
  readonly linesPerPlugin: number;
  /** Number of charts per plugin that are not lines. */
  readonly piesPerPlugin: number;
  /** Half-hours of history per line. */
  readonly slotCount: number;
  /** Only the lines of every n-th plugin have the full history, the others one day of it; all by default. */
  readonly fullHistoryEvery?: number;
  /** Kind of all lines; by default 20% busy, 30% small, 50% dead. */
  readonly kind?: LineKind;
}

/** One line of a catalogue. */
export interface CatalogueLine {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  /** Seed of its values. */
  readonly seed: number;
  readonly kind: LineKind;
  readonly slotCount: number;
}

/** An ecosystem: 30,000 plugins, 360,000 charts, 60,000 lines of which 20,000 have a month of history. */
export const ecosystem: Catalogue = {
  name: 'ecosystem',
  pluginCount: 30_000,
  linesPerPlugin: 2,
  piesPerPlugin: 10,
  slotCount: slots.month,
  fullHistoryEvery: 3,
};

/** A million plugins, whose list has about 145 MB; 1,000 of them have a line of a day. */
export const millionPlugins: Catalogue = {
  name: 'million-plugins',
  pluginCount: 1_000_000,
  chartedPluginCount: 1000,
  linesPerPlugin: 1,
  piesPerPlugin: 0,
  slotCount: slots.day,
};

/** 100 plugins whose 1,000 lines have ten years of history: 175 million points. */
export const tenYearsLong: Catalogue = {
  name: 'ten-years-long',
  pluginCount: 100,
  linesPerPlugin: 10,
  piesPerPlugin: 2,
  slotCount: slots.tenYears,
};

/** The uid of a chart by its place in its plugin; lines come first. */
export function uidOf(catalogue: Catalogue, pluginId: number, index: number): number {
  return (pluginId - 1) * (catalogue.linesPerPlugin + catalogue.piesPerPlugin) + index + 1;
}

/** The ids of all plugins. */
export function pluginIds(catalogue: Catalogue): number[] {
  return Array.from({ length: catalogue.pluginCount }, (_, index) => index + 1);
}

/** True for a plugin with charts. */
export function hasCharts(catalogue: Catalogue, pluginId: number): boolean {
  return pluginId <= (catalogue.chartedPluginCount ?? catalogue.pluginCount);
}

/** The lines of one plugin. */
export function linesOf(catalogue: Catalogue, pluginId: number): CatalogueLine[] {
  if (!hasCharts(catalogue, pluginId)) return [];
  const isFull = (pluginId - 1) % (catalogue.fullHistoryEvery ?? 1) === 0;
  const slotCount = isFull ? catalogue.slotCount : Math.min(slots.day, catalogue.slotCount);
  return Array.from({ length: catalogue.linesPerPlugin }, (_, index) => {
    const uid = uidOf(catalogue, pluginId, index);
    const chartId = ['servers', 'players'][index] ?? `line${index}`;
    return { pluginId, chartId, uid, seed: uid, kind: catalogue.kind ?? kindOf(uid), slotCount };
  });
}

/** The id of a chart that is not a line, by its place among those of its plugin. */
export function pieId(index: number): string {
  return `pie${index}`;
}

/** Every line with the full history of the catalogue, plugin by plugin. */
export function fullLines(catalogue: Catalogue): CatalogueLine[] {
  return pluginIds(catalogue)
    .filter((pluginId) => (pluginId - 1) % (catalogue.fullHistoryEvery ?? 1) === 0)
    .flatMap((pluginId) => linesOf(catalogue, pluginId));
}

/** Counts the points of all lines. */
export function pointCountOf(catalogue: Catalogue): number {
  const lines = pluginIds(catalogue).flatMap((id) => linesOf(catalogue, id));
  return lines.reduce((count, line) => count + linePoints(line).length, 0);
}

/** The path of the data of a chart. */
export function dataPath(chart: { readonly pluginId: number; readonly chartId: string }, query = ''): string {
  return `/api/v1/plugins/${chart.pluginId}/charts/${chart.chartId}/data${query}`;
}

/** The first busy line with all its history of which a month is 29 to 30 KB of JSON. */
export function exampleLine(catalogue: Catalogue): CatalogueLine {
  const line = fullLines(catalogue).find((candidate) => {
    if (candidate.kind !== 'busy') return false;
    const [month] = pointTexts(linePoints(candidate).slice(-slots.month), slots.month);
    const sizeBytes = month?.length ?? 0;
    return sizeBytes >= 29_000 && sizeBytes <= 30_000;
  });
  if (line === undefined) throw new Error(`no line of ${catalogue.name} is as busy as that`);
  return line;
}

function kindOf(uid: number): LineKind {
  const share = createRandom(`kind ${uid}`).next();
  return share < 0.2 ? 'busy' : share < 0.5 ? 'small' : 'dead';
}
