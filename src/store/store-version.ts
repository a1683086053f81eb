/** The version of a store: it denotes the tables, and is the same on every engine. */
import { AppError } from '../model/app-error.ts';

/**
 * The version that this program creates, and the only one that it reads. Older programs created versions 1 to
 * 8.
 */
export const storeVersion = 9;

/**
 * The versions of older releases that `upgrade` can upgrade, the oldest first. Programs between two releases
 * created other versions.
 */
export const releasedVersions = [7] as const;

/** A version of an older release that can be upgraded. */
export type ReleasedVersion = (typeof releasedVersions)[number];

/** Finds the version in the list of {@link releasedVersions}. */
export function findReleased(version: number): ReleasedVersion | undefined {
  return releasedVersions.find((one) => one === version);
}

/**
 * Refuses a store of another version.
 * @param kind `changed-store-version` for a store that is open already: another program may upgrade it at any
 * time.
 * @throws AppError of that kind.
 */
export function refuseOtherVersion(
  version: number,
  storeName: string,
  kind: 'other-store-version' | 'changed-store-version' = 'other-store-version',
): void {
  if (version === storeVersion) return;
  if (findReleased(version) !== undefined)
    throw new AppError(
      kind,
      `the store ${storeName} has version ${version}, of an older plugin-metrics: "plugin-metrics upgrade" brings it to version ${storeVersion}, ` +
        'once no other program has it open',
    );
  throw new AppError(
    kind,
    version > storeVersion
      ? `the store ${storeName} has version ${version}, written by a newer plugin-metrics; this one knows version ${storeVersion}`
      : `the store ${storeName} has version ${version}, of an older plugin-metrics, and this one knows version ${storeVersion} alone: ` +
          '"export" it with the program that made it, and "import" the archive into a new store with this one',
  );
}
