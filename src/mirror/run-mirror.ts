/** One run of a mirror: copies each plugin in its own transaction, then the software. */
import { AppError, isAppError, throwUnexpected } from '../model/app-error.ts';
import type { Software } from '../model/catalogue.ts';
import { copyRecords, noCounts } from '../model/copy-records.ts';
import { latestTimestampAt } from '../model/future-points.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { RecordSource, SoftwareFields } from '../model/metrics-record.ts';
import { noRemovals } from '../model/metrics-remover.ts';
import type { StoreWriter } from '../model/metrics-writer.ts';
import type { Store } from '../model/store.ts';
import { fetchArchive, type ReadArchive } from '../upstream/archives/fetch-archive.ts';
import type { UpstreamServer } from '../upstream/connection/upstream-server.ts';
import { type CopyRules, takesPlugin } from '../upstream/copy-rules.ts';
import { fetchPlugin, softwareSource } from '../upstream/fetch-plugin.ts';
import type { GivenSoftware, UpstreamSoftware } from '../upstream/parse-lists.ts';
import type { ReceivedPlugin, SoftwareUser } from '../upstream/received-plugin.ts';
import { elementOf, fetchLists, type UpstreamLists } from '../upstream/upstream-lists.ts';
import type { MirrorProgress } from './mirror-progress.ts';

/** Describes the source, what to copy, and the store to fill. */
export interface RunOptions {
  readonly store: Store;
  readonly server: UpstreamServer;
  readonly readArchive: ReadArchive;
  /** Plugins to copy; undefined for the whole plugin list. */
  readonly pluginIds: readonly number[] | undefined;
  /** Maximum number of points per line for the first run; undefined for no limit. */
  readonly maxElements: number | undefined;
  /** Names and `url`s of software for which the source sends only ids. */
  readonly givenSoftware: readonly GivenSoftware[];
  readonly trimsLeadingZeros: boolean;
  /** Step of the histories of shares, in milliseconds; undefined to keep no histories. */
  readonly historyStepMs: number | undefined;
  /** True to also copy what was removed or pruned from the store. */
  readonly isAgain: boolean;
  /** True to also copy points more than a day ahead of the clock. */
  readonly allowsFuture: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called for each failure as it happens, with the plugin id if there is one. */
  readonly onFailure: (error: AppError, pluginId?: number) => void;
}

/** Number of consecutive plugins without a response after which the source counts as down. */
const downAfter = 5;

/**
 * Runs once, and updates the counts of `progress`. If a plugin cannot be copied, the run reports and counts
 * it and goes on. An aborted signal ends the run without an error.
 * @throws AppError if nothing can be copied: the plugin list fails, or the store cannot be used.
 */
export async function runMirror(options: RunOptions, progress: MirrorProgress): Promise<void> {
  const onFailure: RunOptions['onFailure'] = (...failure) => {
    progress.failedCount++;
    options.onFailure(...failure);
  };
  try {
    const lists = await fetchLists(options.server, onFailure);
    await using run = new MirrorRun({ ...options, onFailure, lists }, progress);
    await run.run();
  } catch (error) {
    if (!options.signal.aborted) throw error;
    progress.isInterrupted = true;
  }
}

class MirrorRun implements AsyncDisposable {
  readonly #options: RunOptions & { readonly lists: UpstreamLists };
  readonly #progress: MirrorProgress;
  readonly #storedIds = new Set<number>();
  /** Undefined while the store does not exist. */
  #stored: MetricsReader | undefined;
  /** Loaded for each plugin, and again before the plugin is written. */
  #removals = noRemovals;
  #hasArchives: boolean;
  #unansweredCount = 0;

  constructor(options: RunOptions & { readonly lists: UpstreamLists }, progress: MirrorProgress) {
    this.#options = options;
    this.#progress = progress;
    this.#hasArchives = options.lists.hasArchives;
  }

