/** The part of the catalogue that reports are judged by, cached until the catalogue changes. */
import { AppError } from '../model/app-error.ts';
import type { MetricsReader, MetricsView } from '../model/metrics-reader.ts';
import type { Software } from '../model/software.ts';
import { clampOf } from './chart-filter.ts';
import type { CountedChart } from './report-values.ts';

/** A plugin with the charts that are counted. */
export interface CollectedPlugin {
  readonly id: number;
  readonly softwareUrl: string;
  readonly isGlobal: boolean;
  readonly charts: readonly CountedChart[];
}

/** Interval at which the generation of the store is looked at: that costs as much as a report. */
const lookMs = 100;

/** The most plugins in memory: with a dozen charts each, some 100 MB. */
const maxKnownPlugins = 50_000;

/** The catalogue of a store. All methods reject as the reader does. */
export class CollectedCatalogue {
  readonly #reader: MetricsReader;
  /** The parts of one state that have been read, plugins by their ids. */
  #parts = new Map<number | 'software' | 'names', Promise<unknown>>();
  #generation: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(reader: MetricsReader) {
    this.#reader = reader;
  }

  /** Looks at the store again with the next call; otherwise a change is seen within a tenth of a second. */
  refresh(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Finds a software by its url. */
  async findSoftware(url: string): Promise<Software | undefined> {
    return (await this.#read('software', loadSoftware)).get(url);
  }

  /** Finds a plugin. */
  findPlugin(pluginId: number): Promise<CollectedPlugin | undefined> {
    return this.#read(pluginId, (view) => loadPlugin(view, pluginId));
  }

  /** Finds a plugin of a software by its name, or by one that it had, without regard to case; of several, the one with the lowest id. */
  async findPluginNamed(softwareUrl: string, name: string): Promise<CollectedPlugin | undefined> {
    const pluginId = (await this.#read('names', loadNames)).get(nameKey(softwareUrl, name));
    return pluginId === undefined ? undefined : this.findPlugin(pluginId);
  }

  #read<Part>(key: number | 'software' | 'names', load: (view: MetricsView) => Promise<Part>): Promise<Part> {
    this.#look();
    const parts = this.#parts;
    const known = parts.get(key) as Promise<Part> | undefined;
    if (known !== undefined) return known;
    if (parts.size >= maxKnownPlugins) parts.clear();
    const read = this.#reader.read(load);
    parts.set(key, read);
    read.catch(() => parts.delete(key));
    return read;
  }

  /** Forgets everything if the catalogue has changed. */
  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < lookMs) return;
    this.#lookedAt = now;
    const generation = this.#reader.generation('catalogue');
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#parts = new Map();
  }
}

async function loadPlugin(view: MetricsView, pluginId: number): Promise<CollectedPlugin | undefined> {
  try {
    const { software, isGlobal } = await view.getPlugin(pluginId);
    const charts: CountedChart[] = [];
    for await (const batch of view.listCharts(pluginId))
      for (const { chartId, type, isDefault, data } of batch)
        charts.push({ chartId, type, isDefault, clamp: clampOf(data) });
    return { id: pluginId, softwareUrl: software.url, isGlobal, charts };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function loadSoftware(view: MetricsView): Promise<ReadonlyMap<string, Software>> {
  return new Map((await view.listSoftware()).map((software) => [software.url, software]));
}

async function loadNames(view: MetricsView): Promise<ReadonlyMap<string, number>> {
  const names = new Map<string, number>();
  const urls = new Map<number, string>();
  const add = (softwareUrl: string, name: string, pluginId: number) => {
    const key = nameKey(softwareUrl, name);
    if (!names.has(key)) names.set(key, pluginId);
  };
  // Both lists are by plugin id, and a present name comes before an old one.
  for await (const batch of view.listPlugins())
    for (const { id, name, software } of batch) {
      urls.set(id, software.url);
      add(software.url, name, id);
    }
  for await (const batch of view.listOldNames())
    for (const { pluginId, name } of batch) add(urls.get(pluginId) ?? '', name, pluginId);
  return names;
}

function nameKey(softwareUrl: string, name: string): string {
  return `${softwareUrl} ${name.toLowerCase()}`;
}
