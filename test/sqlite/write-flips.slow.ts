// Every kind of write on every changed column.
import { parseStoreName } from '../../src/cli/store-name.ts';
import { damagedWritesContract } from '../contracts/damaged-writes.ts';
import { runDamaging } from '../support/damaging-sql.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let count = 0;
const makeStore = async () => parseStoreName(directory.at(`store-${count++}.db`));
damagedWritesContract('SQLite', { makeStore, runSql: runDamaging, isWhole: true });
