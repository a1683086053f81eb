/**
 * The file that a reader has open: what its generations are, and whether it still is what stands at its path.
 * Another store that was put there is opened instead of it.
 */
import { type Stats, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import { removeLog } from '../remove-database.ts';
import { guarded, openForReading } from '../sqlite-database.ts';
import { findUnwritableIndex, stampOf } from './index-file.ts';

/** How long a file that could not be opened is left alone. */
const retryMs = 1000;

/** A connection with what is asked of it. */
interface OpenFile<Statements> {
  readonly db: DatabaseSync;
  readonly statements: Statements;
  readonly dataVersion: StatementSync;
  readonly catalogue: StatementSync;
  readonly begin: StatementSync;
  readonly rollback: StatementSync;
  readonly file: Stats | undefined;
  /** The write-ahead log beside the file, which SQLite finds by its name alone. */
  readonly log: Stats | undefined;
  /** The index of the log, if this user may not write it. */
  readonly unwritableIndex: string | undefined;
}

/** The file at a path, with statements that are prepared for it. */
export class WatchedFile<Statements> implements Disposable {
  readonly #path: string;
  readonly #prepare: (db: DatabaseSync) => Statements;
  readonly #counts = { catalogue: 0, data: 0 };
  #open: OpenFile<Statements>;
  #seen: { readonly dataVersion: unknown; readonly catalogue: unknown; readonly stamp?: string | undefined };
  #isReading = false;
  #fileNumber = 0;
  #lostAt: number | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** @throws AppError as `openForReading`. */
  constructor(path: string, prepare: (db: DatabaseSync) => Statements) {
    this.#path = path;
    this.#prepare = prepare;
    this.#open = this.#openFile();
    this.#seen = this.#readState();
  }

  /** The statements, to be run at once: they see the state that the latest generation was asked of in this turn. */
  get statements(): Statements {
    this.#read();
    return this.#open.statements;
  }

  /** The generation of what the statements see. */
  seenGeneration(of: ChangeScope): number {
    this.#read();
    return this.#counts[of];
  }

  /** The number of the open file, which changes when another one has taken its place. */
  get fileNumber(): number {
    return this.#fileNumber;
  }

  /** As `MetricsReader.generation`. */
  generation(of: ChangeScope): number {
    this.look();
    const { unwritableIndex } = this.#open;
    // Before the transaction begins: what is written in between has another stamp at the next look.
    const stamp = unwritableIndex === undefined ? undefined : stampOf(unwritableIndex);
    this.#beginReading();
    const before = this.#seen;
    const dataVersion = this.#readDataVersion();
    if (dataVersion !== before.dataVersion && (stamp === undefined || stamp !== before.stamp)) {
      this.#seen = { ...this.#readState(), stamp };
      this.#counts.data++;
      if (this.#seen.catalogue !== before.catalogue) this.#counts.catalogue++;
    }
    return this.#counts[of];
  }

  /** For how long the path has held no file that could be read, in milliseconds, as far as it was looked at. */
  unreachableMs(): number {
    return this.#lostAt === undefined ? 0 : Math.max(1, performance.now() - this.#lostAt);
  }

  /** Looks whether the path still holds the open file. */
  look(): void {
    const file = findFile(this.#path);
    if (isSameFile(file, this.#open.file)) this.#lostAt = undefined;
    else {
      this.#lostAt ??= performance.now();
      if (file !== undefined && performance.now() - this.#triedAt >= retryMs) this.#replace();
    }
  }

  [Symbol.dispose](): void {
    this.#open.db.close();
  }

  /**
   * All statements of a turn of the event loop share one read transaction: taking and giving up its locks costs as
   * much as a statement. It reaches to the work that the turn has put off with `setImmediate`. Asking for the generation
   * again begins another one.
   */
  #beginReading(): void {
    guarded(this.#path, () => {
      endTransaction(this.#open);
      this.#open.begin.run();
    });
    if (this.#isReading) return;
    this.#isReading = true;
    const open = this.#open;
    const end = () => {
      this.#isReading = false;
      try {
        endTransaction(open);
      } catch {
        // The file is damaged: the next read throws, and says so.
      }
    };
    setImmediate(() => setImmediate(end));
  }

  /** Looks at the generation at the beginning of a turn. */
  #read(): void {
    if (!this.#isReading) this.generation('data');
  }

  #replace(): void {
    try {
      const { log } = this.#open;
      // SQLite would take the log of the old file for that of the new one, and read pages out of it.
      if (log !== undefined && isSameFile(findFile(`${this.#path}-wal`), log)) removeLog(this.#path);
      const next = this.#openFile();
      this.#open.db.close();
      this.#open = next;
      this.#isReading = false;
      this.#seen = this.#readState();
    } catch {
      // `unreachableMs` says so, and a later look tries again.
      this.#triedAt = performance.now();
      return;
    }
    this.#lostAt = undefined;
    this.#fileNumber++;
    this.#counts.catalogue++;
    this.#counts.data++;
  }

  #openFile(): OpenFile<Statements> {
    const file = findFile(this.#path);
    const db = openForReading(this.#path);
    try {
      return guarded(this.#path, () => ({
        db,
        statements: this.#prepare(db),
        dataVersion: db.prepare('pragma data_version'),
        // Only compared: as text no damage to it, such as an integer beyond 2^53, is in the way of a store that is good.
        catalogue: db.prepare('select cast(catalogue as text) as catalogue from generation'),
        begin: db.prepare('begin'),
        rollback: db.prepare('rollback'),
        file,
        log: findFile(`${this.#path}-wal`),
        unwritableIndex: findUnwritableIndex(this.#path),
      }));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #readState() {
    const dataVersion = this.#readDataVersion();
    const catalogue = guarded(this.#path, () => this.#open.catalogue.get()?.['catalogue']);
    return { dataVersion, catalogue };
  }

  #readDataVersion(): unknown {
    return guarded(this.#path, () => this.#open.dataVersion.get()?.['data_version']);
  }
}

/** A rollback, because a commit, even of nothing, would look at a file that may be damaged. */
function endTransaction({ db, rollback }: OpenFile<unknown>): void {
  if (db.isOpen && db.isTransaction) rollback.run();
}

/** The file at a path; undefined for none, and for one that may not be looked at. */
function findFile(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
