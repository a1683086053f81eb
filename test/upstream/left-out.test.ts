// The contract of stores for mirrors, for SQLite.
import { after } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { mirrorContract } from '../mirror-contract.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
let count = 0;

mirrorContract('SQLite', async () => parseStoreName(directory.at(`store-${count++}.db`)));
