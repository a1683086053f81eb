/** The listener of the admin pages, with the limits of the interface. */
import { type AdminPages, createAdminAnswerer } from '../admin/admin-answerer.ts';
import type { Answerer } from '../http/answer.ts';
import { defaultLimits, defaultTimeouts, type Limits, type Timeouts } from '../http/limits.ts';
import { ErrorLog, type LineStream } from '../http/log/error-log.ts';
import { splitTarget } from '../http/router.ts';
import { ServingCounter } from '../http/serving-counter.ts';
import { ClientAddresses } from '../http/wire/client-addresses.ts';
import { Listener } from '../http/wire/listener.ts';
import { addressUrl, type ListenAddress } from '../model/listen-address.ts';

/** Options of the listener. */
export interface AdminServerOptions extends ListenAddress {
  readonly pages: AdminPages;
  /** Destination of log lines about pages that could not be made. */
  readonly logStream: LineStream;
  /** The limit of requests a second is not used here. */
  readonly limits?: Limits;
  readonly timeouts?: Timeouts;
}

/** A running listener. Disposing of it closes its connections, after the pending responses that clients read at once. */
export interface AdminServer extends AsyncDisposable {
  /** Address of the listener, for example `http://127.0.0.1:9090`. */
  readonly url: string;
}

/** Limit on the work in one turn of the event loop, in which each connection may get a response of 20 KB. */
const maxAdminConnections = 256;

/** Time limit of a stop for clients that do not read their responses or do not finish their requests. */
const stopTimeoutMs = 500;

/**
 * Starts to listen.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const { limits = defaultLimits, timeouts = defaultTimeouts } = options;
  const errorLog = new ErrorLog(options.logStream);
  const answerPage = createAdminAnswerer({ ...options.pages, logFailure: errorLog.log.bind(errorLog) });
  let boundAddress = options.host;
  const answer: Answerer = ({ method, target, host }) => {
    const parts = splitTarget(target);
    return answerPage({ method, path: parts.path, host: parts.host ?? host, boundAddress });
  };
  const listener = new Listener({
    answer,
    // No CORS headers: web pages must not read this.
    commonHeaders: ['X-Content-Type-Options', 'nosniff'],
    log: undefined,
    counter: new ServingCounter(),
    timeouts,
    limits: {
      ...limits,
      maxConnections: Math.min(limits.maxConnections, maxAdminConnections),
      requestsPerSecond: undefined,
    },
    clients: new ClientAddresses([]),
  });
  const address = await listener.listen(options);
  boundAddress = address.host;
  return { url: addressUrl(address), [Symbol.asyncDispose]: () => listener.stop(stopTimeoutMs) };
}
