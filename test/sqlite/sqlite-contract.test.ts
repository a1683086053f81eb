/** The embedded store keeps the contract. */
import { after } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { storeContract } from '../store-contract.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
let count = 0;
storeContract('SQLite', async () => parseStoreName(directory.at(`store-${count++}.db`)));
