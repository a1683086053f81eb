// Slots closed into the embedded store.
import { after } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { collectContract } from '../collect-contract.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
let storeCount = 0;

collectContract('SQLite', async () => openSqliteStore(directory.at(`store-${++storeCount}.db`)));
