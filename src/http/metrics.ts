/**
 * Metrics of requests, responses and connections, as the admin listener shows them (`/metrics`) and
 * docs/server.md lists them. Each is defined here alone and counted where it happens: `responses.hit.inc()`.
 * All listeners of a process count together.
 */
import { Counter, Gauge, Histogram } from '@prometheus-io/client';

/** A count, which the library is told when it is asked: its own way costs a tenth of a cache hit. */
class Tally {
  #untold = 0;

  inc(): void {
    this.#untold++;
  }

  /** Returns the count since the last time. */
  take(): number {
    const untold = this.#untold;
    this.#untold = 0;
    return untold;
  }
}

/** A counter with one label. */
interface TalliedCounter<Value extends string> {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: readonly Value[];
}

const requests: Record<string, Tally> = tallies({
  name: 'plugin_metrics_requests_total',
  help: 'requests answered, by status',
  label: 'status',
  values: ['200', '304', '400', '404', '500', '503'],
});

/** Counts a request by the status of its response. */
export function countRequest(status: number): void {
  requests[status] ??= new Tally();
  requests[status].inc();
}

/** Counts of responses: cached, being made for another request, or made for this one. */
export const responses = tallies({
  name: 'plugin_metrics_responses_total',
  help: 'responses by cache result: hit, miss, or shared with an earlier request',
  label: 'cache',
  values: ['hit', 'shared', 'miss'],
});

const responseSeconds = new Histogram({
  name: 'plugin_metrics_response_seconds',
  help: 'time until a response could be sent, by kind: cached, read (from the store), large, image',
  labelNames: ['kind'],
  buckets: [
    ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01],
    ...[0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ],
  collect() {
    for (const durations of Object.values(responseTimes)) durations.tell();
  },
});

/** The number of durations in a batch. */
const batchSize = 1000;

/**
 * Counts durations. The library gets them in batches: one at a time, its code would not be in the caches of
 * the processor, and each cache hit would take a tenth more.
 */
class Durations {
  readonly #histogram: Histogram.Internal<'kind'>;
  readonly #untold: number[] = [];

  constructor(kind: string) {
    responseSeconds.zero({ kind });
    this.#histogram = responseSeconds.labels(kind);
  }

  observe(seconds: number): void {
    if (this.#untold.push(seconds) === batchSize) this.tell();
  }

  /** Tells the library what it does not know yet. */
  tell(): void {
    for (const seconds of this.#untold) this.#histogram.observe(seconds);
    this.#untold.length = 0;
  }
}

/**
 * The seconds from a request to its response, which is cached, read from the store, made in parts, or a
 * picture.
 */
export const responseTimes = {
  cached: new Durations('cached'),
  read: new Durations('read'),
  large: new Durations('large'),
  image: new Durations('image'),
};

/** Kinds of responses. */
export type ResponseKind = keyof typeof responseTimes;

/**
 * Counters of refused requests: too much work waited, too much large work waited, the bodies being sent took
 * too much memory, or the client asked too often.
 */
export const refused = tallies({
  name: 'plugin_metrics_requests_refused_total',
  help: 'requests refused, by reason: overloaded and overloaded_large (too much work waits), sending (too much is being sent), rate_limit',
  label: 'reason',
  values: ['overloaded', 'overloaded_large', 'sending', 'rate_limit'],
});

/**
 * Counters of dropped connections: their client did not read a response, or sent too many requests ahead; or
 * there were too many connections, or too many from their address.
 */
export const dropped = tallies({
  name: 'plugin_metrics_connections_dropped_total',
  help: 'connections dropped, by reason: not_reading (or too slowly), pipelining (too many requests ahead), too_many, too_many_of_address',
  label: 'reason',
  values: ['not_reading', 'pipelining', 'too_many', 'too_many_of_address'],
});

/** Reasons to drop a connection. */
export type DropReason = keyof typeof dropped;

/** Gauge of open connections. */
export const openConnections = new Gauge({
  name: 'plugin_metrics_open_connections',
  help: 'connections open now',
});

/** Gauge of the memory of the cached responses. */
export const cachedBytes = new Gauge({
  name: 'plugin_metrics_cached_bytes',
  help: 'memory of the cached responses',
});

/** Makes a counter with tallies by the values of its label, which are shown from now on. */
function tallies<Value extends string>({ name, help, label, values }: TalliedCounter<Value>) {
  const byValue = Object.fromEntries(values.map((value) => [value, new Tally()]));
  new Counter({
    name,
    help,
    labelNames: [label],
    collect() {
      for (const [value, tally] of Object.entries(byValue)) this.inc({ [label]: value }, tally.take());
    },
  });
  return byValue as Record<Value, Tally>;
}
