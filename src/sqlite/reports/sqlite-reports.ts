/** Reports of the open slot in a database beside the embedded store. One collector has it open. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../model/app-error.ts';
import {
  type Coverage,
  closedSlot,
  type KeepOutcome,
  type OpenSlot,
  type PluginReport,
  type ReportStore,
  type Submission,
} from '../../model/report-store.ts';
import { bytes, integer } from '../../store/rows.ts';
import { dropSlotTables, openReportsDatabase, slotTablesSql } from './reports-database.ts';
import { SlotTables } from './slot-tables.ts';

const keyBytes = 32;

/**
 * Opens the reports beside a store.
 * @throws AppError `unavailable` if they cannot be used, or another collector uses them; `invalid` for another file.
 */
export function openSqliteReports(storePath: string): ReportStore {
  return new SqliteReports(`${storePath}-reports`);
}

class SqliteReports implements ReportStore {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #slots = new Map<number, SlotTables>();
  readonly #collector = randomUUID();

  constructor(path: string) {
    this.#path = path;
    this.#db = this.#guarded(() => openReportsDatabase(path));
  }

  async openSlot(start: number): Promise<Uint8Array> {
    return this.#transaction(() => {
      const row = this.#db.prepare('select key, is_frozen from slot where start = ?').get(start);
      if (row?.['is_frozen'] === 1 || start < this.#closedUntil()) throw closedSlot(start);
      if (row !== undefined) return bytes(row['key']);
      const key = randomBytes(keyBytes);
      this.#db.prepare('insert into slot (start, key) values (?, ?)').run(start, key);
      this.#db.exec(slotTablesSql(start));
      return key;
    }, start);
  }

  async keep(
    start: number,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    return this.#transaction(() => {
      const slot = this.#db.prepare('select is_frozen from slot where start = ?').get(start);
      if (slot?.['is_frozen'] !== 0) throw closedSlot(start);
      const tables = this.#tablesOf(start);
      return submissions.map((submission) => tables.keep(submission, maxPerAddress));
    }, start);
  }

  async noteCoverage(start: number, { from, until }: Coverage): Promise<void> {
    this.#guarded(() =>
      this.#db
        .prepare(`
          insert into coverage (start, collector, from_time, until) values (?, ?, ?, ?)
          on conflict (start, collector, from_time) do update set until = excluded.until`)
        .run(start, this.#collector, from, until),
    );
  }

  async listSlots(): Promise<readonly OpenSlot[]> {
    return this.#guarded(() => {
      const coverage = this.#db.prepare('select from_time, until from coverage where start = ?');
      return this.#db
        .prepare('select start from slot order by start')
        .all()
        .map((row) => {
          const start = integer(row['start']);
          const times = coverage.all(start);
          return {
            start,
            coverage: times.map((time) => ({
              from: integer(time['from_time']),
              until: integer(time['until']),
            })),
          };
        });
    });
  }

  async freezeSlot(start: number): Promise<void> {
    this.#guarded(() => this.#db.prepare('update slot set is_frozen = 1 where start = ?').run(start));
  }

  async *readSlot(start: number): AsyncGenerator<readonly PluginReport[]> {
    const pages = this.#tablesOf(start).read();
    for (;;) {
      const { done, value } = this.#guarded(() => pages.next());
      if (done === true) return;
      yield value;
      // Reports of the next slot are taken meanwhile.
      await setImmediate();
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
      }, start);
      this.#db.exec('pragma secure_delete = off; pragma wal_checkpoint(truncate)');
      this.#slots.delete(start);
      dropSlotTables(this.#db, start);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  #closedUntil(): number {
    return integer(this.#db.prepare('select until from closed').get()?.['until']);
  }

  #tablesOf(start: number): SlotTables {
    let tables = this.#slots.get(start);
    if (tables === undefined) {
      tables = new SlotTables(this.#db, start);
      this.#slots.set(start, tables);
    }
    return tables;
  }

  #transaction<Result>(work: () => Result, start: number): Result {
    return this.#guarded(() => {
      this.#db.exec('begin immediate');
      try {
        const result = work();
        this.#db.exec('commit');
        return result;
      } catch (error) {
        // What the transaction had added is known no more, nor are tables that it had made.
        this.#slots.delete(start);
        if (this.#db.isTransaction) this.#db.exec('rollback');
        throw error;
      }
    });
  }

  /** Runs work and explains errors of SQLite. */
  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) throw error;
      if (error.code !== 'ERR_SQLITE_ERROR') throw error;
      const busy = 5;
      const isBusy = 'errcode' in error && error.errcode === busy;
      const reason = isBusy ? 'another collector has it open' : error.message;
      throw new AppError('unavailable', `the reports in ${this.#path} cannot be used: ${reason}`, {
        kind: 'store-unavailable',
        cause: error,
      });
    }
  }
}
