/** The one error class of the program: an expected failure, in words that a user may see. */

/** Closed set of codes; only `http/` turns them into status codes, only `cli/program.ts` into exit codes. */
export type ErrorCode = 'invalid' | 'not_found' | 'conflict' | 'unavailable';

/** Options of an {@link AppError}. */
export interface AppErrorOptions {
  /** One stable word per kind of error, such as `unknown-plugin`; it names the problem type over HTTP. */
  readonly kind?: string;
  /** Where the faulty input stands, such as `backup.ndjson:12`. */
  readonly place?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure. The message says what is wrong, with which value, and what is allowed. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly kind: string;
  readonly place: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.kind = options.kind ?? code;
    this.place = options.place;
  }

  /** The same error with a place, unless it already has one. */
  at(place: string): AppError {
    if (this.place !== undefined) return this;
    return new AppError(this.code, this.message, { kind: this.kind, place, cause: this.cause ?? this });
  }
}

/** The error for a plugin id that the store does not hold. */
export function unknownPlugin(pluginId: number): AppError {
  return new AppError('not_found', `there is no plugin with the id ${pluginId}`, { kind: 'unknown-plugin' });
}

/** The error for a chart id that the plugin does not have. */
export function unknownChart(pluginId: number, chartId: string): AppError {
  return new AppError('not_found', `plugin ${pluginId} has no chart ${quote(chartId)}`, {
    kind: 'unknown-chart',
  });
}

/** A value as it may stand in a message: JSON text, cut at 80 characters. */
export function quote(value: unknown): string {
  // Text may have megabytes; cut after its first 80 characters, the message is the same.
  const head = typeof value === 'string' ? value.slice(0, 80) : value;
  const text = typeof head === 'number' ? String(head) : (JSON.stringify(head) ?? String(head));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
