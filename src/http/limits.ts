/** What a server allows its clients, and what it allows them when nothing else is said. */

/** How long clients may take. */
export interface Timeouts {
  /** For sending the head of a request. */
  readonly headerMs: number;
  /** For sending a request, its body included. */
  readonly requestMs: number;
  /** For taking a part of an answer: some ten to some hundred kilobytes. */
  readonly sendMs: number;
}

/** How much at a time. */
export interface Limits {
  /** Connections. */
  readonly maxConnections: number;
  /** Connections of one address, or of one /64 network of IPv6. */
  readonly maxConnectionsPerAddress: number;
  /** Requests a second of one such address; undefined for any number. */
  readonly requestsPerSecond: number | undefined;
  /** Answers that are not cached and are being made or wait for that. */
  readonly maxPending: number;
  /** Large answers that are being made or wait for that; pictures have the same limit of their own. */
  readonly maxPendingLarge: number;
  /** The memory for bodies that are being made in parts, or that clients have not taken yet. */
  readonly maxSendingBytes: number;
}

export const defaultTimeouts: Timeouts = { headerMs: 10_000, requestMs: 30_000, sendMs: 30_000 };

export const defaultLimits: Limits = {
  maxConnections: 10_000,
  maxConnectionsPerAddress: 256,
  requestsPerSecond: undefined,
  maxPending: 1000,
  maxPendingLarge: 100,
  maxSendingBytes: 256 * 1024 * 1024,
};
