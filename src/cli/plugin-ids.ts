/** Plugin ids, from an option and from a file. */
import { readFileSync } from 'node:fs';
import { AppError } from '../model/app-error.ts';
import { maxId } from '../model/identifier.ts';
import { shownValue } from './password-text.ts';

/** Parses a plugin id; throws AppError `invalid`. */
export function parseIdArgument(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id >= 1 && id <= maxId) return id;
  throw new AppError('invalid', `a plugin id must be an integer from 1 to ${maxId}, got ${shownValue(text)}`);
}

/**
 * Reads a file with one id in each line; `#` begins a comment.
 * @returns each id once.
 * @throws AppError `invalid` with the line; also for a file that cannot be read or has no id.
 */
export function readPluginsFile(file: string): readonly number[] {
  const ids = new Set<number>();
  for (const [index, line] of readLines(file).entries()) {
    const text = line.replace(/#.*/s, '').trim();
    if (text === '') continue;
    try {
      ids.add(parseIdArgument(text));
    } catch (error) {
      throw error instanceof AppError ? error.at(`${file}:${index + 1}`) : error;
    }
  }
  if (ids.size === 0) throw new AppError('invalid', 'it names no plugin', { place: file });
  return [...ids];
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\n|\r/);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new AppError('invalid', `cannot be read: ${reason}`, { place: file, cause: error });
  }
}
