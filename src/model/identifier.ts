/** Ids, names and schemas that several nouns share. */
import { AppError, quote } from './app-error.ts';

/** Largest id: 2^53-1, the largest integer that all JSON readers keep exact. */
export const maxId = Number.MAX_SAFE_INTEGER;

/** Largest id assigned by counting; mirrors derive larger ones from names. */
export const maxCountedId = 2 ** 52 - 1;

/** Ids of software, plugins and owners, and chart uids. */
export const idSchema = {
  type: 'integer',
  minimum: 1,
  maximum: maxId,
  description: 'an integer from 1 to 9007199254740991',
} as const;

/** Names and titles. The pattern counts code points, and excludes control characters and lone surrogates. */
export const nameSchema = {
  type: 'string',
  pattern: '^[^\\p{Cc}\\p{Cs}]{1,200}$',
  description: 'a string of 1 to 200 characters without control characters',
} as const;

/** Flags, such as `isGlobal`. */
export const booleanSchema = { type: 'boolean', description: 'true or false' } as const;

/** Maximum number of platforms of one plugin, which a page shows together. */
export const maxPlatforms = 10;

/**
 * Parses ids of plugins with plus signs between, such as `1337+42`: ascending, each once.
 * @throws AppError `invalid` for anything but ids, and for more than {@link maxPlatforms}.
 */
export function parsePluginIds(text: string): readonly number[] {
  const ids = new Set(text.split('+').map(parsePluginId));
  if (ids.size <= maxPlatforms) return [...ids].sort((a, b) => a - b);
  const message = `a page has up to ${maxPlatforms} plugins; got ${ids.size} plugin ids`;
  throw new AppError('malformed-plugin-id', message);
}

/**
 * Parses a plugin id in a path.
 * @throws AppError `invalid` for anything but decimal digits up to 2^53-1.
 */
export function parsePluginId(text = ''): number {
  const id = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  const message = `the plugin id must be decimal digits, at most ${maxId}; got ${quote(text)}`;
  throw new AppError('malformed-plugin-id', message);
}
