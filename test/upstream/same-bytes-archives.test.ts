// The contract of stores for mirrors of servers with archives, for SQLite.
import { after } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { archiveMirrorContract } from '../archive-mirror-contract.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
let count = 0;

archiveMirrorContract('SQLite', async () => parseStoreName(directory.at(`store-${count++}.db`)), 8);
