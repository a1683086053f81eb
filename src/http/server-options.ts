/** What a server of endpoints needs to know. */
import type { ListenAddress } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { AnswerRequest } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Limits, Timeouts } from './limits.ts';
import type { LineStream } from './log/error-log.ts';
import type { RequestLog } from './log/request-log.ts';
import type { Notice, Problem } from './problem.ts';

/** What a server needs to know. */
export interface HttpServerOptions extends ListenAddress {
  readonly endpoints: readonly Endpoint[];
  /**
   * Gives an error to a GET or HEAD a form that its client can show. Where it gives none, and where it is left out, errors
   * are problem documents.
   */
  readonly showProblem?: ShowProblem;
  /** What is served beside these endpoints: loaded by the first request that they do not know, so that the start is quick. */
  readonly loadMore?: () => Promise<MoreEndpoints>;
  /** Where clients find the server, such as `https://metrics.example.org`; taken from the request when left out. */
  readonly publicUrl?: string | undefined;
  readonly reader: MetricsReader;
  /** How long clients may take an answer for fresh, in seconds. */
  readonly maxAgeSeconds: number;
  /** How much the cached responses may take, in bytes. */
  readonly cacheBytes: number;
  /** How long clients may take. */
  readonly timeouts?: Partial<Timeouts>;
  /** How much they may have. */
  readonly limits?: Partial<Limits>;
  /** The networks of proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustedProxies?: readonly string[];
  /** Log of requests; none when left out. */
  readonly requestLog?: RequestLog;
  /** Destination of the log of failures; standard error when left out. */
  readonly logStream?: LineStream;
}

/** Endpoints that are loaded later, with the form of errors. */
export interface MoreEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly showProblem: ShowProblem;
}

/** Gives an error a form; undefined for a problem document. */
export type ShowProblem = (problem: Problem, request: ProblemRequest) => Promise<Notice> | undefined;

/** What of a request decides the form of an error. */
export type ProblemRequest = Pick<AnswerRequest, 'target' | 'accept'>;
