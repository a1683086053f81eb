/** `backup`: copies a SQLite store as it is at one moment, and checks the copy. */
import { statSync } from 'node:fs';
import { AppError } from '../../model/app-error.ts';
import { command } from '../command.ts';
import { printResult, secondsText, sizeText, startCopyStatus } from '../output.ts';
import { refuseSameFile, storeSetting } from '../settings.ts';

export const backup = command({
  summary: 'copy the store as it is at one moment, while it is served and written (SQLite)',
  settings: { store: storeSetting },
  argument: { name: '<FILE>', help: 'the backup to make: a store of its own' },
  async run({ store }, file: string, refuse) {
    if (file === '-') refuse('a backup is a file; "export" writes to standard output');
    refuseSameFile(refuse, store, file);
    if (store.file === undefined)
      throw new AppError(
        'invalid',
        'a store on a PostgreSQL server is backed up with "plugin-metrics export", or with the tools of the server such as pg_dump',
      );
    const { recordChecker } = await import('../../archive/check-record.ts');
    const startedAt = performance.now();
    using status = startCopyStatus(file);
    await store.file.backUp(file, { checkRecord: recordChecker(), onProgress: status.onProgress });
    const took = secondsText(performance.now() - startedAt);
    printResult(`backed up ${store.name} to ${file}: ${sizeText(statSync(file).size)} in ${took}`);
  },
});
