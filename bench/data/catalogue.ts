/** Catalogues of made-up plugins: which charts there are, how long and how busy their lines are. */
import type { LineKind } from './line-values.ts';
import { createRandom } from './random.ts';

/** What a catalogue holds; the same description is always the same data. */
export interface Catalogue {
  /** Of the files that hold it. */
  readonly name: string;
  readonly pluginCount: number;
  readonly linesPerPlugin: number;
  /** Charts that are no lines. */
  readonly snapshotsPerPlugin: number;
  /** Half-hours of history of a line. */
  readonly slotCount: number;
  /** Only the lines of every n-th plugin have all that history, the others a day of it. */
  readonly fullHistoryEvery: number;
  /** Of every line; left out: 20% busy, 30% small, 50% dead. */
  readonly kind?: LineKind;
}

/** One line of a catalogue. */
export interface CatalogueLine {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  readonly kind: LineKind;
  readonly slotCount: number;
}

/** Half an hour, the time between two points. */
export const slotMs = 30 * 60 * 1000;

/** The time of the last point of every line: the first of January 2025, UTC. */
export const lastTimestamp = Date.UTC(2025, 0, 1);

/** Half-hours of a day, a month as the interface counts it, a year, ten years. */
export const slots = { day: 48, month: 1440, year: 17_520, tenYears: 175_200 } as const;

/** The uid of a chart by its place in its plugin; lines come first. */
export function uidOf(catalogue: Catalogue, pluginId: number, index: number): number {
  return (pluginId - 1) * (catalogue.linesPerPlugin + catalogue.snapshotsPerPlugin) + index + 1;
}

/** The lines of one plugin. */
export function linesOf(catalogue: Catalogue, pluginId: number): CatalogueLine[] {
  const slotCount =
    (pluginId - 1) % catalogue.fullHistoryEvery === 0
      ? catalogue.slotCount
      : Math.min(slots.day, catalogue.slotCount);
  return Array.from({ length: catalogue.linesPerPlugin }, (_, index) => {
    const uid = uidOf(catalogue, pluginId, index);
    return { pluginId, chartId: lineChartId(index), uid, kind: catalogue.kind ?? kindOf(uid), slotCount };
  });
}

/** Every line that has the whole history of the catalogue, plugin by plugin. */
export function fullLines(catalogue: Catalogue): CatalogueLine[] {
  return pluginIds(catalogue)
    .filter((pluginId) => (pluginId - 1) % catalogue.fullHistoryEvery === 0)
    .flatMap((pluginId) => linesOf(catalogue, pluginId));
}

/** The ids of all plugins. */
export function pluginIds(catalogue: Catalogue): number[] {
  return Array.from({ length: catalogue.pluginCount }, (_, index) => index + 1);
}

/** The path of the data of a chart. */
export function dataPath(chart: { readonly pluginId: number; readonly chartId: string }, query = ''): string {
  return `/api/v1/plugins/${chart.pluginId}/charts/${chart.chartId}/data${query}`;
}

function lineChartId(index: number): string {
  return ['servers', 'players'][index] ?? `line${index}`;
}

function kindOf(uid: number): LineKind {
  // Not the seed of its values, whose size would follow from its kind.
  const share = createRandom(-uid).next();
  return share < 0.2 ? 'busy' : share < 0.5 ? 'small' : 'dead';
}
