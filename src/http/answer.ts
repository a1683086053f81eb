/** Requests and their answers, apart from connections. */
import type { Notice } from './problem.ts';
import type { Representation } from './representation.ts';
import type { StreamedAnswer } from './streamed-answer.ts';
import type { IncomingBody } from './wire/incoming-body.ts';
import type { RateState } from './wire/rate-limit.ts';

/** An answer: a representation, a stream, or a notice such as an error, a redirect or the methods of a path. */
export type Answer = Representation | StreamedAnswer | Notice;

/** A client that waits for its answer. */
export interface Waiter {
  /** True if the connection is closed, so that no answer can arrive. */
  readonly isGone: boolean;
  /** True if the client has closed its sending side: it may still be waiting, or it may have gone. */
  readonly isHalfClosed: boolean;
  /** Key of the client for limits by address: its address, or its /64 network of IPv6. */
  readonly network: string;
  /** Cuts the connection, so that the client sees that its answer is not whole. */
  cut(): void;
  /** Calls back once, when the client has received its answer or has gone. */
  whenSent(callback: () => void): void;
}

/** The parts of a request that its answer depends on. */
export interface AnswerRequest {
  readonly method: string;
  /** As it was sent: in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
  readonly target: string;
  /** Headers, undefined where the request has none of that name. */
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly host: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Undefined without a rate limit. */
  readonly rate: RateState | undefined;
  /** Address of the client, if the server wants it. */
  readonly address: string | undefined;
  /** Undefined for a server that takes no bodies. */
  readonly body?: IncomingBody | undefined;
  readonly waiter: Waiter;
}

/** Answers a request, a cache hit without a promise. Never throws or rejects: a failure is a notice too. */
export type Answerer = (request: AnswerRequest) => Answer | Promise<Answer>;
