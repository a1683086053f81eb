/** Reports of open slots on the server of the store. Any number of collectors share them. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Coverage,
  closedSlot,
  type KeepOutcome,
  type OpenSlot,
  type PluginReport,
  type ReportStore,
  type Submission,
} from '../../model/report-store.ts';
import { KnownSlots } from '../../store/reports/known-slots.ts';
import { bytes, integer } from '../../store/rows.ts';
import { connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { checkVersion } from '../postgres-schema.ts';
import { readSlotReports } from './read-slot-reports.ts';
import { SharedSlot } from './shared-slot.ts';
import { slotStatements } from './slot-statements.ts';

const keyBytes = 32;

/** A collector answers 503 when the server does not answer for so long. */
const timeouts = { statementTimeoutMs: 10_000, queryTimeoutMs: 15_000 };

/**
 * A collector that has locked a slot holds up all others. If its machine stops, the server ends its transaction after this time. Set for each
 * transaction, because a connection pooler may give every one another session.
 */
const beginSql = `
  begin isolation level read committed;
  set local idle_in_transaction_session_timeout = 2000`;

/** Reading a slot is not waited for by clients. */
const readTimeouts = { statementTimeoutMs: 60_000, queryTimeoutMs: 90_000 };

/**
 * Opens the reports of a store.
 * @throws AppError `unavailable` if no server that accepts writes can be reached, otherwise as `checkVersion`.
 */
export async function openPostgresReports(settings: PostgresSettings): Promise<ReportStore> {
  const reports = new PostgresReports(settings);
  await reports.checkStore();
  return reports;
}

class PostgresReports implements ReportStore {
  readonly #settings: PostgresSettings;
  readonly #collector = randomUUID();
  readonly #slots = new KnownSlots<SharedSlot>();
  #connection: Promise<PostgresConnection> | undefined;
  /** Settles with the transaction before: each is on the one connection. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: PostgresSettings) {
    this.#settings = settings;
  }

  async checkStore(): Promise<void> {
    await this.#inTurn((connection) => checkVersion(connection, this.#settings.name));
  }

  openSlot(start: number): Promise<Uint8Array> {
    return this.#inTransaction(async (connection) => {
      const [state] = await connection.query(
        'select closed_until from plugin_metrics.collection where id = 1',
      );
      if (start < integer(state?.['closed_until'])) throw closedSlot(start);
      // The first collector makes the slot and its tables; the others wait here until it has.
      const made = await connection.query(
        'insert into plugin_metrics.slot (start, key) values ($1, $2) on conflict do nothing returning key',
        [start, randomBytes(keyBytes)],
      );
      if (made.length > 0) await connection.query(slotStatements(start).create);
      const [row] = await connection.query(
        'select key, is_frozen from plugin_metrics.slot where start = $1 for update',
        [start],
      );
      if (row?.['is_frozen'] !== false) throw closedSlot(start);
      return bytes(row['key']);
    });
  }

  async keep(
    start: number,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    try {
      for (;;) {
        const outcomes = await this.#keepNow(start, submissions, maxPerAddress);
        if (outcomes !== undefined) return outcomes;
        await this.#inTurn((connection) => this.#slotOf(start).catchUp(connection));
      }
    } catch (error) {
      throw isMissingTable(error) ? closedSlot(start) : error;
    }
  }

  async noteCoverage(start: number, { from, until }: Coverage): Promise<void> {
    const sql = `
      insert into plugin_metrics.coverage (start, collector, from_time, until)
      select $1, $2, $3, $4 where exists (select from plugin_metrics.slot where start = $1)
      on conflict (start, collector, from_time) do update set until = excluded.until`;
    await this.#inTurn((connection) => connection.query(sql, [start, this.#collector, from, until]));
  }

  async listSlots(): Promise<readonly OpenSlot[]> {
    const sql = `
      select slot.start, from_time, until
      from plugin_metrics.slot left join plugin_metrics.coverage on coverage.start = slot.start
      order by slot.start, from_time`;
    const rows = await this.#inTurn((connection) => connection.query(sql));
    const byStart = Map.groupBy(rows, (row) => integer(row['start']));
    this.#slots.keepOnly(new Set(byStart.keys()));
    return Array.from(byStart, ([start, times]) => ({
      start,
      coverage: times
        .filter((row) => row['until'] !== null)
        .map((row) => ({ from: integer(row['from_time']), until: integer(row['until']) })),
    }));
  }

  async freezeSlot(start: number): Promise<void> {
    const sql = 'update plugin_metrics.slot set is_frozen = true where start = $1';
    await this.#inTurn((connection) => connection.query(sql, [start]));
  }

  /** Reads on a connection of its own, so that reports of the next slot are taken meanwhile. */
  async *readSlot(start: number, pluginId?: number): AsyncGenerator<readonly PluginReport[]> {
    const connection = await connect(this.#settings, { ...readTimeouts, sessionKind: 'read-write' });
    try {
      yield* readSlotReports(connection, start, pluginId);
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    } finally {
      await connection.end();
    }
  }

  async forgetSlot(start: number): Promise<void> {
    await this.#inTransaction(async (connection) => {
      await connection.query(
        'update plugin_metrics.collection set closed_until = greatest(closed_until, $1)',
        [start + 1],
      );
      await connection.query('delete from plugin_metrics.coverage where start = $1', [start]);
      await connection.query('delete from plugin_metrics.slot where start = $1', [start]);
      await connection.query(slotStatements(start).drop);
    });
    this.#slots.forget(start);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.end();
  }

  /** Keeps reports; returns undefined if the rows of others should be read first. */
  #keepNow(
    start: number,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[] | undefined> {
    return this.#inTurn(async (connection) => {
      const slot = this.#slotOf(start);
      try {
        const judged = await inTransaction(connection, () =>
          slot.keep(connection, submissions, maxPerAddress),
        );
        if (judged !== undefined) slot.add(judged);
        return judged?.outcomes;
      } catch (error) {
        slot.forgetNumbers();
        throw error;
      }
    });
  }

  #slotOf(start: number): SharedSlot {
    const known = this.#slots.get(start);
    if (known !== undefined) return known;
    const slot = new SharedSlot(start);
    this.#slots.add(start, slot);
    return slot;
  }

  #inTransaction<Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
    return this.#inTurn((connection) => inTransaction(connection, () => work(connection)));
  }

  /** Runs work after the work before it, on a connection that is opened again if it was lost. */
  #inTurn<Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      try {
        return await work(await this.#open());
      } catch (error) {
        throw isMissingTable(error) ? error : postgresFault(error, this.#settings.name);
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #open(): Promise<PostgresConnection> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection?.isBroken === false) return connection;
    // Another server may have taken over, without what was committed last: the rows are read again.
    this.#slots.clear();
    this.#connection = connect(this.#settings, { ...timeouts, sessionKind: 'read-write', isPipelined: true });
    return this.#connection;
  }
}

async function inTransaction<Result>(
  connection: PostgresConnection,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    // Not waited for: the server runs what follows on this connection after it.
    const begun = connection.query(beginSql);
    const [result] = await Promise.all([work(), begun]);
    await connection.query('commit');
    return result;
  } catch (error) {
    if (!connection.isBroken) await connection.query('rollback').catch(() => connection.destroy());
    throw error;
  }
}

/** True for a slot that another collector has closed: its tables are gone. */
function isMissingTable(error: unknown): boolean {
  const undefinedTable = '42P01';
  return error instanceof Error && 'code' in error && error.code === undefinedTable;
}
