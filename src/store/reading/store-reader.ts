/** Reads a store. Each read is one transaction, which sees one state. */
import type { ChangeScope, MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { Connections, Engine, Sql } from '../sql.ts';
import { StoreView } from './store-view.ts';
import { storedRecords } from './stored-records.ts';

/** A reader of a store. */
export class StoreReader implements MetricsReader {
  readonly #connections: Connections;
  readonly #engine: Engine;

  /** @param connections are closed with the reader. */
  constructor(connections: Connections, engine: Engine) {
    this.#connections = connections;
    this.#engine = engine;
  }

  generation(of: ChangeScope): number {
    return this.#connections.generation(of);
  }

  unreachableMs(): number {
    return this.#connections.unreachableMs();
  }

  measureBytes(): Promise<number> {
    return this.#within((sql) => this.#engine.sizeBytes(sql));
  }

  read<Result>(work: (view: MetricsView) => Promise<Result>): Promise<Result> {
    return this.#within((sql) => work(new StoreView(sql)));
  }

  async #within<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const transaction = this.#connections.begin();
    try {
      return await work(transaction.sql);
    } finally {
      transaction.release();
    }
  }

  async *stream<Part>(work: (view: MetricsView) => AsyncIterable<Part>): AsyncGenerator<Part> {
    const transaction = this.#connections.begin();
    try {
      yield* work(new StoreView(transaction.sql));
    } finally {
      transaction.release();
    }
  }

  /** Reads all records on a connection of its own. */
  async *records(): AsyncGenerator<readonly MetricsRecord[]> {
    await using transaction = await this.#engine.beginRead();
    yield* storedRecords(transaction.sql);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]();
  }
}
