/** The logs of open slots in tables, written once for all engines. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { closedSlot, maxAppendBytes, type OpenSlot, type ReportStore } from '../../model/report-store.ts';
import { bytes, integer, type Row } from '../rows.ts';
import { keysetPages, paged, type Value } from '../sql.ts';

/** The database of the tables. Each statement is a transaction. */
export interface ReportDatabase extends AsyncDisposable {
  /** Begins the names of the tables. */
  readonly prefix: string;
  /** Ends a selection whose rows must not change before its statement has ended. */
  readonly lock: string;
  /** Runs one statement and returns its rows, as `Sql.all`. */
  all(text: string, ...values: readonly Value[]): Promise<Row[]>;
  /** Waits until what was written before is on disk. */
  synchronize(): Promise<void>;
  /** Takes what was deleted out of the files, as far as it can. */
  clean(): Promise<void>;
}

/** The names of the types of columns that differ between engines. */
interface ReportTypes {
  readonly integer: string;
  readonly bytes: string;
  /** An integer that numbers the rows. */
  readonly serial: string;
}

/** Renders the statements that make the tables. The table `collection` has the time before which all slots are closed. */
export function createReportTablesSql({ integer, bytes, serial }: ReportTypes): string {
  return `
    create table report_slot (
      start ${integer} primary key,
      key ${bytes} not null,
      covered ${integer} not null,
      is_frozen ${integer} not null
    );
    create table report_batch (
      id ${serial} primary key,
      slot ${integer} not null,
      bytes ${bytes} not null
    );
  `;
}

const keyBytes = 32;

/** Rows that are deleted at a time, so that other statements wait for some milliseconds. */
const deletedRows = 32;

/** Time in which others write meanwhile. */
const pauseMs = 2;

/** The most rows of a page. Each has as many bytes as an append, or fewer. */
const pageRows = 16;

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The logs of a database. */
export class ReportLog implements ReportStore {
  readonly #db: ReportDatabase;
  readonly #slot: string;
  readonly #batch: string;
  readonly #collection: string;

  constructor(db: ReportDatabase) {
    this.#db = db;
    this.#slot = `${db.prefix}report_slot`;
    this.#batch = `${db.prefix}report_batch`;
    this.#collection = `${db.prefix}collection`;
  }

  async openSlot(start: number): Promise<Uint8Array> {
    const isOpen = `not exists (select 1 from ${this.#collection} where closed_until > ?1)`;
    await this.#db.all(
      `insert into ${this.#slot} (start, key, covered, is_frozen) select ?1, ?2, 0, 0
        where ${isOpen} on conflict do nothing`,
      start,
      crypto.getRandomValues(new Uint8Array(keyBytes)),
    );
    // Another collector may have closed it meanwhile.
    const [row] = await this.#db.all(
      `select key from ${this.#slot} where start = ?1 and is_frozen = 0 and ${isOpen}`,
      start,
    );
    if (row === undefined) throw closedSlot(start);
    return bytes(row['key']);
  }

  async append(start: number, text: string): Promise<void> {
    // A collector that freezes the slot waits for this statement, or this one for it.
    const [row] = await this.#db.all(
      `insert into ${this.#batch} (slot, bytes)
        select start, ?2 from ${this.#slot} where start = ?1 and is_frozen = 0 ${this.#db.lock} returning id`,
      start,
      zstdCompressSync(text, compression),
    );
    if (row === undefined) throw closedSlot(start);
    await this.#db.synchronize();
  }

  async cover(start: number, parts: number): Promise<void> {
    await this.#db.all(`update ${this.#slot} set covered = covered | ?2 where start = ?1`, start, parts);
    await this.#db.synchronize();
  }

  async listSlots(): Promise<readonly OpenSlot[]> {
    const rows = await this.#db.all(`select start, covered from ${this.#slot} order by start`);
    return rows.map((row) => ({ start: integer(row['start']), covered: integer(row['covered']) }));
  }

  async freezeSlot(start: number): Promise<void> {
    await this.#db.all(`update ${this.#slot} set is_frozen = 1 where start = ?1`, start);
  }

  async *readLog(start: number): AsyncGenerator<string> {
    const selected = `select id, bytes from ${this.#batch} where id > ?1 and slot = ?2 order by id`;
    for await (const page of keysetPages(this.#db, paged(selected, pageRows), { id: 0 }, start))
      for (const row of page) {
        const text = zstdDecompressSync(bytes(row['bytes']), { maxOutputLength: maxAppendBytes });
        yield text.toString('utf8');
      }
  }

  /** Interrupted, it leaves the slot there and frozen, so that the next closing goes on. */
  async forgetSlot(start: number): Promise<void> {
    await this.#db.all(`update ${this.#collection} set closed_until = ?1 where closed_until < ?1`, start + 1);
    const deleteSome = `delete from ${this.#batch} where id in (
      select id from ${this.#batch} where slot = ?1 order by id limit ${deletedRows}
    ) returning id`;
    while ((await this.#db.all(deleteSome, start)).length > 0)
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await this.#db.all(`delete from ${this.#slot} where start = ?1`, start);
    await this.#db.clean();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db[Symbol.asyncDispose]();
  }
}
