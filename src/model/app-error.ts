/** The error class of the program, for failures that are expected, with messages for users. */

/** The codes of errors. Only `http/` turns them into status codes, only `cli/program.ts` into exit codes. */
type ErrorCode = 'invalid' | 'not_found' | 'conflict' | 'unavailable';

/** Options of an {@link AppError}. */
interface AppErrorOptions {
  /** A stable name of the kind of error, such as `unknown-plugin`: the problem type over HTTP. */
  readonly kind?: string;
  /** The place of the faulty input, such as `backup.ndjson:12`. */
  readonly place?: string | undefined;
  /** The way out for a client over HTTP, which follows the message there. */
  readonly help?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure. The message says what is wrong, with which value, and what is allowed. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly kind: string;
  readonly place: string | undefined;
  readonly help: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.kind = options.kind ?? code;
    this.place = options.place;
    this.help = options.help;
  }

  /** Returns the error with a place, unless it already has one. */
  at(place: string): AppError {
    if (this.place !== undefined) return this;
    const { code, message, kind, help, cause = this } = this;
    return new AppError(code, message, { kind, place, help, cause });
  }
}

/** The kind of the error for a store that has another version than this program knows. */
export const otherVersion = 'other-store-version';

/** True for the error of a store that has another version than this program knows. */
export function isOtherVersion(error: unknown): boolean {
  return error instanceof AppError && error.kind === otherVersion;
}

/** Makes the error for a plugin that the store does not have. */
export function unknownPlugin(pluginId: number): AppError {
  const help = '/api/v1/plugins lists all plugins';
  return new AppError('not_found', `there is no plugin with the id ${pluginId}`, {
    kind: 'unknown-plugin',
    help,
  });
}

/** Makes the error for a chart that the plugin does not have. @param help says what there is, unless that is the list of its charts */
export function unknownChart(pluginId: number, chartId: string, help?: string): AppError {
  return new AppError('not_found', `plugin ${pluginId} has no chart ${quote(chartId)}`, {
    kind: 'unknown-chart',
    help: help ?? `${chartsPath(pluginId)} lists its charts`,
  });
}

/** The path of the list of a plugin's charts. */
export function chartsPath(pluginId: number): string {
  return `/api/v1/plugins/${pluginId}/charts`;
}

/** Renders a value for a message: JSON text of at most 80 characters. */
export function quote(value: unknown): string {
  // Text may have megabytes, and only its first 80 characters are shown.
  const head = typeof value === 'string' ? value.slice(0, 80) : value;
  const text = typeof head === 'number' ? String(head) : (JSON.stringify(head) ?? String(head));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
