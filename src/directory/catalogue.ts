/** All plugins in memory. The position of a plugin is its index, by ascending id. */

import type { MetricsView } from '../model/metrics-reader.ts';
import { nextTurn } from '../model/next-turn.ts';
import type { OldName, Owner, PluginSummary } from '../model/plugin.ts';
import type { Software } from '../model/software.ts';
import { NameIndex, namesPerTurn } from './name-index.ts';
import { NameText } from './name-text.ts';
import { compareNames, isSameName } from './names.ts';
import { Orders } from './orders.ts';
import { StateCache } from './state-cache.ts';

/** A plugin. Owner and software objects are shared. */
export interface Entry extends PluginSummary {
  readonly owner: Owner & { readonly plugins: readonly Entry[] };
}

/** A software with the number of its plugins. */
export type SoftwareCount = PluginSummary['software'] & {
  /** Global plugins do not count. */
  readonly pluginCount: number;
};

/** Loads all plugins, a batch in a turn; rejects as the view does. */
export async function loadCatalogue(view: MetricsView): Promise<Catalogue> {
  const catalogue = new Catalogue(await view.listSoftware());
  for await (const plugins of view.listPlugins()) {
    for (const plugin of plugins) catalogue.add(plugin);
    await nextTurn();
  }
  for await (const oldNames of view.listOldNames()) {
    for (const oldName of oldNames) catalogue.addOldName(oldName);
    await nextTurn();
  }
  return catalogue;
}

/** The plugins of one state of the store. */
export class Catalogue {
  readonly #entries: Entry[] = [];
  readonly #ids: number[] = [];
  readonly #names = new NameIndex<Entry>();
  readonly #oldNames = new NameIndex<OldName>();
  readonly #owners = new Map<number, Entry['owner'] & { readonly plugins: Entry[] }>();
  readonly #ownerNames = new NameIndex<Owner>();
  readonly #software = new Map<number, PluginSummary['software']>();
  readonly #pluginCounts = new Map<number, number>();
  readonly #globalCounts = new Map<number, number>();
  readonly #orders = new Orders();
  readonly #nameText = new StateCache<NameText>();
  readonly #allSoftware: readonly Software[];

  constructor(allSoftware: readonly Software[]) {
    this.#allSoftware = allSoftware;
  }

  /** Adds a plugin whose id is greater than those before. */
  add(plugin: PluginSummary): void {
    const { id, name, isGlobal } = plugin;
    const owner = this.#owners.get(plugin.owner.id) ?? this.#addOwner(plugin.owner);
    const software = this.#software.get(plugin.software.id) ?? plugin.software;
    this.#software.set(software.id, software);
    const counts = isGlobal ? this.#globalCounts : this.#pluginCounts;
    counts.set(software.id, (counts.get(software.id) ?? 0) + 1);
    this.#ids.push(id);
    const entry = { id, name, owner, software, isGlobal };
    this.#names.add(entry);
    owner.plugins.push(entry);
    this.#entries.push(entry);
  }

  /** Adds a name that one of the plugins had. They come by ascending plugin id. */
  addOldName(oldName: OldName): void {
    this.#oldNames.add(oldName);
  }

  #addOwner({ id, name }: Owner): Entry['owner'] & { readonly plugins: Entry[] } {
    const owner = { id, name, plugins: [] };
    this.#owners.set(id, owner);
    this.#ownerNames.add(owner);
    return owner;
  }

  /** All plugins, global ones included. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The ids of all plugins, ascending. */
  listIds(): readonly number[] {
    return this.#ids;
  }

  /** All software with plugins, the one with the most plugins first. */
  listSoftware(): SoftwareCount[] {
    return Array.from(this.#software.values(), (software) => ({
      ...software,
      pluginCount: this.#pluginCounts.get(software.id) ?? 0,
    })).sort((a, b) => b.pluginCount - a.pluginCount || a.id - b.id);
  }

  /** Number of plugins of a software, global ones included. */
  countPlugins(softwareId: number): number {
    return (this.#pluginCounts.get(softwareId) ?? 0) + (this.#globalCounts.get(softwareId) ?? 0);
  }

  /** A software of the store, with plugins or without. */
  findSoftware(softwareUrl: string): Software | undefined {
    return this.#allSoftware.find(({ url }) => url === softwareUrl);
  }

  /**
   * The plugin with this name on this software, as {@link NameIndex.find} compares, or without one a plugin that had it; of several, the one
   * with the lowest id.
   */
  async findByName(softwareUrl: string, name: string): Promise<PluginSummary | undefined> {
    const isWanted = (entry: Entry | undefined) => entry?.software.url === softwareUrl;
    for await (const entries of this.#names.find(name)) {
      const entry = entries.find(isWanted);
      if (entry !== undefined) return summaryOf(entry);
    }
    for await (const oldNames of this.#oldNames.find(name)) {
      const entry = oldNames.map(({ pluginId }) => this.#find(pluginId)).find(isWanted);
      if (entry !== undefined) return summaryOf(entry);
    }
    return undefined;
  }

  /** The id of the owner with this name, as {@link NameIndex.find} compares; of several, the lowest. */
  async findOwnerId(name: string): Promise<number | undefined> {
    let found: Owner | undefined;
    for await (const owners of this.#ownerNames.find(name))
      for (const owner of owners) {
        // Owners with the exact name come before those with spaces for plus signs.
        if (found !== undefined && !isSameName(owner.name, found.name)) return found.id;
        if (found === undefined || owner.id < found.id) found = owner;
      }
    return found?.id;
  }

  /** An owner of plugins. */
  findOwner(ownerId: number): Entry['owner'] | undefined {
    return this.#owners.get(ownerId);
  }

  /**
   * Lists plugins of the same owner with the same name (ignoring case) on other software, by ascending id, at most `maxCount`.
   * Global plugins do not count.
   */
  async listNamesakes(pluginId: number, maxCount: number): Promise<PluginSummary[]> {
    const entry = this.#find(pluginId);
    if (entry === undefined || entry.isGlobal) return [];
    const found: PluginSummary[] = [];
    let count = 0;
    for (const other of entry.owner.plugins) {
      if (found.length === maxCount) break;
      if (++count % namesPerTurn === 0) await nextTurn();
      const { name, software, isGlobal } = other;
      if (!isGlobal && software.id !== entry.software.id && isSameName(name, entry.name))
        found.push(summaryOf(other));
    }
    return found;
  }

  /** All positions by name, ignoring case and accents; equal names by ascending id. */
  orderByName(descending: boolean): Promise<Uint32Array> {
    const entries = this.#entries;
    const direction = descending ? -1 : 1;
    const nameAt = (position: number) => entries[position]?.name ?? '';
    const compare = (a: number, b: number) => direction * compareNames(nameAt(a), nameAt(b)) || a - b;
    return this.#orders.get({ name: `${descending}`, count: entries.length, compare });
  }

  /** The names of all plugins as text, made with the first search. */
  nameText(): Promise<NameText> {
    return this.#nameText.get({ generation: 0, make: () => NameText.create(this.#entries) });
  }

  #find(pluginId: number): Entry | undefined {
    return this.#entries[this.positionOf(pluginId) ?? -1];
  }

  /** The position of a plugin; undefined for an unknown one. */
  positionOf(pluginId: number): number | undefined {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] ?? 0) < pluginId) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === pluginId ? low : undefined;
  }
}

/** The plugin of an entry, as the plugin list has it. */
export function summaryOf({ id, name, owner, software, isGlobal }: Entry): PluginSummary {
  return { id, name, owner: { id: owner.id, name: owner.name }, software, isGlobal };
}
