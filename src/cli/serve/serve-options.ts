/** From the options of `serve`, as the command line names them, to what the command takes. */

import type { Store } from '../../model/store.ts';
import type { ServeRequest } from '../commands/serve.ts';

/** The values of the settings. */
export interface ServeOptions {
  readonly store: Store;
  readonly wait: number;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly adminPort?: number;
  readonly adminHost: string;
  readonly reusePort: boolean;
  readonly logRequests: boolean;
  readonly logAddresses: boolean;
  readonly maxAge: number;
  readonly cacheMb: number;
  readonly liveFields: boolean;
  readonly publicUrl?: string;
  readonly trustProxy?: readonly string[];
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly rateLimit: number;
  readonly headerTimeout: number;
  readonly requestTimeout: number;
  readonly sendTimeout: number;
  readonly maxPending: number;
  readonly maxPendingLarge: number;
  readonly maxSendingMb: number;
  readonly site: boolean;
}

/** The same in the words and units of the server. */
export function serveRequest(options: ServeOptions): ServeRequest {
  const { maxConnections, maxConnectionsPerAddress, rateLimit, maxPending, maxPendingLarge } = options;
  return {
    ...options,
    waitSeconds: options.wait,
    cacheBytes: options.cacheMb * 1024 * 1024,
    maxAgeSeconds: options.maxAge,
    hasLiveFields: options.liveFields,
    hasSite: options.site,
    trustedProxies: options.trustProxy ?? [],
    limits: {
      maxConnections,
      maxConnectionsPerAddress,
      requestsPerSecond: rateLimit === 0 ? undefined : rateLimit,
      maxPending,
      maxPendingLarge,
      maxSendingBytes: options.maxSendingMb * 1024 * 1024,
    },
    timeouts: {
      headerMs: options.headerTimeout * 1000,
      requestMs: options.requestTimeout * 1000,
      sendMs: options.sendTimeout * 1000,
    },
  };
}
