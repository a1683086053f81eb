/** `import`: archives into a store, all of them or none. */
import { openArchiveReader } from '../../archive/archive-reader.ts';
import { copyRecords, noCounts } from '../../transfer/copy-records.ts';
import { printResult } from '../output.ts';
import { startProgress } from '../progress.ts';
import type { Store } from '../store-name.ts';

/** Imports the archives in one transaction and prints a summary. */
export async function importArchives(store: Store, files: readonly string[]): Promise<void> {
  const archives = await Promise.all(files.map(openArchiveReader));
  const counts = noCounts();
  const sizes = archives.map((archive) => archive.sizeBytes);
  const sizeBytes = sizes.reduce(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  const readBytes = () => archives.reduce((sum, archive) => sum + archive.readBytes(), 0);
  await using writer = await store.openWriter();
  using progress = startProgress({ verb: 'imported', counts, readBytes, sizeBytes });
  for (const archive of archives) await copyRecords(archive, writer, counts);
  await writer.commit();
  printResult(`${progress.summary()} into ${store.name}`);
}
