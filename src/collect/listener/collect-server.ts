/** A collector with its listener: takes reports from the start until it is disposed of. */

import type { Limits } from '../../http/limits.ts';
import { ErrorLog, type LineStream } from '../../http/logs.ts';
import { HttpServer, type Timeouts } from '../../http/server.ts';
import type { ListenAddress } from '../../model/listen-address.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { type ReportStore, slotParts } from '../../model/report-store.ts';
import type { Store } from '../../model/store.ts';
import type { ClosedSlot, CloseSlot } from '../close-slot.ts';
import { CollectedCatalogue } from '../collected-catalogue.ts';
import { Collector } from '../collector.ts';
import type { Country } from '../default-values.ts';
import { DroppedValues } from '../dropped-values.ts';
import {
  lastClosingSeconds,
  openSlotReports,
  reportsAccepted,
  reportsRefused,
  slotsClosed,
  slotsLeftOut,
} from '../metrics.ts';
import { ReportBudget } from '../report-budget.ts';
import { ReportQueue } from '../report-queue.ts';
import { SlotClock } from '../slot-clock.ts';
import { createCollectAnswerer } from './collect-answerer.ts';

/** Options of a collector. */
export interface CollectOptions extends ListenAddress {
  readonly store: Store;
  /** The length of a slot. */
  readonly slotMs: number;
  readonly closeSlot: CloseSlot;
  /** The most servers of one address that count for a plugin in a slot. */
  readonly maxPerAddress: number;
  readonly trustedProxies: readonly string[];
  readonly limits: Partial<Limits>;
  readonly timeouts?: Partial<Timeouts>;
  readonly logStream: LineStream;
  /** Finds the country of an address; none is found when left out. */
  readonly findCountry?: (address: string) => Country | undefined;
  /** Unix milliseconds; the clock of this machine when left out. */
  readonly now?: () => number;
}

/** Interval at which slots are looked after, unless their parts are shorter. */
const tickMs = 1000;

/** A running collector. */
export class CollectServer implements AsyncDisposable {
  readonly #reader: MetricsReader;
  /** The reader and the reports. */
  #opened: AsyncDisposableStack | undefined;
  readonly #queue: ReportQueue;
  readonly #clock: SlotClock;
  readonly #answer: ReturnType<typeof createCollectAnswerer>;
  readonly #errorLog: ErrorLog;
  #server: HttpServer | undefined;
  readonly #logStream: LineStream;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #url = '';

  private constructor(options: CollectOptions, reader: MetricsReader, reports: ReportStore) {
    const { logStream, maxPerAddress, slotMs, closeSlot, now = Date.now } = options;
    const errorLog = new ErrorLog(logStream);
    this.#reader = reader;
    this.#logStream = logStream;
    this.#queue = new ReportQueue(reports, maxPerAddress);
    this.#clock = new SlotClock({
      reports,
      slotMs,
      closeSlot,
      now,
      monotonicNow: () => performance.now(),
      onClosed: (...closed) => this.#noteClosed(...closed),
      onFailure: (error) => errorLog.log('slot', error),
    });
    const droppedValues = new DroppedValues((message) => this.#warn(message));
    const collector = new Collector({
      catalogue: new CollectedCatalogue(reader),
      queue: this.#queue,
      clock: this.#clock,
      now,
      findCountry: options.findCountry ?? (() => undefined),
      onDropped: (...dropped) => droppedValues.note(...dropped),
    });
    this.#errorLog = errorLog;
    this.#answer = createCollectAnswerer({
      collector,
      budget: new ReportBudget(),
      errorLog,
      onAnswered: (outcome) => {
        if (outcome === 'accepted') reportsAccepted.inc();
        else reportsRefused.inc({ reason: outcome });
        this.#showOpenSlot();
      },
    });
  }

  /**
   * Starts to take reports.
   * @throws AppError as the store, and `unavailable` for an address that cannot be used.
   */
  static async start(options: CollectOptions): Promise<CollectServer> {
    await using stack = new AsyncDisposableStack();
    const reader = stack.use(await options.store.openReader());
    const reports = stack.use(await options.store.openReports());
    const server = new CollectServer(options, reader, reports);
    await server.#clock.begin();
    await server.#tick();
    const { host, port, limits, timeouts = {}, trustedProxies, slotMs } = options;
    server.#server = await HttpServer.start({
      ...{ host, port, limits, timeouts, trustedProxies },
      answer: server.#answer,
      errorLog: server.#errorLog,
      onIgnoredProxy: (peer) => server.#warnOfProxy(peer),
    });
    server.#url = server.#server.url;
    server.#timer = setInterval(() => void server.#tick(), Math.min(tickMs, slotMs / slotParts / 2));
    server.#opened = stack.move();
    return server;
  }

  /** Address of the listener, such as `http://127.0.0.1:8090`. */
  get url(): string {
    return this.#url;
  }

  /** The store, as the catalogue of the collector is read from it. */
  get reader(): MetricsReader {
    return this.#reader;
  }

  /** False while reports cannot be written. */
  get isWriting(): boolean {
    return this.#clock.isWriting && !this.#queue.isStalled;
  }

  /** Beginning of a slot that could not be closed three times in a row, in Unix milliseconds. */
  get failingSlot(): number | undefined {
    return this.#clock.failingSlot;
  }

  /** Answers the reports that have come, and stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    clearInterval(this.#timer);
    await this.#queue.flush();
    await this.#ticking;
    await this.#clock.stop();
    await this.#opened?.[Symbol.asyncDispose]();
  }

  /** Looks after the slots, unless it is being done. */
  #tick(): Promise<void> {
    this.#showOpenSlot();
    this.#ticking ??= this.#clock.tick().finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  #showOpenSlot(): void {
    openSlotReports.set(this.#queue.keptCount(this.#clock.start));
  }

  /** Without its clients' addresses, a proxy counts as one: 16 servers of a plugin and slot, and no more. */
  #warnOfProxy(peer: string): void {
    this.#warn(
      `the X-Forwarded-For of ${peer} is not believed, so all that it forwards counts as one address: if it is a proxy of yours, start with --trust-proxy ${peer}`,
    );
  }

  #warn(message: string): void {
    this.#log({ level: 'warn', message });
  }

  #log({
    level,
    ...line
  }: {
    readonly level: string;
    readonly message: string;
    readonly [member: string]: unknown;
  }): void {
    this.#logStream.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line })}\n`);
  }

  #noteClosed(start: number, { outcome, coveredParts, recordCount }: ClosedSlot, tookMs: number): void {
    if (outcome === 'known') return;
    if (outcome === 'left_out') slotsLeftOut.inc();
    else slotsClosed.inc();
    lastClosingSeconds.set(tookMs / 1000);
    this.#log({
      level: outcome === 'left_out' ? 'warn' : 'info',
      message: outcome === 'left_out' ? 'slot left out: too little of it was covered' : 'slot closed',
      slot: new Date(start).toISOString(),
      coveredParts,
      recordCount,
      seconds: Math.round(tookMs) / 1000,
    });
  }
}
