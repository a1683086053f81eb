/** `export`: writes a whole store as an archive. */
import { openArchiveWriter } from '../../archive/archive-writer.ts';
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import type { Store } from '../../model/store.ts';
import { printMessage } from '../output.ts';
import { startProgress } from '../progress.ts';

/** Exports to a file, or with `-` to standard output, and prints a summary to standard error. */
export async function exportArchive(
  store: Store,
  file: string,
  options: { readonly isReplacing: boolean },
): Promise<void> {
  const counts = noCounts();
  await using reader = await store.openReader();
  await using writer = await openArchiveWriter(file, options);
  using progress = startProgress({ verb: 'exported', counts });
  await copyRecords(reader, writer, counts);
  await writer.commit();
  printMessage(`${progress.summary()} to ${file === '-' ? '<stdout>' : file}`);
}
