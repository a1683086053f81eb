import { openSqliteStore } from '../../src/store/store.ts';
import { collectContract } from '../contracts/collect-contract.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let storeCount = 0;

collectContract('SQLite', async () => openSqliteStore(directory.at(`store-${++storeCount}.db`)));
