/**
 * Takes reports: checks them against the catalogue, and keeps their contributions to charts until their slot
 * is closed.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AppError, type ErrorKind, isAppError, quote, unknownPlugin } from '../model/app-error.ts';
import type { CollectedCatalogue, CollectedPlugin } from './collected-catalogue.ts';
import type { FindCountry } from './country-file.ts';
import { parseReport, type ReportedCharts, type ReportedPlugin, type ServerReport } from './report.ts';
import { hashBits, renderPlugin } from './report-line.ts';
import type { KeepOutcome, ReportQueue } from './report-queue.ts';
import { type DroppedCharts, valuesForCharts } from './report-values.ts';
import type { CurrentSlot, SlotClock } from './slot-clock.ts';

/** The parts of a collector. */
export interface CollectorOptions {
  readonly catalogue: CollectedCatalogue;
  readonly queue: ReportQueue;
  readonly clock: SlotClock;
  readonly now: () => number;
  /** Finds the country of an address; undefined if it is unknown. */
  readonly findCountry: FindCountry;
  /** Called when a report is accepted, with the charts in it that are not counted for a plugin. */
  readonly onDropped: (slot: number, pluginId: number, dropped: DroppedCharts) => void;
  /**
   * Called with the number of plugins that a report does not count for, because its address is at its limit
   * of servers.
   */
  readonly onAddressLimit: (slot: number, pluginCount: number) => void;
}

/** The memory charged for a report. */
export interface ReportHolding {
  /** Charges up to a size. @throws AppError `unavailable`, `overloaded` if the address holds too much. */
  growTo(sizeBytes: number): void;
}

/** Origin of a report: its software and its address. */
export interface ReportOrigin {
  readonly softwareUrl: string;
  /** The address, for its country. */
  readonly address: string;
  /** The address or the network for counting reports. */
  readonly network: string;
  /** The memory charged for it: at least its size as text. */
  readonly held: ReportHolding;
}

/** The plugins of the catalogue that a report counts for. */
interface FoundPlugins {
  readonly plugins: readonly (readonly [CollectedPlugin, ReportedPlugin])[];
  readonly globalPlugin: CollectedPlugin | undefined;
}

/**
 * Length from which other requests get a turn between parsing and counting a report: each step takes some 40
 * ms for a megabyte of names.
 */
const largeReportLength = 64 * 1024;

/**
 * Bytes charged per plugin, for the memory of its default charts: a report may list a thousand plugins in a
 * few kilobytes.
 */
const pluginBytes = 256;

/** A collector. */
export class Collector {
  readonly #options: CollectorOptions;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /**
   * Takes a report. Resolves when it is on disk.
   * @param text valid UTF-8.
   * @throws AppError with the kinds `malformed-report`, `unknown-software`, `unknown-plugin`, `wrong-plugin`
   * (a global plugin, or one of another software), `reported-already`, `too-many-servers`, `overloaded`,
   * `store-unavailable`, and `slot-closed` if the clock was put back or differs from that of another
   * collector.
   */
  async take(text: string, origin: ReportOrigin): Promise<void> {
    const { clock, queue, onDropped, onAddressLimit } = this.#options;
    try {
      const { slot, submission, dropped } = await this.#submissionOf(text, origin);
      const outcomes = await queue.add(slot.start, submission);
      onAddressLimit(slot.start, outcomes.filter((outcome) => outcome === 'address_limit').length);
      if (!outcomes.includes('kept')) throw this.#refusal(outcomes, slot);
      for (const [pluginId, charts] of dropped) onDropped(slot.start, pluginId, charts);
    } catch (error) {
      if (isAppError(error, 'store-unavailable')) clock.noteFailure();
      throw error;
    }
  }

