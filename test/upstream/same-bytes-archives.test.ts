import { parseStoreName } from '../../src/cli/store-name.ts';
import { archiveMirrorContract } from '../contracts/archive-mirror-contract.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let count = 0;

archiveMirrorContract('SQLite', async () => parseStoreName(directory.at(`store-${count++}.db`)), 8);
