/** One run of a mirror: every wanted plugin as a transaction of its own, then the software. */
import { AppError } from '../../model/app-error.ts';
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { RecordSource, SoftwareFields } from '../../model/metrics-record.ts';
import type { Software } from '../../model/software.ts';
import type { Store } from '../../model/store.ts';
import { inParallel } from '../../upstream/in-parallel.ts';
import { type LeavingOut, takesPlugin } from '../../upstream/leaving-out.ts';
import { softwareToStore, withStoredGlobal } from '../../upstream/software-to-store.ts';
import type { UpstreamLists } from '../../upstream/upstream-lists.ts';
import {
  pluginSource,
  readUpstreamPlugin,
  softwareSource,
  type UpstreamPlugin,
  withoutRemoved,
} from '../../upstream/upstream-plugin.ts';
import type { UpstreamServer } from '../../upstream/upstream-server.ts';
import type { GivenSoftware } from './given-software.ts';
import type { MirrorProgress } from './mirror-progress.ts';

/** What is mirrored, from where to where. */
export interface MirrorOptions {
  readonly store: Store;
  readonly server: UpstreamServer;
  readonly lists: UpstreamLists;
  /** Undefined for every plugin of the plugin list. */
  readonly pluginIds: readonly number[] | undefined;
  readonly maxElements: number | undefined;
  /** Names and urls that the user gives for software that the source names by its id alone. */
  readonly givenSoftware: readonly GivenSoftware[];
  readonly trimsLeadingZeros: boolean;
  /** Copies what was removed from the store, or pruned, as well. */
  readonly isAgain: boolean;
  /** Copies points more than a day ahead of the clock as well. */
  readonly allowsFuture: boolean;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Told of each failure as it happens. */
  readonly onFailure: (error: AppError) => void;
}

/** With so many plugins in a row for which the source did not answer, it is away. */
const awayAfter = 5;

/**
 * Runs once. What could not be had is told and counted; the rest is stored.
 * @returns the progress when the run ended, with the signal aborted or not.
 * @throws AppError where nothing can be had or stored: no list, no store.
 */
export async function runMirror(options: MirrorOptions, progress: MirrorProgress): Promise<void> {
  await using run = new MirrorRun(options, progress);
  try {
    await run.run();
  } catch (error) {
    if (!options.signal.aborted) throw error;
    progress.isInterrupted = true;
  }
}

class MirrorRun implements AsyncDisposable {
  readonly #options: MirrorOptions;
  readonly #progress: MirrorProgress;
  readonly #storedIds = new Set<number>();
  #stored: MetricsReader | undefined;
  /** Ends when the write before has ended: a store has one writer. */
  #writing: Promise<unknown> = Promise.resolve();
  #unansweredCount = 0;

  constructor(options: MirrorOptions, progress: MirrorProgress) {
    this.#options = options;
    this.#progress = progress;
  }

