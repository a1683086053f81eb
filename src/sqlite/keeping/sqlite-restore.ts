/** Making a store from a backup: the backup is copied, the copy upgraded and checked, and only then put in its place. */

import { AppError } from '../../model/app-error.ts';
import type { StoreStats } from '../../model/store-stats.ts';
import type { CheckRecord } from '../../store/check-state.ts';
import { NewDatabase } from '../new-database.ts';
import { checkSqliteStore } from '../sqlite-check.ts';
import { openForWriting } from '../sqlite-database.ts';
import { refuseExisting } from '../sqlite-writer.ts';
import { type CopyOptions, copyBackup } from './sqlite-backup.ts';
import { readSqliteStats } from './sqlite-stats.ts';

/** A copy of a backup that has no faults. Disposing of it removes it, unless it has been published. */
export class CheckedCopy implements Disposable {
  readonly #place: NewDatabase;

  private constructor(place: NewDatabase) {
    this.#place = place;
  }

  /**
   * Copies and checks a backup.
   * @param path where {@link publish} puts the copy.
   * @throws AppError `conflict` where there is a file at `path`, `invalid` for a backup with faults, and as `copyBackup`.
   */
  static async make(
    file: string,
    path: string,
    options: CopyOptions & { readonly checkRecord: CheckRecord },
  ): Promise<CheckedCopy> {
    refuseExisting(path);
    const place = new NewDatabase(path);
    try {
      await copyBackup(file, place, options);
      // Nobody else takes the copy for a leftover.
      using lock = openForWriting(place.buildPath);
      lock.exec('begin immediate');
      for await (const fault of checkSqliteStore(place.buildPath, options.checkRecord)) {
        throw new AppError('invalid', `the backup is damaged: ${fault}`, { place: file });
      }
      return new CheckedCopy(place);
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  /** The file of the copy. */
  get path(): string {
    return this.#place.buildPath;
  }

  /** What the copy holds. */
  readStats(): Promise<StoreStats> {
    return readSqliteStats(this.path);
  }

  /** Puts the copy in its place. */
  publish(): void {
    this.#place.publish();
  }

  [Symbol.dispose](): void {
    this.#place[Symbol.dispose]();
  }
}
