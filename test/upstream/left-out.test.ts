import { parseStoreName } from '../../src/cli/store-name.ts';
import { mirrorContract } from '../contracts/mirror-contract.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let count = 0;

mirrorContract('SQLite', async () => parseStoreName(directory.at(`store-${count++}.db`)));
