/** Reads the embedded store: single answers on one connection, snapshots on connections of their own. */
import type { ChangeScope, MetricsReader } from '../../model/metrics-reader.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { type HeldView, StoreReader } from '../../store/store-reader.ts';
import { storedRecords } from '../../store/stored-records.ts';
import { openKnown, sqliteFault } from '../sqlite-database.ts';
import { SqliteState } from '../sqlite-state.ts';
import { SqliteSnapshots } from './sqlite-snapshots.ts';
import { prepareStatements, type ReaderStatements } from './sqlite-statements.ts';
import { KnownCharts, SqliteView, type ViewConnection } from './sqlite-view.ts';
import { WatchedFile } from './watched-file.ts';

/** Opens the store in a file for reading. @throws AppError as `openForReading`. */
export function openSqliteReader(path: string): MetricsReader {
  return new SqliteReader(path);
}

class SqliteReader extends StoreReader {
  readonly #path: string;
  readonly #file: WatchedFile<ReaderStatements>;
  readonly #snapshots: SqliteSnapshots;
  /** The view of the newest state. All its reads in one turn of the event loop share a transaction. */
  protected override readonly newest: SqliteView;
  readonly #charts = new KnownCharts();

  constructor(path: string) {
    super();
    this.#path = path;
    this.#file = new WatchedFile(path, prepareStatements);
    this.#snapshots = new SqliteSnapshots(path, this.#file);
    const file = this.#file;
    const connection: ViewConnection = {
      get statements() {
        return file.statements;
      },
      generation: (of) => file.seenGeneration(of),
    };
    this.newest = new SqliteView(path, connection, this.#charts);
  }

  override generation(of: ChangeScope): number {
    return this.#file.generation(of);
  }

  override unreachableMs(): number {
    return this.#file.unreachableMs();
  }

  protected override async hold(): Promise<HeldView> {
    const connection = this.#snapshots.take();
    const view = new SqliteView(this.#path, connection, this.#charts);
    return { view, release: () => this.#snapshots.giveBack(connection) };
  }

  /** Reads records on a connection of its own. */
  override async *records(): AsyncGenerator<readonly MetricsRecord[]> {
    this.#file.look();
    const db = openKnown(this.#path);
    try {
      yield* storedRecords(new SqliteState(db), this.#path);
    } catch (error) {
      throw sqliteFault(error, this.#path);
    } finally {
      db.close();
    }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#snapshots[Symbol.dispose]();
    this.#file[Symbol.dispose]();
  }
}
