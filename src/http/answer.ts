/** What the brain gives to the wire: an answer to a request, without a word about connections. */
import type { Notice } from './problem.ts';
import type { Representation } from './representation.ts';
import type { RateState } from './wire/rate-limit.ts';

/** A good answer, or a notice: an error, a redirect, or what is offered. */
export type Answer = Representation | Notice;

/** A client that waits for an answer. */
export interface Waiter {
  /** Whether the connection is closed: no answer can arrive. */
  readonly isGone: boolean;
  /** Whether the other side has said that it sends no more: it may still wait, or it may be gone. */
  readonly isHalfClosed: boolean;
  /** Calls back once, when the client has taken its answer or has gone. */
  whenSent(callback: () => void): void;
}

/** What an answer depends on. */
export interface AnswerRequest {
  readonly method: string;
  /** As it came: origin form, or the absolute form that proxies send (RFC 9112 3.2). */
  readonly target: string;
  /** The headers of these names. */
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly host: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Undefined where clients may ask as often as they like. */
  readonly rate: RateState | undefined;
  /** Of the client, where the log wants it. */
  readonly address: string | undefined;
  readonly waiter: Waiter;
}

/** Answers a request, without a promise on a cache hit. Never throws or rejects: a failure is a notice too. */
export type Answerer = (request: AnswerRequest) => Answer | Promise<Answer>;
