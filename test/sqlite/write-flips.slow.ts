// Every kind of write, on a store in which any one column is changed.
import { copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { Store } from '../../src/model/store.ts';
import { allTables } from '../../src/store/tables.ts';
import { damagedWritesContract } from '../contracts/damaged-writes.ts';
import { runDamaging } from '../support/damaging-sql.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

// On a disk in memory, if there is one, thousands of commits need not wait.
const directory = directoryOfFile(existsSync('/dev/shm') ? '/dev/shm' : undefined);
let count = 0;
const nextStore = () => parseStoreName(directory.at(`store-${count++}.db`));
const pathOf = ({ file }: Store) => file?.path ?? '';

damagedWritesContract('SQLite', {
  makeStore: async () => nextStore(),
  runSql: runDamaging,
  files: {
    copyStore(store) {
      const copy = nextStore();
      copyFileSync(pathOf(store), pathOf(copy));
      return copy;
    },
    rowsOf(store) {
      using db = new DatabaseSync(pathOf(store));
      const rows = allTables
        .map(({ name }) => name)
        // The table contains random tokens.
        .filter((table) => table !== 'generation')
        .flatMap((table) => db.prepare(`select '${table}', * from ${table}`).all());
      return new Set(rows.map((row) => JSON.stringify(Object.values(row))));
    },
  },
});
