// The contract of stores, on SQLite.
import { DatabaseSync } from 'node:sqlite';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { catalogueContract } from '../contracts/catalogue-contract.ts';
import { damageContract } from '../contracts/damage-contract.ts';
import { damagedWritesContract } from '../contracts/damaged-writes.ts';
import { historyContract } from '../contracts/history-contract.ts';
import { insightsContract } from '../contracts/insights-contract.ts';
import { keepingContract } from '../contracts/keeping-contract.ts';
import { listsContract } from '../contracts/lists-contract.ts';
import { shareFactsContract } from '../contracts/share-facts-contract.ts';
import { storeContract } from '../contracts/store-contract.ts';
import { nextVersion, versionContract } from '../contracts/version-contract.ts';
import { windowsContract } from '../contracts/windows-contract.ts';
import { runDamaging } from '../support/damaging-sql.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let count = 0;
const makeStore = async () => parseStoreName(directory.at(`store-${count++}.db`));
storeContract('SQLite', makeStore);
keepingContract('SQLite', makeStore);
windowsContract('SQLite', makeStore);
historyContract('SQLite', makeStore);
listsContract('SQLite', makeStore);
shareFactsContract('SQLite', makeStore);
insightsContract('SQLite', makeStore);
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