  async run(): Promise<void> {
    await this.#openStored();
    const ids = await this.#wantedIds();
    this.#progress.wantedCount = ids.length;
    // New plugins go first, so that a run resumes where an interrupted one stopped.
    const isStored = (id: number) => Number(this.#storedIds.has(id));
    for (const id of ids.toSorted((a, b) => isStored(a) - isStored(b))) await this.#mirrorPlugin(id);
    await this.#mirrorSoftware();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stored?.[Symbol.asyncDispose]();
  }

  async #wantedIds(): Promise<readonly number[]> {
    const { pluginIds, lists } = this.#options;
    if (pluginIds !== undefined) return pluginIds;
    const { url, elements } = await lists.plugins();
    if (elements.size === 0) throw new AppError('not_found', 'there is no plugin list', { place: url });
    return [...elements.keys()].sort((a, b) => a - b);
  }

  async #mirrorPlugin(id: number): Promise<void> {
    if (this.#unansweredCount >= downAfter) {
      this.#progress.skippedCount++;
      return;
    }
    try {
      this.#removals = await this.#options.store.loadRemovals(id);
      if (!this.#takesPlugin(id)) return;
      await using plugin = await this.#receivePlugin(id);
      this.#unansweredCount = 0;
      await this.#writePlugin(plugin);
    } catch (error) {
      refuseOwn(error);
      this.#unansweredCount = error.code === 'unavailable' ? this.#unansweredCount + 1 : 0;
      this.#options.onFailure(error, id);
    }
  }

  /** Fetches a plugin as an archive, or chart by chart if the server has no archives. */
  async #receivePlugin(id: number): Promise<ReceivedPlugin> {
    const { historyStepMs, now } = this.#options;
    // All charts of a plugin get the same time.
    const time = now();
    const historyAt = historyStepMs === undefined ? undefined : time - (time % historyStepMs);
    const options = { ...this.#options, ...this.#copyRules(), stored: this.#stored, historyAt };
    if (this.#hasArchives) {
      const archived = await fetchArchive(options, id);
      if (archived !== undefined) return archived;
      this.#hasArchives = false;
    }
    return await fetchPlugin(options, id);
  }

