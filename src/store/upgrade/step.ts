/** A step of an upgrade, and the transaction that it runs in. */
import type { OnProgress } from '../../model/store.ts';
import type { Transaction } from '../sql.ts';
import type { ReleasedVersion } from '../store-version.ts';
import type { Table } from '../table.ts';

/** A transaction that has a store of an older release for itself. */
export interface UpgradeTransaction extends Transaction {
  readonly version: ReleasedVersion;
  /** Makes a table as this program describes it. */
  createTable(table: Table): Promise<void>;
  /** Gives the store its version. */
  setVersion(version: number): Promise<void>;
}

/** Brings a store from the version of one release to that of the next. It rewrites no chunk. */
export interface UpgradeStep {
  run(transaction: Pick<UpgradeTransaction, 'sql' | 'createTable'>, onProgress: OnProgress): Promise<void>;
}
