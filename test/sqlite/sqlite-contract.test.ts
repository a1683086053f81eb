// The contract of stores, on SQLite.
import { DatabaseSync } from 'node:sqlite';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { catalogueContract } from '../catalogue-contract.ts';
import { damageContract } from '../damage-contract.ts';
import { damagedWritesContract } from '../damaged-writes.ts';
import { historyContract } from '../history-contract.ts';
import { keepingContract } from '../keeping-contract.ts';
import { listsContract } from '../lists-contract.ts';
import { shareFactsContract } from '../share-facts-contract.ts';
import { storeContract } from '../store-contract.ts';
import { runDamaging } from '../support/damaging-sql.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { nextVersion, versionContract } from '../version-contract.ts';

const directory = directoryOfFile();
let count = 0;
const makeStore = async () => parseStoreName(directory.at(`store-${count++}.db`));
storeContract('SQLite', makeStore);
keepingContract('SQLite', makeStore);
historyContract('SQLite', makeStore);
listsContract('SQLite', makeStore);
shareFactsContract('SQLite', makeStore);
catalogueContract('SQLite', makeStore);
versionContract('SQLite', makeStore, async ({ name }) => {
  const db = new DatabaseSync(name, { timeout: 5000 });
  db.exec(`begin immediate; pragma user_version = ${nextVersion}`);
  return {
    commit: async () => db.exec('commit'),
    async undo() {
      db.exec(`pragma user_version = ${storeVersion}`);
      db.close();
    },
  };
});
damageContract('SQLite', makeStore, runDamaging);
damagedWritesContract('SQLite', { makeStore, runSql: runDamaging });
