/** Requests as data: each is sent to both builds. */
import type { Answer } from '../conformance/answer.ts';

/** The name under which both servers are asked, as pages contain it. */
export const host = 'stats.example.org';

/** A request that an HTTP client sends. */
export interface Request {
  /** The kind of endpoint, by which differences are grouped. */
  readonly kind: string;
  /** `GET` unless given. */
  readonly method?: string;
  /** The request target: a path with its query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Shown in place of the target, where that depends on what the build answered before. */
  readonly name?: string;
  /** Makes the next request from the answer of the same build, such as one with its entity tag. */
  readonly next?: (answer: Answer) => Request | undefined;
}

/** Bytes that no HTTP client sends, over a connection of their own. */
export interface RawRequest {
  readonly kind: string;
  /** One byte for each character. With several parts there is a pause between them. */
  readonly parts: readonly string[];
}

/** Describes a request in one line. */
export function describeRequest({ method = 'GET', target, name = target, headers = {} }: Request): string {
  const fields = Object.entries(headers).map(([field, value]) => ` ${field}: ${value}`);
  return `${method} ${name}${fields.join(';')}`;
}
