/** The part of the catalogue that reports need, cached until the catalogue changes. */
import { isAppError } from '../model/app-error.ts';
import { nameSchema, type Software } from '../model/catalogue.ts';
import type { MetricsReader, MetricsView } from '../model/metrics-reader.ts';
import { nearestName } from '../model/names.ts';
import { clampOf } from './chart-filter.ts';
import type { CountedChart } from './report-values.ts';

/** A plugin with its counted charts. */
export interface CollectedPlugin {
  readonly id: number;
  readonly softwareUrl: string;
  readonly isGlobal: boolean;
  readonly charts: readonly CountedChart[];
}

/** Interval at which the generation of the store is read, which costs as much as a report. */
const lookMs = 100;

/** The most plugins and names in memory: with a dozen charts for each plugin, some 100 MB. */
const maxKnownPlugins = 50_000;

/** The most software that is compared with an unknown name, which takes a millisecond. */
const maxCompared = 100;

const namePattern = new RegExp(nameSchema.pattern, 'u');

/**
 * The catalogue of a store. New things are found at once, changes within a tenth of a second. All methods
 * reject as the reader does.
 */
export class CollectedCatalogue {
  readonly #reader: MetricsReader;
  /** The parts of one state that have been read: software by url, plugins by id and by name. */
  #parts = new Map<number | string, Promise<unknown>>();
  #generation: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(reader: MetricsReader) {
    this.#reader = reader;
  }

  /** Finds a software by its url. */
  findSoftware(url: string): Promise<Software | undefined> {
    return this.#read(url, async (view) => (await view.listSoftware()).find((one) => one.url === url));
  }

  /** Finds the url nearest to a text, among a limited number of software; undefined without any. */
  nearestSoftware(text: string): Promise<string | undefined> {
    return this.#reader.read(async (view) => {
      const software = await view.listSoftware();
      return nearestName(
        text,
        software.slice(0, maxCompared).map(({ url }) => url),
      );
    });
  }

  /** Finds a plugin. */
  findPlugin(pluginId: number): Promise<CollectedPlugin | undefined> {
    return this.#read(pluginId, (view) => loadPlugin(view, pluginId));
  }

  /** Finds a plugin of a software by its name or a former name, as `MetricsView.findPluginNamed`. */
  async findPluginNamed(softwareUrl: string, name: string): Promise<CollectedPlugin | undefined> {
    if (!namePattern.test(name)) return undefined;
    const plugin = await this.#read(`${softwareUrl} ${name}`, (view) =>
      view.findPluginNamed(softwareUrl, name),
    );
    return plugin && this.findPlugin(plugin.id);
  }

  #read<Part>(key: number | string, load: (view: MetricsView) => Promise<Part>): Promise<Part> {
    this.#look();
    const parts = this.#parts;
    const known = parts.get(key) as Promise<Part> | undefined;
    if (known !== undefined) return known;
    if (parts.size >= maxKnownPlugins) parts.clear();
    const read = this.#reader.read(load);
    parts.set(key, read);
    const forget = () => parts.delete(key);
    // It may be added at any time.
    read.then((part) => part ?? forget(), forget);
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
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}
