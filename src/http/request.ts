/** A request, as far as its answer depends on it. */
import type { BodySize } from './endpoint.ts';

/** Headers of a request, undefined where it has none of that name. Repeated ones are joined by commas. */
export interface RequestHeaders {
  readonly accept?: string | undefined;
  readonly acceptEncoding?: string | undefined;
  readonly forwardedFor?: string | undefined;
  readonly host?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A request of a client. */
export interface Request {
  readonly method: string;
  /** As it was sent: in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** Address of the client, or that of its proxy if no trusted proxy names it. */
  readonly address: string;
  /** Seconds until the client may ask again, if it has asked too often. */
  readonly retryAfterSeconds: number | undefined;
  /** False once the connection is closed; for large bodies also once the client has closed its side of it. */
  isWaitingFor(size: BodySize): boolean;
  /** Calls back when the client has received its response or has gone. */
  whenSent(callback: () => void): void;
}