  async run(): Promise<void> {
    const { concurrency } = this.#options;
    await this.#openStored();
    await this.#askSoftwareList();
    const ids = await this.#wantedIds();
    this.#progress.wantedCount = ids.length;
    // Those that are not there yet come first: an interrupted run goes on where it stopped.
    const order = [
      ...ids.filter((id) => !this.#storedIds.has(id)),
      ...ids.filter((id) => this.#storedIds.has(id)),
    ];
    await inParallel(order, concurrency, (id) => this.#mirrorPlugin(id));
    await this.#mirrorSoftware();
  }

  /** A malformed list is a failure, but plugins that name their software are copied all the same. */
  async #askSoftwareList(): Promise<void> {
    const { lists, server } = this.#options;
    try {
      await lists.software(server);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
      this.#fail(error);
      lists.giveUpSoftware(error.place ?? '');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#stored?.[Symbol.asyncDispose]();
  }

  async #wantedIds(): Promise<readonly number[]> {
    const { pluginIds, lists, server } = this.#options;
    if (pluginIds !== undefined) return pluginIds;
    const { url, elements } = await lists.plugins(server);
    if (elements.size === 0) throw new AppError('not_found', 'there is no plugin list', { place: url });
    return [...elements.keys()].sort((a, b) => a - b);
  }

  async #mirrorPlugin(id: number): Promise<void> {
    if (this.#unansweredCount >= awayAfter) {
      this.#progress.skippedCount++;
      return;
    }
    try {
      const leavingOut = await this.#leavingOut();
      if (!takesPlugin(leavingOut, id)) {
        this.#progress.wantedCount--;
        return;
      }
      const plugin = await readUpstreamPlugin({ ...this.#options, ...leavingOut, stored: this.#stored }, id);
      this.#unansweredCount = 0;
      await this.#inTurn(() => this.#writePlugin(plugin));
    } catch (error) {
      if (!(error instanceof AppError) || isOfStore(error)) throw error;
      this.#unansweredCount = error.code === 'unavailable' ? this.#unansweredCount + 1 : 0;
      this.#progress.failedCount++;
      this.#options.onFailure(error);
    }
  }

  async #writePlugin(told: UpstreamPlugin): Promise<void> {
    // Reading may have taken minutes, and the plugin may have been removed meanwhile.
    const leavingOut = await this.#leavingOut();
    if (!takesPlugin(leavingOut, told.fields.id)) {
      this.#progress.wantedCount--;
      return;
    }
    const plugin = withoutRemoved(told, leavingOut);
    const { fields, listedSoftware: listed, place } = plugin;
    const stored = (await this.#listSoftware()).find(({ id }) => id === fields.software.id);
    let software: SoftwareFields;
    try {
      software = softwareToStore({ listed, stored, plugin: fields, hasPlugin: this.#hasPlugin });
    } catch (error) {
      throw error instanceof AppError ? error.at(place) : error;
    }
    await this.#write(pluginSource(plugin, software));
    this.#storedIds.add(fields.id);
    this.#progress.doneCount++;
    if (this.#stored === undefined) await this.#openStored();
  }

  async #leavingOut(): Promise<LeavingOut> {
    const { store, isAgain } = this.#options;
    return {
      removals: await store.loadRemovals(),
      isAgain,
      latestTimestamp: this.#latestTimestamp(),
      leftOut: this.#progress.leftOut,
    };
  }

  #latestTimestamp(): number {
    const { allowsFuture, now } = this.#options;
    return latestTimestampAt(now(), { allowsFuture });
  }

  /** Global plugins that have come behind their software; and with all plugins, the software that has none. */
  async #mirrorSoftware(): Promise<void> {
    const { lists, server, pluginIds } = this.#options;
    const { url, elements } = await lists.software(server);
    const stored = new Map((await this.#listSoftware()).map((one) => [one.id, one]));
    const wanted: SoftwareFields[] = [];
    for (const [id, element] of elements) {
      if (element instanceof AppError) {
        if (pluginIds === undefined) this.#fail(element.at(url));
        continue;
      }
      const software = withStoredGlobal(element, this.#hasPlugin);
      const before = stored.get(id);
      if (before === undefined ? pluginIds === undefined : isOther(before, software)) wanted.push(software);
    }
    if (wanted.length === 0) return;
    try {
      await this.#inTurn(() => this.#write(softwareSource(wanted, url)));
    } catch (error) {
      if (!(error instanceof AppError) || isOfStore(error)) throw error;
      this.#fail(error);
    }
  }

  #fail(error: AppError): void {
    this.#progress.failedCount++;
    this.#options.onFailure(error);
  }

  async #write(source: RecordSource): Promise<void> {
    const counts = noCounts();
    await using writer = await this.#options.store.openWriter({ latestTimestamp: this.#latestTimestamp() });
    await copyRecords(source, writer, counts);
    await writer.commit();
    this.#progress.chartCount += counts.chart;
    this.#progress.pointCount += counts.point;
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const turn = this.#writing.catch(() => {}).then(write);
    this.#writing = turn;
    return turn;
  }

  readonly #hasPlugin = (id: number): boolean => this.#storedIds.has(id);

  async #listSoftware(): Promise<readonly Software[]> {
    return (await this.#stored?.listSoftware()) ?? [];
  }

  /** Opens the store, if it is there. */
  async #openStored(): Promise<void> {
    try {
      this.#stored = await this.#options.store.openReader();
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return;
      throw error;
    }
    for await (const batch of this.#stored.listPlugins()) for (const { id } of batch) this.#storedIds.add(id);
  }
}

/** A failure of the store itself has no place among what is read: nothing else can be stored either. */
function isOfStore(error: AppError): boolean {
  return error.place === undefined;
}

function isOther(stored: Software, software: SoftwareFields): boolean {
  return (
    stored.name !== software.name ||
    stored.url !== software.url ||
    (stored.globalPlugin?.id ?? null) !== software.globalPluginId
  );
}
