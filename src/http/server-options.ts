/** Options of an HTTP server of endpoints. */
import type { ListenAddress } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { AnswerRequest } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Limits, Timeouts } from './limits.ts';
import type { LineStream } from './log/error-log.ts';
import type { RequestLog } from './log/request-log.ts';
import type { Notice, Problem } from './problem.ts';

/** Options of `HttpServer`. */
export interface HttpServerOptions extends ListenAddress {
  readonly endpoints: readonly Endpoint[];
  /**
   * Renders errors for clients of GET and HEAD, as pages or pictures. Errors are problem documents if it gives undefined or is left out.
   */
  readonly showProblem?: ShowProblem;
  /** Loads more endpoints at the first request for a path that is unknown without them, so that the start is quick. */
  readonly loadMore?: () => Promise<MoreEndpoints>;
  /** Public address of the server, such as `https://metrics.example.org`; taken from each request if left out. */
  readonly publicUrl?: string | undefined;
  readonly reader: MetricsReader;
  /** Time for which clients and proxies may use a response without asking again. */
  readonly maxAgeSeconds: number;
  /** Memory for cached responses. */
  readonly cacheBytes: number;
  /** Time limits for clients. */
  readonly timeouts?: Partial<Timeouts>;
  /** Other limits on clients. */
  readonly limits?: Partial<Limits>;
  /** Networks of proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustedProxies?: readonly string[];
  /** The clock of streams, in milliseconds; that of the process unless given. */
  readonly now?: () => number;
  /** Log of requests; none when left out. */
  readonly requestLog?: RequestLog;
  /** Destination of the log of failures; standard error when left out. */
  readonly logStream?: LineStream;
}

/** Endpoints that are loaded later, with a renderer of errors. */
export interface MoreEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly showProblem: ShowProblem;
}

/** Renders an error; undefined for a problem document. */
export type ShowProblem = (problem: Problem, request: ProblemRequest) => Promise<Notice> | undefined;

/** Parts of a request that decide the form of an error. */
export type ProblemRequest = Pick<AnswerRequest, 'target' | 'accept'>;
