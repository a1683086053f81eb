/** The log of failed requests: one line for each kind of failure, not for each failed request. */
import { AppError } from '../model/app-error.ts';

/** Destination of log lines, such as standard error. */
export interface LineStream {
  /** @param line with the line feed at its end. */
  readonly write: (line: string) => unknown;
}

/** After a failure was logged, it is only counted for this long. */
const quietMs = 10_000;

/** Limit on the failures that are told apart. */
const maxKinds = 100;

/**
 * Log of failures as lines of JSON. A failure is logged again only after a while, with how often it happened in between: an outage of
 * the store must not fill the disk. A bug has its stack in the log, an expected failure its message.
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
    const line = {
      level: 'error',
      time: new Date().toISOString(),
      message: error instanceof AppError ? 'not answered' : 'not answered because of a bug',
      target,
      reason: error instanceof Error ? error.message : kind,
      ...(error instanceof Error && !(error instanceof AppError) ? { stack: error.stack } : {}),
      ...(known === undefined || known.silentCount === 0 ? {} : { repeated: known.silentCount }),
    };
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }
}
