/** The two logs of a server, as lines of JSON: one of failures, one of requests. */
import { AppError } from '../model/app-error.ts';

/** Destination of log lines, such as standard error. */
export interface LineStream {
  /** @param line with the line feed at its end. */
  readonly write: (line: string) => unknown;
}

/** Time after a log line of a failure in which the same failure is only counted. */
const quietMs = 10_000;

/** Limit on the failures that are distinguished. */
const maxKinds = 100;

/**
 * Log of failures: one line per kind, not per failed request. A failure is logged again only after a while,
 * with its count in between, so that an outage of the store does not fill the disk. A bug has its stack in
 * the log, an expected failure its message.
 */
export class ErrorLog {
  readonly #stream: LineStream;
  readonly #now: () => number;
  readonly #kinds = new Map<string, { readonly loggedAt: number; silentCount: number }>();

  constructor(stream: LineStream, now = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
  }

  /** Logs a failure of a request for this target. */
  log(target: string, error: unknown): void {
    const kind = String(error);
    const known = this.#kinds.get(kind);
    if (known !== undefined && this.#now() - known.loggedAt < quietMs) {
      known.silentCount++;
      return;
    }
    if (this.#kinds.size >= maxKinds) this.#kinds.clear();
    this.#kinds.set(kind, { loggedAt: this.#now(), silentCount: 0 });
    const isExpected = error instanceof AppError;
    writeLine(this.#stream, {
      level: 'error',
      time: new Date().toISOString(),
      message: isExpected ? 'not answered' : 'not answered because of a bug',
      target,
      reason: error instanceof Error ? error.message : kind,
      stack: error instanceof Error && !isExpected ? error.stack : undefined,
      repeated: known?.silentCount || undefined,
    });
  }
}

/** A request and its response. */
interface LoggedRequest {
  /** Left out, like the target, if the request could not be parsed. */
  readonly method?: string;
  readonly target?: string;
  readonly status: number;
  /** Size of the body as it is sent. */
  readonly bodyBytes: number;
  /** Time from the request to its response. */
  readonly durationMs?: number;
}

const maxPathLength = 200;

/** Logs a request, without the address of its client, and without the query, which may contain secrets. */
export function logRequest(
  stream: LineStream,
  { method, target, status, bodyBytes, durationMs }: LoggedRequest,
): void {
  writeLine(stream, {
    level: 'info',
    time: new Date().toISOString(),
    method,
    path: target?.slice(0, maxPathLength).replace(/[?#].*/s, ''),
    status,
    bodyBytes,
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs * 1000) / 1000,
    message: 'request',
  });
}

/** The levels of log lines, with their priority in the journal of systemd. */
const priorities = { error: 3, warn: 4, info: 6 } as const;

/** Members of a log line; those that are undefined are left out. */
interface LogLine {
  readonly level: keyof typeof priorities;
  readonly time: string;
  readonly message: string;
}

/** Writes a line of JSON. */
export function writeLine<Line extends LogLine>(stream: LineStream, line: Line): void {
  stream.write(renderLogLine(line));
}

/**
 * Renders a line of JSON with its line feed, after its priority if the journal of systemd reads it
 * (sd-daemon(3)).
 */
export function renderLogLine<Line extends LogLine>(line: Line): string {
  return `${hasPriority ? `<${priorities[line.level]}>` : ''}${JSON.stringify(line)}\n`;
}

let hasPriority = false;

/** Sets whether later lines of this process begin with their priority. */
export function writePriorities(isJournal: boolean): void {
  hasPriority = isJournal;
}

/** Writes a warning as a line. */
export function warn(stream: LineStream, message: string): void {
  writeLine(stream, { level: 'warn', time: new Date().toISOString(), message });
}

/**
 * Makes the callback for a peer whose `X-Forwarded-For` is not trusted.
 * @param effect on everything that it forwards
 */
export function proxyWarning(stream: LineStream, effect: string): (peer: string) => void {
  return (peer) =>
    warn(
      stream,
      `the X-Forwarded-For of ${peer} is not trusted, so ${effect}: if it is your proxy, add --trust-proxy ${peer}`,
    );
}
