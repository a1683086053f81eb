/** The error class for expected failures, with messages for users. */

/** Codes that callers branch on. All end a command with exit code 1. */
export type ErrorCode = 'invalid' | 'not_found' | 'conflict' | 'unavailable';

/**
 * Every kind of error with its code. Kinds that API clients see are part of a URI they rely on, so they never
 * change. Only `http/` maps kinds to statuses.
 */
const codes = {
  invalid: 'invalid',
  not_found: 'not_found',
  conflict: 'conflict',
  unavailable: 'unavailable',
  'body-too-large': 'invalid',
  'malformed-max-elements': 'invalid',
  'malformed-plugin-id': 'invalid',
  'malformed-query': 'invalid',
  'malformed-report': 'invalid',
  'malformed-request': 'invalid',
  'method-not-offered': 'invalid',
  'other-store-version': 'invalid',
  'undecodable-path': 'invalid',
  'unknown-coding': 'invalid',
  'uri-too-long': 'invalid',
  'headers-too-large': 'invalid',
  'wrong-plugin': 'invalid',
  'unknown-chart': 'not_found',
  'unknown-owner': 'not_found',
  'unknown-path': 'not_found',
  'unknown-plugin': 'not_found',
  'unknown-software': 'not_found',
  'reported-already': 'conflict',
  'slot-closed': 'conflict',
  'too-many-requests': 'conflict',
  'too-many-servers': 'conflict',
  'changed-store-version': 'unavailable',
  'internal-error': 'unavailable',
  overloaded: 'unavailable',
  'png-unavailable': 'unavailable',
  'request-timeout': 'unavailable',
  'script-unavailable': 'unavailable',
  'store-unavailable': 'unavailable',
} as const satisfies Record<string, ErrorCode>;

/** Stable name of a kind of error. */
export type ErrorKind = keyof typeof codes;

/** Options of an {@link AppError}. */
interface AppErrorOptions {
  /** Place of the faulty input, such as `backup.ndjson:12`. */
  readonly place?: string | undefined;
  /** Advice for HTTP clients, appended to the message there. */
  readonly help?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure. The message says what is wrong, with which value, and what is allowed. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly place: string | undefined;
  readonly help: string | undefined;

  constructor(kind: ErrorKind, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = codes[kind];
    this.kind = kind;
    this.place = options.place;
    this.help = options.help;
  }

  /** Returns the error with the given place, unless it already has one. */
  at(place: string): AppError {
    if (this.place !== undefined) return this;
    const { message, kind, help, cause = this } = this;
    return new AppError(kind, message, { place, help, cause });
  }
}

/** Rethrows any error that is not an AppError, because it is a bug. */
export function throwUnexpected(error: unknown): asserts error is AppError {
  if (!(error instanceof AppError)) throw error;
}

/** Returns an AppError with its place, and any other error unchanged; the caller throws the result. */
export function placed(error: unknown, place: string): unknown {
  return error instanceof AppError ? error.at(place) : error;
}

/** True for an AppError with one of the given codes or kinds. */
export function isAppError(error: unknown, ...some: readonly (ErrorCode | ErrorKind)[]): error is AppError {
  return error instanceof AppError && (some.includes(error.code) || some.includes(error.kind));
}

/** True if a store has a version that this program does not support. */
export function isOtherVersion(error: unknown): boolean {
  return isAppError(error, 'other-store-version', 'changed-store-version');
}

/** Makes the error for a plugin that the store does not have. */
export function unknownPlugin(pluginId: number): AppError {
  const help = '/api/v1/plugins lists all plugins';
  return new AppError('unknown-plugin', `there is no plugin with the id ${pluginId}`, { help });
}

/**
 * Makes the error for a chart that the plugin does not have.
 * @param help advice; by default the path of the list of charts.
 */
export function unknownChart(pluginId: number, chartId: string, help?: string): AppError {
  return new AppError('unknown-chart', `plugin ${pluginId} has no chart ${quote(chartId)}`, {
    help: help ?? `${chartsPath(pluginId)} lists its charts`,
  });
}

/** Path of the list of charts of a plugin. */
export function chartsPath(pluginId: number): string {
  return `/api/v1/plugins/${pluginId}/charts`;
}

/** Renders a value for a message: JSON text of limited length, in characters. */
export function quote(value: unknown, maxLength = 80): string {
  // The text may be megabytes long.
  const head = typeof value === 'string' ? value.slice(0, maxLength) : value;
  const text = typeof head === 'number' ? String(head) : (JSON.stringify(head) ?? String(head));
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}
