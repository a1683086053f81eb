/** The connections of a reader: a few for its transactions, and one that polls for changes of the store. */
import type pg from 'pg';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import type { Connections, ReadTransaction, Sql } from '../sql.ts';
import {
  column,
  integer,
  number,
  orNull,
  readRow,
  type Statement,
  statement,
  type Value,
  type Values,
} from '../statement.ts';
import { refuseOtherVersion, storeVersion } from '../store-version.ts';
import type { RowOf, Table } from '../table.ts';
import {
  cutClient,
  endClient,
  isConnectionLost,
  isDisconnected,
  openClient,
  postgresFault,
  runStatement,
  unavailableStore,
} from './postgres-client.ts';
import { checkVersion } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { PostgresSql, settingsSql } from './postgres-sql.ts';

/** Interval of polls. A finished import is visible on every node well within a second. */
const pollMs = 250;
/**
 * Limit on the attempts of a poll. A restarting server that ends all connections may end a new connection
 * too.
 */
const maxAttempts = 3;
/** Time without an answer to a poll after which the store counts as unreachable. */
const silenceMs = 3000;
/**
 * Time for which a server with an older state than the last one is not read. A standby catches up meanwhile;
 * a server that does not has lost the difference.
 */
const olderMs = 30_000;
const pollOptions = { queryTimeoutMs: 2000, connectTimeoutMs: 2000 };

/**
 * Limits on the execution of a statement on the server, and on the wait for its answer, which includes the
 * network.
 */
const statementTimeout = '5s';
const queryTimeoutMs = 7000;

/**
 * Limit on concurrent transactions; further transactions wait. At most eight of them may last for minutes,
 * for streamed responses, so that eight are left for all other reads.
 */
const maxConnections = 16;
/** Time after which an idle connection is closed. */
const idleMs = 10_000;

// The tokens are read as floating point, because they are only compared: a damaged token then does not stop
// readers. The transaction that wrote the row orders the states, also on other servers with the same history:
// writers take turns, and each begins its transaction when it is its turn.
const stateColumns = statement`data::float8 as ${column('data', number)}, catalogue::float8 as ${column('catalogue', number)},
  xmin::text::float8 as ${column('written', number)},
  (select max(version) from plugin_metrics.migration) as ${column('version', orNull(integer))}`;
const stateSql = statement`select ${stateColumns} from plugin_metrics.generation where id = 1`;

// These two messages are sent together, followed by the reader's first statement. The second is prepared,
// which saves the server a quarter of its work for a small read. The first makes a pooler keep the session.
const beginSql = 'begin isolation level repeatable read read only';
const firstStatement = {
  name: 'first',
  text: `select ${stateColumns.text}, ${settingsSql({ statement_timeout: statementTimeout })} from plugin_metrics.generation where id = 1`,
};

/** The tokens of a state, the transaction that wrote them (0 for none), and the version of its tables. */
type SeenState = Readonly<Record<ChangeScope | 'version' | 'written', number>>;

const noState: SeenState = { data: 0, catalogue: 0, version: storeVersion, written: 0 };

/** Ids of transactions begin again after 2^32. */
function isOlder(state: SeenState, than: SeenState): boolean {
  return state.written > 0 && than.written > 0 && ((state.written - than.written) | 0) < 0;
}

interface IdleClient {
  readonly client: pg.Client;
  readonly sinceMs: number;
}

/** A transaction that has begun. */
interface OpenTransaction {
  readonly sql: PostgresSql;
  readonly release: () => void;
}

/** A transaction that begins, and takes a connection, with its first statement. */
class DeferredSql implements Sql {
  readonly engine = 'postgres';
  readonly storeName: string;
  readonly #open: (send: (sql: PostgresSql) => void) => Promise<OpenTransaction>;
  #opening: Promise<OpenTransaction> | undefined;
  #isEnded = false;

  constructor(storeName: string, open: (send: (sql: PostgresSql) => void) => Promise<OpenTransaction>) {
    this.storeName = storeName;
    this.#open = open;
  }

  read<R>(statement: Statement<R>, ...values: readonly Value[]): Promise<R[]> {
    return this.#send((sql) => sql.read(statement, ...values));
  }

  run(text: string, ...values: readonly Value[]): Promise<void> {
    return this.#send((sql) => sql.run(text, ...values));
  }

  put<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): Promise<void> {
    return this.#send((sql) => sql.put(table, rows));
  }

  /** Refuses all further statements, and returns the connection. */
  end(): void {
    this.#isEnded = true;
    this.#opening?.then(
      ({ release }) => release(),
      () => {},
    );
  }

  async #send<Result>(run: (sql: PostgresSql) => Promise<Result>): Promise<Result> {
    if (this.#isEnded) throw new Error('the transaction has ended');
    if (this.#opening !== undefined) return run((await this.#opening).sql);
    let first: Promise<Result> | undefined;
    this.#opening = this.#open((sql) => {
      first = run(sql);
      // If the transaction cannot begin, its error is reported instead of this one.
      first.catch(() => {});
    });
    await this.#opening;
    return first as Promise<Result>;
  }
}

/** Opens the connections of a reader. @throws AppError like `openClient` and `checkVersion`. */
export async function openPostgresConnections(settings: PostgresSettings): Promise<Connections> {
  const connections = new PostgresConnections(settings);
  try {
    await connections.start();
    return connections;
  } catch (error) {
    await connections[Symbol.asyncDispose]();
    throw postgresFault(error, settings.name);
  }
}

class PostgresConnections implements Connections {
  readonly #settings: PostgresSettings;
  /** The connection for polls. */
  #poller: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  /** The newest state seen so far. */
  #seen: SeenState = noState;
  #seenAt = 0;
  #confirmedAt = 0;
  #isReachable = true;
  /** Since when only older states have been seen. */
  #olderSince: number | undefined;
  readonly #idle: IdleClient[] = [];
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #takenCount = 0;
  #cutting = new AbortController();
  #isClosed = false;

