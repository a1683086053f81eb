/** Upgrades a store of an older release in one transaction, step by step. */
import type { OnProgress, Upgraded } from '../../model/store.ts';
import { noteChange } from '../note-change.ts';
import { type ReleasedVersion, releasedVersions, storeVersion } from '../store-version.ts';
import type { UpgradeStep, UpgradeTransaction } from './step.ts';
import { from7 } from './steps/from-7.ts';

/** The steps, by the version from which each upgrades. */
const steps: { readonly [Version in ReleasedVersion]: UpgradeStep } = { 7: from7 };

/**
 * Runs the necessary steps, and commits. An error or an interruption before the commit leaves the store
 * unchanged.
 */
export async function upgradeStore(
  transaction: UpgradeTransaction,
  onProgress: OnProgress,
): Promise<Upgraded> {
  const { sql, version } = transaction;
  for (const from of releasedVersions) if (from >= version) await steps[from].run(transaction, onProgress);
  await transaction.setVersion(storeVersion);
  await noteChange(sql, { isCatalogueChanged: true });
  await transaction.commit();
  return { from: version, to: storeVersion };
}