  async #writePlugin(plugin: ReceivedPlugin): Promise<void> {
    const { id, place } = plugin;
    await using writer = await this.#openWriter();
    // Fetching, and waiting for another writer, may have taken minutes: it may have been removed meanwhile.
    this.#removals = await this.#options.store.loadRemovals(id);
    if (!this.#takesPlugin(id)) return;
    const all = await this.#listSoftware();
    const choose = (user: SoftwareUser, listed: SoftwareFields | undefined) => {
      const isIt = (one: UpstreamSoftware) => one.id === user.software.id;
      const [stored, given] = [all.find(isIt), this.#options.givenSoftware.find(isIt)];
      return softwareToStore({ listed, stored, given, plugin: user, place, hasPlugin: this.#hasPlugin });
    };
    await this.#write(plugin.source(choose, this.#copyRules()), writer);
    this.#storedIds.add(id);
    this.#progress.doneCount++;
    if (this.#stored === undefined) await this.#openStored();
  }

  /** Decides if a plugin is copied; if not, it no longer counts as wanted. */
  #takesPlugin(id: number): boolean {
    const isTaken = takesPlugin(this.#copyRules(), id);
    if (!isTaken) this.#progress.wantedCount--;
    return isTaken;
  }

  #copyRules(): CopyRules {
    const { isAgain, allowsFuture, now } = this.#options;
    return {
      removals: this.#removals,
      isAgain,
      latestTimestamp: latestTimestampAt(now(), { allowsFuture }),
      leftOut: this.#progress.leftOut,
    };
  }

  /**
   * Stores global plugins that were copied after their software; when all plugins are copied, also stores
   * software without plugins.
   */
  async #mirrorSoftware(): Promise<void> {
    const { lists, pluginIds, onFailure } = this.#options;
    const { url, elements } = lists.software;
    const storedIds = new Set((await this.#listSoftware()).map(({ id }) => id));
    const wanted: SoftwareFields[] = [];
    const report = (error: unknown) => {
      refuseOwn(error);
      onFailure(error);
    };
    for (const id of elements.keys()) {
      if (pluginIds !== undefined && !storedIds.has(id)) continue;
      try {
        const element = elementOf(lists.software, id);
        if (element !== undefined) wanted.push(withStoredGlobal(element, this.#hasPlugin));
      } catch (error) {
        if (pluginIds === undefined) report(error);
      }
    }
    if (wanted.length === 0) return;
    try {
      await using writer = await this.#openWriter();
      await this.#write(softwareSource(wanted, url), writer);
    } catch (error) {
      report(error);
    }
  }

  #openWriter(): ReturnType<Store['openWriter']> {
    return this.#options.store.openWriter({
      latestTimestamp: this.#copyRules().latestTimestamp,
      keepsPruned: !this.#options.isAgain,
    });
  }

  async #write(source: RecordSource, writer: StoreWriter): Promise<void> {
    const counts = noCounts();
    await copyRecords(source, writer, counts);
    await writer.commit();
    const { counts: all } = this.#progress;
    for (const kind of Object.keys(all) as (keyof typeof all)[]) all[kind] += counts[kind];
  }

  readonly #hasPlugin = (id: number): boolean => this.#storedIds.has(id);

  async #listSoftware(): Promise<readonly Software[]> {
    return (await this.#stored?.read((view) => view.listSoftware())) ?? [];
  }

  /** Opens the store if it exists. */
  async #openStored(): Promise<void> {
    try {
      this.#stored = await this.#options.store.openReader();
    } catch (error) {
      if (isAppError(error, 'not_found')) return;
      throw error;
    }
    for await (const batch of this.#stored.stream((view) => view.listPlugins()))
      for (const { id } of batch) this.#storedIds.add(id);
  }
}

/**
 * Rethrows a failure of the store, recognized by its missing place: the other plugins cannot be stored
 * either.
 */
function refuseOwn(error: unknown): asserts error is AppError {
  throwUnexpected(error);
  if (error.place === undefined) throw error;
}

/** Known facts about a software, by origin. */
interface SoftwareEvidence {
  /** Its element of the software list. */
  readonly listed: SoftwareFields | undefined;
  readonly stored: Software | undefined;
  /** Name and `url` given by the user. */
  readonly given: GivenSoftware | undefined;
  /** The plugin that refers to the software. */
  readonly plugin: SoftwareUser;
  /** URL of the plugin, for messages. */
  readonly place: string;
  /** Returns true if the store has the plugin. */
  readonly hasPlugin: (id: number) => boolean;
}

/**
 * Takes the software from the list, or else from the plugin, the store or the user, in this order.
 * @throws AppError `invalid` if no origin has both the name and the `url`.
 */
function softwareToStore({
  listed,
  stored,
  given,
  plugin,
  place,
  hasPlugin,
}: SoftwareEvidence): SoftwareFields {
  const { id } = plugin.software;
  const name = listed?.name ?? plugin.software.name ?? stored?.name ?? given?.name;
  const url = listed?.url ?? plugin.software.url ?? stored?.url ?? given?.url;
  if (name === undefined || url === undefined)
    throw new AppError(
      'invalid',
      `the software ${id} has no name and url: neither the plugin nor /api/v1/software nor /api/v2/software names them; --software ${id}=URL:NAME does`,
      { place },
    );
  // Without a list, a plugin that calls itself global is the global plugin of its software.
  const unlisted = plugin.isGlobal ? plugin.id : (stored?.globalPlugin?.id ?? null);
  const globalPluginId = listed === undefined ? unlisted : listed.globalPluginId;
  const isThere = (one: number) => one === plugin.id || hasPlugin(one);
  return withStoredGlobal({ id, name, url, globalPluginId }, isThere);
}

/** Removes a global plugin that the store does not have yet. */
function withStoredGlobal(software: SoftwareFields, hasPlugin: (id: number) => boolean): SoftwareFields {
  const { globalPluginId } = software;
  return globalPluginId === null || hasPlugin(globalPluginId)
    ? software
    : { ...software, globalPluginId: null };
}
