/** The version of a store: that of its tables, the same on every engine. */
import { AppError, otherVersion } from '../model/app-error.ts';

/** The version that this program makes, and the only one that it reads. Older programs made the versions 1 to 6. */
export const storeVersion = 7;

/** Refuses a store of another version. @throws AppError `invalid`, of the kind `otherVersion`. */
export function refuseOtherVersion(version: number, storeName: string): void {
  if (version === storeVersion) return;
  throw new AppError(
    'invalid',
    version > storeVersion
      ? `the store ${storeName} has version ${version}, written by a newer plugin-metrics; this one knows version ${storeVersion}`
      : `the store ${storeName} has version ${version}, of an older plugin-metrics, and this one knows version ${storeVersion} alone: ` +
          '"export" it with the program that made it, and "import" the archive into a new store with this one',
    { kind: otherVersion },
  );
}

/**
 * Refuses a store that has another version than when it was opened, within each transaction: another program may change it at any time.
 * @throws AppError `unavailable`, of the kind `otherVersion`.
 */
export function refuseChangedVersion(version: number, storeName: string): void {
  if (version === storeVersion) return;
  throw new AppError(
    'unavailable',
    `the store ${storeName} has version ${version} now, which another plugin-metrics gave it, and this one knows version ${storeVersion} alone: start that one in its place`,
    { kind: otherVersion },
  );
}
