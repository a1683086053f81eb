/** `backup`: copies a SQLite store as it is at one moment, and checks the copy. */
import { statSync } from 'node:fs';
import { recordChecker } from '../../archive/check-record.ts';
import { AppError } from '../../model/app-error.ts';
import type { Store } from '../../model/store.ts';
import { printResult } from '../output.ts';
import { startStatus } from '../progress.ts';
import { sizeText } from '../words.ts';

/** Makes a backup and prints a summary. */
export async function backUp(store: Store, file: string): Promise<void> {
  if (store.file === undefined) {
    throw new AppError(
      'invalid',
      'a store on a PostgreSQL server is backed up with "plugin-metrics export", or with the tools of the server such as pg_dump',
    );
  }
  const startedAt = performance.now();
  let part = 0;
  using status = startStatus(() => (part < 1 ? `copied ${Math.round(part * 100)} %` : `checking ${file}`));
  await store.file.backUp(file, {
    checkRecord: recordChecker(),
    onProgress: (copied) => {
      part = copied;
      if (part === 1) status.draw();
    },
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  printResult(`backed up ${store.name} to ${file}: ${sizeText(statSync(file).size)} in ${seconds} s`);
}
