/** The log of what was not answered: one line for each kind of failure, not one for each request that met it. */
import { AppError } from '../model/app-error.ts';

/** A failure that was logged is then only counted for this long. */
const quietMs = 10_000;

/** How many different failures are told apart at once. */
const maxKinds = 100;

/**
 * A log, one JSON object a line, that says the same again only after a while, and then how often it happened in
 * between: an outage of the store must not fill the disk. A bug is logged with its stack, an expected failure with its
 * message.
 */
export class ErrorLog {
  readonly #stream: { readonly write: (line: string) => void };
  readonly #now: () => number;
  readonly #kinds = new Map<string, { readonly loggedAt: number; silentCount: number }>();

  constructor(stream: { readonly write: (line: string) => void }, now = () => performance.now()) {
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
