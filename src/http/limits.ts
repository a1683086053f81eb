/** Limits on clients, and their defaults. */

/** Limits on clients. */
export interface Limits {
  /** Open connections. */
  readonly maxConnections: number;
  /** Open connections of one address, or of one /64 network of IPv6. */
  readonly maxConnectionsPerAddress: number;
  /** Requests per second of one such address; 0 for no limit. */
  readonly requestsPerSecond: number;
  /** Memory for large bodies that are being made or sent. */
  readonly maxSendingBytes: number;
}

/** Default limits, for the open internet; the settings of `serve` have them too. */
export const defaultLimits: Limits = {
  maxConnections: 10_000,
  maxConnectionsPerAddress: 256,
  requestsPerSecond: 0,
  maxSendingBytes: 256 * 1024 * 1024,
};
