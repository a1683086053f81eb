/**
 * Metrics of requests, responses and connections, as the admin listener shows them (`/metrics`) and docs/server.md lists them. Each is
 * defined here alone and counted where it happens: `responses.hit.inc()`. All listeners of a process count together.
 *
 * Labels are bound once, here: counting then takes 0.07 µs, and a histogram 0.2 µs.
 */
import { Counter, Gauge, Histogram } from '@prometheus-io/client';

const requestsTotal = new Counter({
  name: 'plugin_metrics_requests_total',
  help: 'requests answered, by status',
  labelNames: ['status'],
});

/** Statuses that are counted from 0, so that monitoring sees the first one as a change. */
const usualStatuses: readonly number[] = [200, 304, 400, 404, 500, 503];

const requestsByStatus = new Map(usualStatuses.map((status) => [status, fromZero(requestsTotal, status)]));

/** Counts a request by the status of its response. */
export function countRequest(status: number): void {
  let requests = requestsByStatus.get(status);
  if (requests === undefined) {
    requests = fromZero(requestsTotal, status);
    requestsByStatus.set(status, requests);
  }
  requests.inc();
}

const responsesTotal = new Counter({
  name: 'plugin_metrics_responses_total',
  help: 'responses by cache result: hit, miss, or shared with a request that was waiting for the same response; no errors',
  labelNames: ['cache'],
});

/** Counters of responses: cached, being made for another request, or made for this one. */
export const responses = {
  hit: fromZero(responsesTotal, 'hit'),
  shared: fromZero(responsesTotal, 'shared'),
  miss: fromZero(responsesTotal, 'miss'),
};

const responseSeconds = new Histogram({
  name: 'plugin_metrics_response_seconds',
  help: 'time until a response could be sent, by kind: cached, read (from the store), large (made in slices), image; no errors',
  labelNames: ['kind'],
  buckets: [
    ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01],
    ...[0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ],
});

/** Kinds of responses: cached, read from the store, large ones that are made in parts, and pictures. */
export type ResponseKind = 'cached' | 'read' | 'large' | 'image';

/** Histograms of the seconds from a request to its response. */
export const responseTimes: Readonly<Record<ResponseKind, Histogram.Internal<'kind'>>> = {
  cached: histogramFromZero(responseSeconds, 'cached'),
  read: histogramFromZero(responseSeconds, 'read'),
  large: histogramFromZero(responseSeconds, 'large'),
  image: histogramFromZero(responseSeconds, 'image'),
};

const requestsRefusedTotal = new Counter({
  name: 'plugin_metrics_requests_refused_total',
  help: 'requests refused, by reason: overloaded and overloaded_large (503, too much work waits), sending (503, bodies take too much memory, or too many are sent as they are made), rate_limit (429)',
  labelNames: ['reason'],
});

/**
 * Counters of refused requests: too much work waited, too much large work waited, the bodies being sent took too much memory, or the
 * client asked too often.
 */
export const refused = {
  overloaded: fromZero(requestsRefusedTotal, 'overloaded'),
  overloaded_large: fromZero(requestsRefusedTotal, 'overloaded_large'),
  sending: fromZero(requestsRefusedTotal, 'sending'),
  rate_limit: fromZero(requestsRefusedTotal, 'rate_limit'),
};

const connectionsDroppedTotal = new Counter({
  name: 'plugin_metrics_connections_dropped_total',
  help: 'connections dropped, by reason: not_reading (the client did not read its response, or too slowly), pipelining (too many requests ahead), too_many, too_many_of_address',
  labelNames: ['reason'],
});

/**
 * Counters of dropped connections: their client did not read a response, or sent too many requests ahead; or there were too many
 * connections, or too many from their address.
 */
export const dropped = {
  not_reading: fromZero(connectionsDroppedTotal, 'not_reading'),
  pipelining: fromZero(connectionsDroppedTotal, 'pipelining'),
  too_many: fromZero(connectionsDroppedTotal, 'too_many'),
  too_many_of_address: fromZero(connectionsDroppedTotal, 'too_many_of_address'),
};

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

/** Binds the label of a counter to a value, which is shown from now on. */
function fromZero(counter: Counter<string>, label: string | number): Counter.Internal {
  const bound = counter.labels(String(label));
  bound.inc(0);
  return bound;
}

function histogramFromZero(histogram: Histogram<'kind'>, kind: ResponseKind): Histogram.Internal<'kind'> {
  histogram.zero({ kind });
  return histogram.labels(kind);
}
