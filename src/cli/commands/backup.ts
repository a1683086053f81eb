/**
 * `backup` and `restore`: copy the store as of one moment, and make a store from a copy or an archive, all or
 * nothing.
 */
import { closeSync, mkdtempDisposableSync, openSync, readSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sqliteStart } from '../../archive/archive-bytes.ts';
import { AppError } from '../../model/app-error.ts';
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import type { RecordSource } from '../../model/metrics-record.ts';
import type { RestoreOptions, Store } from '../../model/store.ts';
import { maxTimestamp } from '../../model/window.ts';
import { command } from '../command.ts';
import {
  type CountsByNoun,
  countsText,
  printResult,
  secondsText,
  sizeText,
  startCalledStatus,
  startProgress,
} from '../output.ts';
import { changeSettings, count, fileName, refuseSameFile, storeSetting } from '../settings.ts';
import { stopOnSignals } from '../stopping.ts';
import { parseStoreName } from '../store-name.ts';

export const backup = command({
  summary: 'copy a SQLite store as of one moment; it may be served and written meanwhile',
  settings: {
    store: storeSetting,
    keep: {
      help: 'make a compressed backup in the folder FILE, named by the store and the time, and remove the oldest ones of that name beyond this number',
      ...count,
    },
  },
  argument: {
    name: '<FILE>',
    help: 'the backup to make, which must not exist yet; with --keep, a folder',
    ...fileName,
  },
  async run({ store, keep }, file, refuse) {
    if (file === '-') refuse('a backup is a file; "export" writes to standard output');
    if (store.file === undefined)
      throw new AppError(
        'invalid',
        'a store on a PostgreSQL server is backed up with "plugin-metrics export", or with the tools of the server such as pg_dump',
      );
    const { file: storeFile } = store;
    refuseSameFile(
      refuse,
      store,
      file,
      ...(keep === undefined ? [] : [join(file, `${basename(storeFile.path, '.db')}-`)]),
    );
    const { recordChecker } = await import('../../archive/check-record.ts');
    const startedAt = performance.now();
    using status = startCalledStatus(`copying ${store.name}`);
    using _ = stopOnSignals('no backup was made');
    const options = { checkRecord: recordChecker(), onProgress: status.onProgress };
    const made =
      keep === undefined
        ? await storeFile.backUp(file, options).then(() => ({ file, removedCount: 0 }))
        : await storeFile.keepBackups(file, { ...options, keepCount: keep });
    const took = secondsText(performance.now() - startedAt);
    const removed = made.removedCount === 0 ? '' : `; removed ${made.removedCount} older`;
    printResult(
      `backed up ${store.name} to ${made.file}: ${sizeText(statSync(made.file).size)} in ${took}${removed}`,
    );
  },
});

export const restore = command({
  summary: 'make the store from a backup or an archive, all or nothing',
  settings: changeSettings,
  argument: {
    name: '<FILE>',
    help: 'a backup, or an archive, plain, gzip or zstd; - is an archive on standard input',
    ...fileName,
  },
  async run({ store, dryRun }, file, refuse) {
    refuseSameFile(refuse, store, file);
    const counts = await restoreFile(store, file, dryRun);
    const verb = dryRun ? 'would restore' : 'restored';
    printResult(`${verb} ${file} into ${store.name}: ${countsText(counts)}`);
  },
});

async function restoreFile(store: Store, file: string, isDryRun: boolean): Promise<CountsByNoun> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return restoreArchive(store, file, isDryRun);
  if (isPlainBackup(file)) return restoreBackup(store, file, { isDryRun });
  const { openPackedStore } = await import('../../archive/archive-bytes.ts');
  const packed = await openPackedStore(file);
  if (packed === undefined) return restoreArchive(store, file, isDryRun);
  return restoreBackup(store, file, { isDryRun, content: packed.blocks() });
}

/**
 * True for a file that begins like a SQLite database; the archive reader reports files that cannot be read.
 */
function isPlainBackup(file: string): boolean {
  const start = Buffer.alloc(sqliteStart.length);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, start);
    closeSync(opened);
  } catch {
    return false;
  }
  return sqliteStart.equals(start);
}

async function restoreArchive(store: Store, file: string, isDryRun: boolean): Promise<CountsByNoun> {
  const { openArchiveReader } = await import('../../archive/archive-reader.ts');
  const archive = await openArchiveReader(file);
  return copyIntoNew(store, archive, { isDryRun, ...archive });
}

/** Restores a backup: a SQLite store is the copy itself; into a store on a server, its records are copied. */
async function restoreBackup(
  store: Store,
  file: string,
  { isDryRun, content }: Pick<RestoreOptions, 'isDryRun' | 'content'>,
): Promise<CountsByNoun> {
  const { recordChecker } = await import('../../archive/check-record.ts');
  using status = startCalledStatus(`copying ${file}`);
  const options = { checkRecord: recordChecker(), onProgress: status.onProgress, content };
  if (store.file !== undefined) {
    using _ = stopOnSignals();
    return await store.file.restore(file, { ...options, isDryRun });
  }
  using folder = temporaryFolder();
  const copy = parseStoreName(`sqlite:${join(folder.path, 'copy.db')}`);
  await copy.file?.restore(file, { ...options, isDryRun: false });
  await using reader = await copy.openReader();
  status[Symbol.dispose]();
  return await copyIntoNew(store, reader, { isDryRun });
}

function temporaryFolder() {
  try {
    return mkdtempDisposableSync(join(tmpdir(), 'plugin-metrics-'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new AppError('unavailable', `the backup cannot be copied to ${tmpdir()}: ${reason}`, { cause });
  }
}

interface CopyOptions {
  readonly isDryRun: boolean;
  readonly readBytes?: () => number;
  readonly sizeBytes?: number | undefined;
}

async function copyIntoNew(
  store: Store,
  source: RecordSource,
  { isDryRun, readBytes, sizeBytes }: CopyOptions,
): Promise<CountsByNoun> {
  using stopping = stopOnSignals();
  const counts = noCounts();
  // An export or a backup is restored whole, including points in the future.
  await using writer = await store.openNewWriter({ latestTimestamp: maxTimestamp });
  using _ = startProgress({
    verbs: ['restoring', 'restored'],
    counts,
    share: () => sizeBytes && readBytes && readBytes() / sizeBytes,
  });
  await copyRecords(source, writer, counts);
  if (!isDryRun) await stopping.commit(writer);
  return counts;
}
