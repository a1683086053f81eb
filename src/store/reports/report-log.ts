/** The logs of reports of open slots, in tables. Written once for all engines. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  closedSlot,
  maxAppendBytes,
  type OpenSlot,
  type ReportStore,
  slotParts,
} from '../../model/report-store.ts';
import { keysetPages, paged, type Sql } from '../sql.ts';
import { type ColumnType, column, integer, statement } from '../statement.ts';
import { reportTables } from '../tables.ts';

/** The database that contains the tables. Each statement is a transaction. */
export interface ReportDatabase extends Pick<Sql, 'read' | 'run'>, AsyncDisposable {
  /** Prefix of the table names. */
  readonly prefix: string;
  /** Suffix of a select whose rows must not change before the statement has ended. */
  readonly lock: string;
  /** Waits until everything written so far is on disk. */
  synchronize(): Promise<void>;
  /** Erases deleted data from the files, as far as possible. */
  clean(): Promise<void>;
}

/**
 * Renders the statements that create the tables. Slots before the time in the table `collection` are closed.
 */
export function createReportTablesSql(types: Readonly<Record<ColumnType, string>>): string {
  return Object.values(reportTables)
    .map((table) => table.createSql(types, ''))
    .join('');
}

const keyBytes = 32;

/**
 * The bit behind those of the parts. It changes each time that a part is covered, about once a second, so
 * that a copy of the file shows until when it was written: a row with the same values would not be.
 */
const beat = 2 ** slotParts;

/** The number of rows deleted at a time, so that other statements wait only some milliseconds. */
const deletedRows = 32;

/** Pause between deletions, in which others can write. */
const pauseMs = 2;

/** Limit on the rows of a page. A row takes at most the bytes of an append. */
const pageRows = 16;

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The logs of reports in a database. */
export class ReportLog implements ReportStore {
  readonly #db: ReportDatabase;
  readonly #sql: ReportStatements;

  constructor(db: ReportDatabase) {
    this.#db = db;
    this.#sql = statementsOf(db);
  }

  async openSlot(start: number): Promise<Uint8Array> {
    await this.#db.run(this.#sql.openSlot, start, crypto.getRandomValues(new Uint8Array(keyBytes)));
    // Another collector may have closed the slot meanwhile.
    const [slot] = await this.#db.read(this.#sql.keyOfSlot, start);
    if (slot === undefined) throw closedSlot(start);
    return slot.key;
  }

  async append(start: number, text: string): Promise<void> {
    // This statement and a statement that freezes the slot wait for each other.
    const [batch] = await this.#db.read(this.#sql.append, start, zstdCompressSync(text, compression));
    if (batch === undefined) throw closedSlot(start);
    await this.#db.synchronize();
  }

  async cover(start: number, parts: number): Promise<void> {
    await this.#db.run(this.#sql.cover, start, parts);
    await this.#db.synchronize();
  }

  listSlots(): Promise<readonly OpenSlot[]> {
    return this.#db.read(this.#sql.slots);
  }

  async freezeSlot(start: number): Promise<void> {
    await this.#db.run(this.#sql.freeze, start);
  }

  async *readLog(start: number): AsyncGenerator<string> {
    for await (const page of keysetPages(this.#db, this.#sql.batches, { id: 0 }, start))
      for (const { bytes } of page)
        yield zstdDecompressSync(bytes, { maxOutputLength: maxAppendBytes }).toString('utf8');
  }

  /** Deletes a slot. If interrupted, it leaves the slot frozen, so that the next closing continues. */
  async forgetSlot(start: number): Promise<void> {
    await this.#db.run(this.#sql.close, start + 1);
    while ((await this.#db.read(this.#sql.deleteSome, start)).length > 0)
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await this.#db.run(this.#sql.deleteSlot, start);
    await this.#db.clean();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db[Symbol.asyncDispose]();
  }
}

type ReportStatements = ReturnType<typeof statementsOf>;

function statementsOf({ prefix, lock }: Pick<ReportDatabase, 'prefix' | 'lock'>) {
  const [slot, batch] = [`${prefix}report_slot`, `${prefix}report_batch`];
  const collection = `${prefix}collection`;
  const isOpen = `not exists (select 1 from ${collection} where closed_until > ?1)`;
  const slots = reportTables.slot;
  const batches = reportTables.batch;
  return {
    openSlot: `
      insert into ${slot} (start, key, covered, is_frozen) select ?1, ?2, 0, 0
      where ${isOpen} on conflict do nothing`,
    keyOfSlot: statement`
      select ${slots.pick('key')} from ${slot} where start = ?1 and is_frozen = 0 and ${isOpen}`,
    append: statement`
      insert into ${batch} (slot, bytes)
      select start, ?2 from ${slot} where start = ?1 and is_frozen = 0 ${lock}
      returning ${batches.pick('id')}`,
    cover: `
      update ${slot} set covered = ((covered | ?2) & ${beat - 1}) | ((~covered) & ${beat})
      where start = ?1`,
    slots: statement`
      select ${slots.pick('start')}, covered & ${beat - 1} as ${column('covered', integer)}
      from ${slot} order by start`,
    freeze: `update ${slot} set is_frozen = 1 where start = ?1`,
    batches: paged(
      statement`select ${batches.pick('id', 'bytes')} from ${batch} where id > ?1 and slot = ?2 order by id`,
      pageRows,
    ),
    close: `update ${collection} set closed_until = ?1 where closed_until < ?1`,
    deleteSome: statement`
      delete from ${batch} where id in (
        select id from ${batch} where slot = ?1 order by id limit ${deletedRows}
      ) returning ${batches.pick('id')}`,
    // Another collector may still be deleting, and be killed.
    deleteSlot: `delete from ${slot} where start = ?1 and not exists (select 1 from ${batch} where slot = ?1)`,
  };
}
