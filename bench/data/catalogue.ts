/** Generated catalogues: plugins, charts, and the length and kind of their lines. */
import { pointTexts } from '../../catalogues/lines.ts';
import { createRandom } from '../../catalogues/random.ts';
import { type LineKind, linePoints, slots } from './line-points.ts';

/** A catalogue; equal descriptions always give equal data. */
export interface Catalogue {
  /** Name of the files with the data. */
  readonly name: string;
  readonly pluginCount: number;
  /** Number of plugins with charts, counted from the first; all by default. */
  readonly chartedPluginCount?: number;
  readonly linesPerPlugin: number;
  /** Number of charts per plugin that are not lines. */
  readonly piesPerPlugin: number;
  /** History per line, in half-hours. */
  readonly slotCount: number;
  /**
   * Interval n between plugins whose lines have the full history, while the other lines have one day; 1 by
   * default.
   */
  readonly fullHistoryEvery?: number;
}

/** One line of a catalogue. */
export interface CatalogueLine {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  /** Seed of the values. */
  readonly seed: number;
  readonly kind: LineKind;
  readonly slotCount: number;
}

/**
 * An ecosystem: 30,000 plugins, 360,000 charts, and 60,000 lines, 20,000 of which have a month of history.
 */
export const ecosystem: Catalogue = {
  name: 'ecosystem',
  pluginCount: 30_000,
  linesPerPlugin: 2,
  piesPerPlugin: 10,
  slotCount: slots.month,
  fullHistoryEvery: 3,
};

/** A million plugins, whose list takes about 145 MB; 1,000 of them have a line with a day of points. */
export const millionPlugins: Catalogue = {
  name: 'million-plugins',
  pluginCount: 1_000_000,
  chartedPluginCount: 1000,
  linesPerPlugin: 1,
  piesPerPlugin: 0,
  slotCount: slots.day,
};

/** Returns the uid of a chart by its index within its plugin; lines come first. */
export function uidOf(catalogue: Catalogue, pluginId: number, index: number): number {
  return (pluginId - 1) * (catalogue.linesPerPlugin + catalogue.piesPerPlugin) + index + 1;
}

/** Returns the ids of all plugins. */
export function pluginIds(catalogue: Catalogue): number[] {
  return Array.from({ length: catalogue.pluginCount }, (_, index) => index + 1);
}

/** True for a plugin with charts. */
export function hasCharts(catalogue: Catalogue, pluginId: number): boolean {
  return pluginId <= (catalogue.chartedPluginCount ?? catalogue.pluginCount);
}

/** Returns the lines of one plugin. */
export function linesOf(catalogue: Catalogue, pluginId: number): CatalogueLine[] {
  if (!hasCharts(catalogue, pluginId)) return [];
  const isFull = (pluginId - 1) % (catalogue.fullHistoryEvery ?? 1) === 0;
  const slotCount = isFull ? catalogue.slotCount : Math.min(slots.day, catalogue.slotCount);
  return Array.from({ length: catalogue.linesPerPlugin }, (_, index) => {
    const uid = uidOf(catalogue, pluginId, index);
    const chartId = ['servers', 'players'][index] ?? `line${index}`;
    return { pluginId, chartId, uid, seed: uid, kind: kindOf(uid), slotCount };
  });
}

/** Returns the id of a chart that is not a line, by its index among those of its plugin. */
export function pieId(index: number): string {
  return `pie${index}`;
}

/** Returns all lines with the full history, plugin by plugin. */
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

/** Returns the path of the data of a chart. */
export function dataPath(chart: { readonly pluginId: number; readonly chartId: string }, query = ''): string {
  return `/api/v1/plugins/${chart.pluginId}/charts/${chart.chartId}/data${query}`;
}

/** Finds the first busy line with the full history whose last month takes 29 to 30 KB of JSON. */
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

/** 20% of the lines are busy, 30% small, 50% dead. */
function kindOf(uid: number): LineKind {
  const share = createRandom(`kind ${uid}`).next();
  return share < 0.2 ? 'busy' : share < 0.5 ? 'small' : 'dead';
}
