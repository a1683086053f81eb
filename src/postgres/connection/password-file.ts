/** The password file, `.pgpass` (PostgreSQL 18, 32.16): `host:port:database:user:password` by line. */
import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../model/app-error.ts';

/** The fields that a line of the file must match. */
interface PasswordQuery {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * Finds the password in the first line that matches; undefined if there is none, or no file.
 * @throws AppError `unavailable` for a file that others may read.
 */
export async function findPassword(file: string, query: PasswordQuery): Promise<string | undefined> {
  const text = await readSecret(file);
  // The file names the directory of a socket localhost.
  const host = query.host.startsWith('/') ? 'localhost' : query.host;
  const wanted = [host, String(query.port), query.database, query.user];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const fields = splitFields(line.replace(/\r$/, ''));
    if (fields.length !== 5) continue;
    if (wanted.every((value, index) => fields[index] === '*' || fields[index] === value)) return fields[4];
  }
  return undefined;
}

async function readSecret(file: string): Promise<string> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new AppError(
        'unavailable',
        `the password file ${file} must be readable by its owner alone (0600)`,
      );
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', `the password file ${file} cannot be read`, { cause: error });
  }
}

/** Splits a line at its colons; a backslash escapes a colon or a backslash. */
function splitFields(line: string): string[] {
  const fields = [''];
  for (const [, escaped, character = ''] of line.matchAll(/\\([\\:])|(.)/g)) {
    if (character === ':') fields.push('');
    else fields.push((fields.pop() ?? '') + (escaped ?? character));
  }
  return fields;
}
