/** A collector with its listener: takes reports from the start until it is disposed of. */

import type { Limits } from '../../http/limits.ts';
import { ErrorLog, type LineStream, proxyWarning, writeLine } from '../../http/logs.ts';
import { HttpServer, type Timeouts } from '../../http/server.ts';
import { isOtherVersion } from '../../model/app-error.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { slotParts } from '../../model/report-store.ts';
import type { Store } from '../../model/store.ts';
import type { ListenAddress } from '../../runtime/listen-address.ts';
import type { ClosedSlot, CloseSlot } from '../close-slot.ts';
import { CollectedCatalogue } from '../collected-catalogue.ts';
import { Collector } from '../collector.ts';
import type { FindCountry } from '../country-file.ts';
import { lastClosingSeconds, slotsClosed, slotsLeftOut } from '../metrics.ts';
import { ReportQueue } from '../report-queue.ts';
import { droppedCounter } from '../report-values.ts';
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
  /** Finds the country of an address; without it, no country is known. */
  readonly findCountry?: FindCountry;
  /** Unix milliseconds; by default the clock of this machine. */
  readonly now?: () => number;
}

/** Interval at which slots are checked, unless their parts are shorter. */
const tickMs = 1000;

/** A running collector. Disposing of it answers the reports that have arrived, and stops. */
export interface CollectServer extends AsyncDisposable {
  /** Address of the listener, such as `http://127.0.0.1:8090`. */
  readonly url: string;
  /** The store, from which the collector reads its catalogue. */
  readonly reader: MetricsReader;
  /** As `SlotClock.findReason`. */
  readonly findReason: () => string | undefined;
}

/**
 * Starts to take reports.
 * @throws AppError as the store, and `unavailable` for an address that cannot be used.
 */
export async function startCollectServer(options: CollectOptions): Promise<CollectServer> {
  await using stack = new AsyncDisposableStack();
  const { store, logStream, slotMs, now = Date.now, findCountry = () => undefined } = options;
  const reader = stack.use(await store.openReader());
  const reports = stack.use(await store.openReports());
  const errorLog = new ErrorLog(logStream);
  const log: Log = (level, message, more) =>
    writeLine(logStream, { level, time: new Date().toISOString(), message, ...more });
  /** The reports refused for their address, by slot. */
  const addressRefusals = new Map<number, number>();
  const clock = new SlotClock({
    ...options,
    ...{ reports, now },
    findRefusal: () => findRefusal(reader),
    monotonicNow: () => performance.now(),
    onClosed(start, closed, tookMs) {
      noteClosed(log, { start, tookMs, addressRefusals: addressRefusals.get(start) ?? 0, ...closed });
      addressRefusals.delete(start);
    },
    onFailure: (error) => errorLog.log('slot', error),
  });
  stack.defer(() => clock.stop());
  const queue = new ReportQueue(reports, options.maxPerAddress);
  let ticking: Promise<void> | undefined;
  /** Checks the slots, unless a check is running. */
  const tick = () => {
    ticking ??= clock.tick().finally(() => {
      ticking = undefined;
    });
    return ticking;
  };
  stack.defer(() => ticking);
  stack.defer(() => queue.flush());
  await clock.begin();
  await tick();
  const timer = setInterval(() => void tick(), Math.min(tickMs, slotMs / slotParts / 2));
  stack.defer(() => clearInterval(timer));
  const collector = new Collector({
    ...{ queue, clock, now, findCountry },
    catalogue: new CollectedCatalogue(reader),
    onDropped: droppedCounter((message) => log('warn', message)),
    onAddressLimit(slot, pluginCount) {
      if (pluginCount > 0) addressRefusals.set(slot, (addressRefusals.get(slot) ?? 0) + pluginCount);
    },
  });
  const server = await HttpServer.start({
    timeouts: {},
    ...options,
    answer: createCollectAnswerer({ collector, errorLog }),
    errorLog,
    // Without the addresses of its clients, a proxy counts as one address, with its limit of servers.
    onIgnoredProxy: proxyWarning(logStream, 'everything it forwards counts as one address'),
  });
  stack.use(server);
  const parts = stack.move();
  return {
    url: server.url,
    reader,
    findReason: () => clock.findReason(),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/**
 * Detects a store of another version. Reports for a store that cannot be read for other reasons wait until it
 * can be.
 */
function findRefusal(reader: MetricsReader): unknown {
  try {
    reader.generation('data');
  } catch (error) {
    if (isOtherVersion(error)) return error;
  }
  return undefined;
}

/** Writes a log line with more members. */
type Log = (level: 'info' | 'warn', message: string, more?: object) => void;

function noteClosed(
  log: Log,
  {
    start,
    tookMs,
    outcome,
    coveredParts,
    recordCount,
    addressRefusals,
  }: ClosedSlot & { readonly start: number; readonly tookMs: number; readonly addressRefusals: number },
): void {
  if (outcome === 'known') return;
  const isWritten = outcome === 'written';
  (isWritten ? slotsClosed : slotsLeftOut).inc();
  lastClosingSeconds.set(tookMs / 1000);
  log(
    isWritten ? 'info' : 'warn',
    isWritten ? 'slot closed' : 'slot left out: too little of it was covered',
    {
      slot: new Date(start).toISOString(),
      coveredParts,
      recordCount,
      addressRefusals,
      seconds: Math.round(tookMs) / 1000,
    },
  );
}
