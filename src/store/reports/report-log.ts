/** The logs of open slots in tables, written once for all engines. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { closedSlot, maxAppendBytes, type OpenSlot, type ReportStore } from '../../model/report-store.ts';
import { keysetPages, paged, type Sql } from '../sql.ts';
import { type ColumnType, statement } from '../statement.ts';
import { reportTables } from '../tables.ts';

/** The database of the tables. Each statement is a transaction. */
export interface ReportDatabase extends Pick<Sql, 'read' | 'run'>, AsyncDisposable {
  /** Begins the names of the tables. */
  readonly prefix: string;
  /** Ends a selection whose rows must not change before its statement has ended. */
  readonly lock: string;
  /** Waits until what was written before is on disk. */
  synchronize(): Promise<void>;
  /** Takes what was deleted out of the files, as far as it can. */
  clean(): Promise<void>;
}

/** Renders the statements that make the tables. The table `collection` has the time before which all slots are closed. */
export function createReportTablesSql(typeOf: (type: ColumnType) => string): string {
  return Object.values(reportTables)
    .map((table) => table.createSql(typeOf, ''))
    .join('');
}

const keyBytes = 32;

/** Rows that are deleted at a time, so that other statements wait for some milliseconds. */
const deletedRows = 32;

/** Time in which others write meanwhile. */
const pauseMs = 2;

/** The most rows of a page. Each has at most the bytes of an append. */
const pageRows = 16;

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The logs of a database. */
export class ReportLog implements ReportStore {
  readonly #db: ReportDatabase;
  readonly #sql: ReportStatements;

  constructor(db: ReportDatabase) {
    this.#db = db;
    this.#sql = statementsOf(db);
  }

  async openSlot(start: number): Promise<Uint8Array> {
    await this.#db.run(this.#sql.openSlot, start, crypto.getRandomValues(new Uint8Array(keyBytes)));
    // Another collector may have closed it meanwhile.
    const [slot] = await this.#db.read(this.#sql.keyOfSlot, start);
    if (slot === undefined) throw closedSlot(start);
    return slot.key;
  }

  async append(start: number, text: string): Promise<void> {
    // A collector that freezes the slot waits for this statement, or this one for it.
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

  /** Interrupted, it leaves the slot there and frozen, so that the next closing goes on. */
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
    cover: `update ${slot} set covered = covered | ?2 where start = ?1`,
    slots: statement`select ${slots.pick('start', 'covered')} from ${slot} order by start`,
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
    deleteSlot: `delete from ${slot} where start = ?1`,
  };
}
