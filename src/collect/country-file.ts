/** A MaxMind database with the countries of addresses. The file is read again when it has changed: such databases grow stale in weeks. */
import { readFileSync, statSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { AppError } from '../model/app-error.ts';
import type { Country } from './default-values.ts';

/** Interval at which the file is looked at. */
const lookMs = 60_000;

/** The countries of a file. */
export class CountryFile {
  readonly #path: string;
  readonly #now: () => number;
  #reader: Reader<CountryResponse> | undefined;
  /** The version of the file that was read. */
  #state: string | undefined;
  #lookedAt = 0;

  /**
   * Reads a file.
   * @param now milliseconds that never jump.
   * @throws AppError `unavailable` for a file that cannot be read, `invalid` for one that is no such database.
   */
  constructor(path: string, now: () => number = () => performance.now()) {
    this.#path = path;
    this.#now = now;
    this.#read();
  }

  /** Finds the country of an address; undefined where the file has none. */
  find(address: string): Country | undefined {
    this.#refresh();
    if (isIP(address) === 0) return undefined;
    if (isIPv6(address) && this.#reader?.metadata.ipVersion === 4) return undefined;
    let country: CountryResponse['country'];
    try {
      country = this.#reader?.get(address)?.country;
    } catch {
      // A part of the file is damaged. A report counts without its country.
      return undefined;
    }
    const code = country?.iso_code;
    if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(code)) return undefined;
    return { code, name: country?.names?.en ?? code };
  }

  /** Looks at the file now and then. One that is being written, or is gone, is left for the next look. */
  #refresh(): void {
    if (this.#now() - this.#lookedAt < lookMs) return;
    try {
      this.#read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  /** Reads the file, unless it is the one that was read. */
  #read(): void {
    const path = this.#path;
    let state: string;
    let bytes: Buffer;
    this.#lookedAt = this.#now();
    try {
      const { mtimeMs, size, ino } = statSync(path);
      state = `${mtimeMs} ${size} ${ino}`;
      if (state === this.#state) return;
      bytes = readFileSync(path);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AppError('unavailable', `the database of countries ${path} cannot be read: ${reason}`, {
        cause,
      });
    }
    try {
      this.#reader = new Reader(bytes);
    } catch (cause) {
      throw new AppError('invalid', `${path} is not a MaxMind database`, { cause });
    }
    this.#state = state;
  }
}