  constructor(settings: PostgresSettings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    this.#poller = await openClient(this.#settings, pollOptions);
    await checkVersion(new PostgresSql(this.#poller, this.#settings.name));
    await this.#ask();
    this.#timer = setInterval(() => this.#tick(), pollMs);
  }

  generation(of: ChangeScope): number {
    this.#refuseVersionOf(this.#seen);
    return this.#seen[of];
  }

  unreachableMs(): number {
    return this.#isReachable ? 0 : Math.max(1, performance.now() - this.#confirmedAt);
  }

  begin(): ReadTransaction {
    const sql = new DeferredSql(this.#settings.name, (send) => this.#open(send));
    return { sql, release: () => sql.end() };
  }

  /**
   * Begins a transaction and sends its first statement in the same round trip.
   * @param send is called again if another connection is tried.
   */
  async #open(send: (sql: PostgresSql) => void): Promise<OpenTransaction> {
    for (;;) {
      if (!this.#isReachable) throw this.#unreachable();
      this.#refuseVersionOf(this.#seen);
      const { client, isKept } = await this.#take();
      const askedAt = performance.now();
      try {
        const sql = new PostgresSql(client, this.#settings.name);
        const begun = Promise.all([runStatement(client, beginSql), runStatement(client, firstStatement)]);
        send(sql);
        const [, [row]] = await begun;
        this.#refuseVersionOf(this.#note(row, askedAt));
        const release = () => {
          sql.end();
          void this.#giveBack(client);
        };
        return { sql, release };
      } catch (error) {
        cutClient(client);
        this.#leave();
        // If the server has ended a kept connection, another connection is tried; a lasting fault appears on
        // a new connection.
        if (!isKept || !isConnectionLost(error)) throw postgresFault(error, this.#settings.name);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#polling;
    const clients = this.#idle.splice(0).map(({ client }) => client);
    if (this.#poller !== undefined) clients.push(this.#poller);
    // The other connections end when their transactions return them.
    await Promise.all(clients.map(endClient));
  }

  /** Takes an idle connection, the most recently used first, or opens one. */
  async #take(): Promise<{ readonly client: pg.Client; readonly isKept: boolean }> {
    if (this.#takenCount < maxConnections) this.#takenCount++;
    else {
      // A transaction that ends passes its place on, so the count does not change.
      const place = Promise.withResolvers<void>();
      this.#waiting.push(place);
      await place.promise;
    }
    try {
      for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop())
        if (!isDisconnected(kept.client)) return { client: kept.client, isKept: true };
      const { signal } = this.#cutting;
      return { client: await openClient(this.#settings, { queryTimeoutMs, signal }), isKept: false };
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async #giveBack(client: pg.Client): Promise<void> {
    try {
      await runStatement(client, 'rollback');
      if (this.#isClosed) await endClient(client);
      else this.#idle.push({ client, sinceMs: performance.now() });
    } catch {
      // The reads on this connection have failed already, or had ended before.
      cutClient(client);
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#takenCount--;
    else next.resolve();
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#confirmedAt > silenceMs) this.#lose();
    while (now - (this.#idle[0]?.sinceMs ?? now) > idleMs) {
      const unused = this.#idle.shift();
      if (unused !== undefined) void endClient(unused.client);
    }
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
  }

  async #poll(): Promise<void> {
    for (let attempt = 1; !this.#isClosed; attempt++) {
      try {
        await this.#ask();
        if (!this.#isReachable) this.#cutting = new AbortController();
        this.#isReachable = true;
        return;
      } catch {
        if (this.#poller !== undefined) cutClient(this.#poller);
        this.#poller = undefined;
        if (attempt < maxAttempts && this.#isReachable) continue;
        // The next poll tries again.
        this.#lose();
        return;
      }
    }
  }

  async #ask(): Promise<void> {
    this.#poller ??= await openClient(this.#settings, pollOptions);
    const askedAt = performance.now();
    this.#note((await runStatement(this.#poller, stateSql.text))[0], askedAt);
    this.#confirmedAt = askedAt;
  }

  /**
   * Notes the state in an answer. If the question was sent before the last noted answer arrived, the answer
   * may show an older state, and is not noted.
   * @throws AppError `unavailable` if another server answers that is behind.
   */
  #note(row: Values | undefined, askedAt: number): SeenState {
    // If the row is missing, which a check reports, readers see no changes.
    const { version, ...rest } = row === undefined ? noState : readRow(stateColumns, row);
    const generation = { ...rest, version: version ?? storeVersion };
    if (askedAt >= this.#seenAt) {
      if (isOlder(generation, this.#seen)) {
        this.#olderSince ??= askedAt;
        if (askedAt - this.#olderSince < olderMs) throw this.#unreachable();
      }
      this.#olderSince = undefined;
      this.#seen = generation;
      this.#seenAt = performance.now();
    }
    return generation;
  }

  #refuseVersionOf({ version }: SeenState): void {
    refuseOtherVersion(version, this.#settings.name, 'changed-store-version');
  }

  #lose(): void {
    if (!this.#isReachable) return;
    this.#isReachable = false;
    this.#cutting.abort();
    this.#idle.length = 0;
    for (const place of this.#waiting.splice(0)) place.reject(this.#unreachable());
  }

  #unreachable() {
    const reason =
      this.#olderSince === undefined
        ? 'it cannot be reached at the moment'
        : 'it shows an older state than before';
    return unavailableStore(this.#settings.name, `cannot be used: ${reason}`);
  }
}
