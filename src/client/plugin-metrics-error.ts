/** The only error class of the client. */

/** A problem document (RFC 9457). Members outside the RFC are kept. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly [member: string]: unknown;
}

/** Details of a failure. */
interface Failure {
  readonly url: string;
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly isNotFound?: boolean;
  readonly cause?: unknown;
}

/**
 * Failure of a call. `message` contains the URL and the fault; if the response has the wrong shape, also the
 * JSON path and the expected type.
 */
export class PluginMetricsError extends Error {
  override readonly name = 'PluginMetricsError';
  /** URL of the request. */
  readonly url: string;
  /** Status of the response; undefined without a response. */
  readonly status: number | undefined;
  /** Problem document of the response, if it is one. */
  readonly problem: Problem | undefined;

  /**
   * True if the server says that the plugin or chart does not exist: by a 404, or by a 200 with an empty
   * body, which one server sends for unknown charts.
   */
  readonly isNotFound: boolean;

  constructor(message: string, { url, status, problem, isNotFound, cause }: Failure) {
    super(`${url}: ${message}`, cause === undefined ? undefined : { cause });
    this.url = url;
    this.status = status;
    this.problem = problem;
    this.isNotFound = isNotFound ?? status === 404;
  }
}
