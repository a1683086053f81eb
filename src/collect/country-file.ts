/**
 * A MaxMind database with the countries of addresses. The file is read again when it has changed, because
 * such databases grow stale in weeks.
 */
import { readFileSync, statSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { AppError, throwUnexpected } from '../model/app-error.ts';
import { readFault } from '../runtime/system-faults.ts';
import type { CountryName } from './default-values.ts';

/** Finds the country of an address; undefined if the file has none. */
export type FindCountry = (address: string) => CountryName | undefined;

/**
 * Opens a file, and checks it each minute: if it is being written, or is gone, the old contents stay until
 * the next change.
 * @throws AppError `unavailable` for a file that cannot be read, `invalid` for a file that is not such a
 * database.
 */
export function openCountryFile(path: string, lookMs = 60_000): FindCountry {
  // Before the file is read, so that no change is missed.
  let read = versionOf(path);
  let reader = readCountries(path);
  setInterval(() => {
    const version = versionOf(path);
    if (version === read) return;
    read = version;
    try {
      reader = readCountries(path);
    } catch (error) {
      throwUnexpected(error);
    }
  }, lookMs).unref();
  return (address) => {
    if (isIP(address) === 0 || (isIPv6(address) && reader.metadata.ipVersion === 4)) return undefined;
    let country: CountryResponse['country'];
    try {
      country = reader.get(address)?.country;
    } catch {
      // A part of the file is damaged. A report counts without its country.
      return undefined;
    }
    const code = country?.iso_code;
    if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(code)) return undefined;
    return { code, name: country?.names?.en ?? code };
  };
}

/** Identifies the contents of the file; unchanged while it is gone or its folder cannot be read. */
function versionOf(path: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(path);
    return [ino, mtimeMs, size].join();
  } catch {
    return '';
  }
}

function readCountries(path: string): Reader<CountryResponse> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = readFault(path, cause as Error);
    throw new AppError('unavailable', `the countries in ${path} cannot be read: ${reason}`, { cause });
  }
  try {
    return new Reader(bytes);
  } catch (cause) {
    throw new AppError('invalid', `${path} is not a MaxMind database`, { cause });
  }
}
