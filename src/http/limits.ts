/** Limits on clients, and their defaults. */

/** Time limits for clients, in milliseconds. */
export interface Timeouts {
  /** To send the head of a request. */
  readonly headerMs: number;
  /** To send a request, including its body. */
  readonly requestMs: number;
  /** To read a part of a response: tens to hundreds of kilobytes. */
  readonly sendMs: number;
}

/** Limits on clients, other than time. */
export interface Limits {
  /** Open connections. */
  readonly maxConnections: number;
  /** Open connections of one address, or of one /64 network of IPv6. */
  readonly maxConnectionsPerAddress: number;
  /** Requests a second of one such address; undefined for no limit. */
  readonly requestsPerSecond: number | undefined;
  /** Pending responses that are not cached. */
  readonly maxPending: number;
  /** Pending large responses; pictures have the same limit of their own. */
  readonly maxPendingLarge: number;
  /** Memory for large bodies that are being made or sent. */
  readonly maxSendingBytes: number;
}

/** Default time limits; the settings of `serve` have them too. */
export const defaultTimeouts: Timeouts = { headerMs: 10_000, requestMs: 30_000, sendMs: 30_000 };

/** Default limits, for the open internet; the settings of `serve` have them too. */
export const defaultLimits: Limits = {
  maxConnections: 10_000,
  maxConnectionsPerAddress: 256,
  requestsPerSecond: undefined,
  maxPending: 1000,
  maxPendingLarge: 100,
  maxSendingBytes: 256 * 1024 * 1024,
};
