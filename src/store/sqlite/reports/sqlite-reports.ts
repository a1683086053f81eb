/** Reports of the open slot in a database beside the embedded store. One collector takes them; another thread may close a slot. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { AppError } from '../../../model/app-error.ts';
import {
  type Coverage,
  closedSlot,
  type KeepOutcome,
  type OpenSlot,
  type PluginReport,
  type ReportStore,
  type Submission,
} from '../../../model/report-store.ts';
import { KnownSlots } from '../../reports/known-slots.ts';
import { encodeReport, ReportDecoder } from '../../reports/report-codec.ts';
import { reportsByPlugin } from '../../reports/reports-by-plugin.ts';
import { SlotIndex } from '../../reports/slot-index.ts';
import { bytes, integer } from '../../rows.ts';
import { isBusy, reasonOf } from '../sqlite-fault.ts';
import { dropSlotTables, openReportsDatabase, slotTablesSql } from './reports-database.ts';
import { SlotNames } from './slot-names.ts';
import { readRows } from './slot-reading.ts';

const keyBytes = 32;

/**
 * Opens the reports beside a store. The first `openSlot` makes this the collector of the store: it rejects with `unavailable` if there is one.
 * @throws AppError `unavailable` if they cannot be used, `invalid` for another file.
 */
export async function openSqliteReports(storePath: string): Promise<ReportStore> {
  const path = `${storePath}-reports`;
  const db = guarded(path, () => openReportsDatabase(path));
  try {
    return new SqliteReports(path, db, await open(`${path}-wal`, 'r+'));
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A slot that this collector takes reports for. */
interface KnownSlot {
  readonly index: SlotIndex;
  readonly add: StatementSync;
  names: SlotNames;
}

class SqliteReports implements ReportStore {
  readonly #path: string;
  readonly #db: DatabaseSync;
  /** The log that SQLite writes to. It is synchronized here, because a commit would wait for the disk in this thread. */
  readonly #log: FileHandle;
  readonly #state: StatementSync;
  readonly #slots = new KnownSlots<KnownSlot>();
  readonly #collector = randomUUID();
  #lock: DatabaseSync | undefined;

  constructor(path: string, db: DatabaseSync, log: FileHandle) {
    this.#path = path;
    this.#db = db;
    this.#log = log;
    this.#state = db.prepare('select is_frozen from slot where start = ?');
  }

  async openSlot(start: number): Promise<Uint8Array> {
    this.#lock ??= lockReports(this.#path);
    return this.#transaction(() => {
      const row = this.#db.prepare('select key, is_frozen from slot where start = ?').get(start);
      if (row?.['is_frozen'] === 1 || start < this.#closedUntil()) throw closedSlot(start);
      if (row !== undefined) return bytes(row['key']);
      const key = randomBytes(keyBytes);
      this.#db.prepare('insert into slot (start, key) values (?, ?)').run(start, key);
      this.#db.exec(slotTablesSql(start));
      return key;
    });
  }

  async keep(
    start: number,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    const slot = this.#guarded(() => this.#slotOf(start));
    const { outcomes, row } = this.#guarded(() => {
      try {
        return this.#transaction(() => {
          this.#checkOpen(start);
          const encode = ({ values }: PluginReport) =>
            encodeReport(values, (name) => slot.names.getNumber(name));
          const judged = slot.index.judge(submissions, maxPerAddress, encode);
          if (judged.row !== undefined) slot.add.run(judged.row);
          return judged;
        });
      } catch (error) {
        // The numbers of names that the transaction had added are not valid any more.
        if (this.#slots.get(start) !== undefined) slot.names = new SlotNames(this.#db, start);
        throw error;
      }
    });
    if (row !== undefined) {
      slot.index.add(row);
      await this.#synchronize();
    }
    return outcomes;
  }

  async noteCoverage(start: number, { from, until }: Coverage): Promise<void> {
    this.#guarded(() =>
      this.#db
        .prepare(`
          insert into coverage (start, collector, from_time, until) values (?, ?, ?, ?)
          on conflict (start, collector, from_time) do update set until = excluded.until`)
        .run(start, this.#collector, from, until),
    );
    await this.#synchronize();
  }

  async listSlots(): Promise<readonly OpenSlot[]> {
    return this.#guarded(() => {
      const coverage = this.#db.prepare('select from_time, until from coverage where start = ?');
      const rows = this.#db.prepare('select start from slot order by start').all();
      const starts = rows.map((row) => integer(row['start']));
      this.#slots.keepOnly(new Set(starts));
      return starts.map((start) => ({
        start,
        coverage: coverage.all(start).map((time) => ({
          from: integer(time['from_time']),
          until: integer(time['until']),
        })),
      }));
    });
  }

  async freezeSlot(start: number): Promise<void> {
    this.#guarded(() => this.#db.prepare('update slot set is_frozen = 1 where start = ?').run(start));
  }

  async *readSlot(start: number, onlyId?: number): AsyncGenerator<readonly PluginReport[]> {
    try {
      const names = new SlotNames(this.#db, start);
      const decoder = new ReportDecoder((number) => names.getName(number));
      for await (const batch of reportsByPlugin(() => readRows(this.#db, start), { pluginId: onlyId }))
        yield batch.map(({ pluginId, values }) => ({ pluginId, values: decoder.decode(values) }));
    } catch (error) {
      throw explained(this.#path, error);
    }
  }

  async forgetSlot(start: number): Promise<void> {
    this.#guarded(() => {
      // Without the key nobody can find out which server a hash is of, wherever the rows are still to be found.
      this.#db.exec('pragma secure_delete = on');
      this.#transaction(() => {
        this.#db.prepare('update closed set until = max(until, ? + 1)').run(start);
        this.#db.prepare('delete from slot where start = ?').run(start);
        this.#db.prepare('delete from coverage where start = ?').run(start);
      });
      this.#db.exec('pragma secure_delete = off; pragma wal_checkpoint(truncate)');
      this.#slots.forget(start);
      dropSlotTables(this.#db, start);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#db.isOpen) return;
    this.#db.close();
    this.#lock?.close();
    await this.#log.close();
  }

  #closedUntil(): number {
    return integer(this.#db.prepare('select until from closed').get()?.['until']);
  }

  /** @throws AppError `conflict` for a slot that is frozen or gone. */
  #checkOpen(start: number): void {
    const slot = this.#state.get(start);
    if (slot?.['is_frozen'] === 0) return;
    this.#slots.forget(start);
    throw closedSlot(start);
  }

  #slotOf(start: number): KnownSlot {
    const known = this.#slots.get(start);
    if (known !== undefined) return known;
    this.#checkOpen(start);
    const slot = {
      index: new SlotIndex(),
      add: this.#db.prepare(`insert into batch_${start} (bytes) values (?)`),
      names: new SlotNames(this.#db, start),
    };
    for (const row of readRows(this.#db, start)) slot.index.add(row);
    this.#slots.add(start, slot);
    return slot;
  }

  /** Waits until all that was committed is on disk. */
  async #synchronize(): Promise<void> {
    try {
      await this.#log.datasync();
    } catch (error) {
      throw unusable(this.#path, 'the disk failed', error);
    }
  }

  #transaction<Result>(work: () => Result): Result {
    return this.#guarded(() => {
      this.#db.exec('begin immediate');
      try {
        const result = work();
        this.#db.exec('commit');
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('rollback');
        throw error;
      }
    });
  }

  #guarded<Result>(work: () => Result): Result {
    return guarded(this.#path, work);
  }
}

/**
 * Makes this the only collector of the store: a second one would not know the servers that this one has in memory. The lock ends with the
 * process.
 */
function lockReports(path: string): DatabaseSync {
  return guarded(path, () => {
    const lock = new DatabaseSync(`${path}-lock`, { timeout: 0 });
    try {
      lock.exec('begin exclusive');
      return lock;
    } catch (error) {
      lock.close();
      throw error;
    }
  });
}

/** Runs work and explains errors of SQLite. */
function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explained(path, error);
  }
}

function explained(path: string, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error;
  if (error.code !== 'ERR_SQLITE_ERROR') return error;
  return unusable(path, isBusy(error) ? 'another collector has it open' : reasonOf(error, path), error);
}

function unusable(path: string, reason: string, cause: unknown): AppError {
  return new AppError('unavailable', `the reports in ${path} cannot be used: ${reason}`, {
    kind: 'store-unavailable',
    cause,
  });
}
