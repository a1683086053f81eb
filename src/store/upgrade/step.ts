/** A step of an upgrade, and the transaction of an upgrade. */
import type { OnProgress } from '../../model/store.ts';
import type { Transaction } from '../sql.ts';
import type { ReleasedVersion } from '../store-version.ts';
import type { Table } from '../table.ts';

/** A transaction with exclusive access to a store of an older release. */
export interface UpgradeTransaction extends Pick<Transaction, 'sql' | 'commit'> {
  readonly version: ReleasedVersion;
  /** Creates a table as this program describes it. */
  readonly createTable: (table: Table) => Promise<void>;
  /** Writes the version of the store. */
  readonly setVersion: (version: number) => Promise<void>;
}

/** Upgrades a store from the version of one release to that of the next, without rewriting chunks. */
export interface UpgradeStep {
  run(transaction: Pick<UpgradeTransaction, 'sql' | 'createTable'>, onProgress: OnProgress): Promise<void>;
}