  /**
   * Finds the contributions of a report to charts. A separate method, so that the parsed report is freed
   * before its commit.
   */
  async #submissionOf(text: string, origin: ReportOrigin) {
    const report = parseReport(text);
    if (text.length > largeReportLength) await setImmediate();
    const { softwareUrl } = origin;
    const { plugins, globalPlugin } = await this.#findAll(report, softwareUrl);
    origin.held.growTo(text.length + pluginBytes * plugins.length);
    const country = this.#options.findCountry(origin.address);
    const server = { softwareUrl, fields: report.fields, country };
    const slot = await this.#options.clock.current();
    const hashes = {
      server: hashOf(slot, `server ${report.serverUuid}`),
      address: hashOf(slot, `address ${origin.network}`),
    };
    const dropped = new Map<number, DroppedCharts>();
    const textOf = ({ id, charts }: CollectedPlugin, pluginVersion: unknown, reported: ReportedCharts) => {
      const counted = valuesForCharts(charts, { ...server, pluginVersion }, reported);
      dropped.set(id, counted.dropped);
      return renderPlugin(id, counted.values);
    };
    const parts = {
      plugins: plugins.map(([plugin, { version, charts }]) => textOf(plugin, version, charts)),
      globalPlugin: globalPlugin ? textOf(globalPlugin, undefined, new Map()) : null,
    };
    return { slot, submission: { ...hashes, ...parts }, dropped };
  }

  /** Finds the plugins that a report counts for. */
  async #findAll(report: ServerReport, softwareUrl: string): Promise<FoundPlugins> {
    const { catalogue } = this.#options;
    const software = await catalogue.findSoftware(softwareUrl);
    if (software === undefined) {
      const nearest = await catalogue.nearestSoftware(softwareUrl);
      const hint = nearest === undefined ? '' : `; the nearest is ${quote(nearest)}`;
      const message = `there is no software ${quote(softwareUrl)}${hint}`;
      throw new AppError('unknown-software', message);
    }
    const found = new Map<number, readonly [CollectedPlugin, ReportedPlugin]>();
    for (const reported of report.plugins) {
      const { id, name } = reported;
      const plugin = await (id === undefined
        ? catalogue.findPluginNamed(softwareUrl, name)
        : catalogue.findPlugin(id));
      const fault = plugin === undefined ? unknownPlugin(id ?? 0) : faultOf(plugin, softwareUrl);
      if (fault !== undefined && !report.isOld) throw fault;
      // If a plugin is listed twice, the first entry counts.
      if (plugin !== undefined && fault === undefined && !found.has(plugin.id))
        found.set(plugin.id, [plugin, reported]);
    }
    if (found.size === 0) {
      const message = 'the store has none of the plugins in the report';
      throw new AppError('unknown-plugin', message);
    }
    const globalId = software.globalPlugin?.id;
    return {
      plugins: [...found.values()],
      globalPlugin: globalId === undefined ? undefined : await catalogue.findPlugin(globalId),
    };
  }

  #refusal(outcomes: readonly KeepOutcome[], slot: CurrentSlot): AppError {
    const seconds = Math.max(1, Math.ceil((slot.end - this.#options.now()) / 1000));
    const isOfAddress = outcomes.includes('address_limit');
    const reason = isOfAddress
      ? `the limit of ${this.#options.queue.maxPerAddress} servers of an address is reached`
      : 'this server has reported';
    const length = `${(slot.end - slot.start) / 60_000} min`;
    return new ReportedAlready(
      `${reason} in this slot of ${length}; the next begins in ${seconds} s`,
      seconds,
      isOfAddress ? 'too-many-servers' : 'reported-already',
    );
  }
}

/** The error for a client that must wait for the next slot. */
export class ReportedAlready extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, kind: ErrorKind) {
    super(kind, message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function faultOf(
  { id, isGlobal, softwareUrl: ownUrl }: CollectedPlugin,
  softwareUrl: string,
): AppError | undefined {
  if (!isGlobal && ownUrl === softwareUrl) return undefined;
  const fault = isGlobal
    ? 'counts all servers, and takes no reports of its own'
    : `is one of ${quote(ownUrl)}, not of ${quote(softwareUrl)}`;
  return new AppError('wrong-plugin', `plugin ${id} ${fault}`);
}

/**
 * Keyed, truncated SHA-256. The key fills a block and the hash is cut, so length extension does not apply.
 */
function hashOf({ key }: CurrentSlot, text: string): number {
  const digest = hash('sha256', Buffer.concat([key, Buffer.from(text)]));
  return Number.parseInt(digest.slice(0, hashBits / 4), 16);
}
