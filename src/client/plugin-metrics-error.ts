/** The one error of the client. */

/** A problem document (RFC 9457). Members that the RFC does not name stay. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly [member: string]: unknown;
}

/** The details of a failure. */
interface Failure {
  readonly url: string;
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly isNotFound?: boolean;
  readonly cause?: unknown;
}

/**
 * The failure of a call. `message` names the URL and the fault; for an answer of the wrong shape also the JSON path, and what was
 * expected there.
 */
export class PluginMetricsError extends Error {
  override readonly name = 'PluginMetricsError';
  /** The URL of the request. */
  readonly url: string;
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** The problem document of the answer, if it was one. */
  readonly problem: Problem | undefined;

  /**
   * True if the server says that this plugin or chart does not exist: 404, or 200 with an empty body, as one server answers for
   * an unknown chart.
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
