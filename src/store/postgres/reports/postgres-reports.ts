/** Reports of open slots on the server of the store. Any number of collectors share them. */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
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
import { bytes, integer } from '../../rows.ts';
import { cutClient, endClient, isDisconnected, openClient, runStatement } from '../postgres-client.ts';
import { isMissingTable, postgresFault } from '../postgres-fault.ts';
import { checkVersion } from '../postgres-schema.ts';
import type { PostgresSettings } from '../postgres-settings.ts';
import { PostgresSql } from '../postgres-sql.ts';
import { readSlotReports } from './read-slot-reports.ts';
import { SharedSlot } from './shared-slot.ts';
import { slotStatements } from './slot-statements.ts';

const keyBytes = 32;

/** A collector answers 503 when the server does not answer for so long. */
const timeouts = { queryTimeoutMs: 15_000 };

/**
 * A collector that has locked a slot holds up all others. If its machine stops, the server ends its transaction after this time. Set for each
 * transaction, because a connection pooler may give every one another session.
 */
const beginSql = `
  begin isolation level read committed;
  set local statement_timeout = 10000;
  set local idle_in_transaction_session_timeout = 2000`;

/** Reading a slot is not waited for by clients. */
const readTimeouts = { queryTimeoutMs: 90_000 };

/**
 * Opens the reports of a store.
 * @throws AppError `unavailable` if the server cannot be reached, otherwise as `checkVersion`.
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
  #connection: Promise<pg.Client> | undefined;
  /** Settles with the transaction before: each is on the one connection. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: PostgresSettings) {
    this.#settings = settings;
  }

  async checkStore(): Promise<void> {
    await this.#inTurn((connection) => checkVersion(new PostgresSql(connection, this.#settings.name)));
  }

  openSlot(start: number): Promise<Uint8Array> {
    return this.#inTransaction(async (connection) => {
      const [state] = await runStatement(
        connection,
        'select closed_until from plugin_metrics.collection where id = 1',
      );
      if (start < integer(state?.['closed_until'])) throw closedSlot(start);
      // The first collector makes the slot and its tables; the others wait here until it has.
      const made = await runStatement(
        connection,
        'insert into plugin_metrics.slot (start, key) values ($1, $2) on conflict do nothing returning key',
        [start, randomBytes(keyBytes)],
      );
      if (made.length > 0) await runStatement(connection, slotStatements(start).create);
      const [row] = await runStatement(
        connection,
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
      // Another collector has closed it: its tables are gone.
      throw isMissingTable(error) ? closedSlot(start) : error;
    }
  }

  async noteCoverage(start: number, { from, until }: Coverage): Promise<void> {
    const sql = `
      insert into plugin_metrics.coverage (start, collector, from_time, until)
      select $1, $2, $3, $4 where exists (select from plugin_metrics.slot where start = $1)
      on conflict (start, collector, from_time) do update set until = excluded.until`;
    await this.#inTurn((connection) => runStatement(connection, sql, [start, this.#collector, from, until]));
  }

  async listSlots(): Promise<readonly OpenSlot[]> {
    const sql = `
      select slot.start, from_time, until
      from plugin_metrics.slot left join plugin_metrics.coverage on coverage.start = slot.start
      order by slot.start, from_time`;
    const rows = await this.#inTurn((connection) => runStatement(connection, sql));
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
    await this.#inTurn((connection) => runStatement(connection, sql, [start]));
  }

  /** Reads on a connection of its own, so that reports of the next slot are taken meanwhile. */
  async *readSlot(start: number, pluginId?: number): AsyncGenerator<readonly PluginReport[]> {
    const connection = await openClient(this.#settings, readTimeouts);
    try {
      yield* readSlotReports(connection, start, pluginId);
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    } finally {
      await endClient(connection);
    }
  }

  async forgetSlot(start: number): Promise<void> {
    await this.#inTransaction(async (connection) => {
      await runStatement(
        connection,
        'update plugin_metrics.collection set closed_until = greatest(closed_until, $1)',
        [start + 1],
      );
      await runStatement(connection, 'delete from plugin_metrics.coverage where start = $1', [start]);
      await runStatement(connection, 'delete from plugin_metrics.slot where start = $1', [start]);
      await runStatement(connection, slotStatements(start).drop);
    });
    this.#slots.forget(start);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    const connection = await this.#connection?.catch(() => undefined);
    if (connection !== undefined) await endClient(connection);
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

  #inTransaction<Result>(work: (connection: pg.Client) => Promise<Result>): Promise<Result> {
    return this.#inTurn((connection) => inTransaction(connection, () => work(connection)));
  }

  /** Runs work after the work before it, on a connection that is opened again if it was lost. */
  #inTurn<Result>(work: (connection: pg.Client) => Promise<Result>): Promise<Result> {
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

  async #open(): Promise<pg.Client> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection !== undefined && !isDisconnected(connection)) return connection;
    // Another server may have taken over, without what was committed last: the rows are read again.
    this.#slots.clear();
    this.#connection = openClient(this.#settings, timeouts);
    return this.#connection;
  }
}

async function inTransaction<Result>(connection: pg.Client, work: () => Promise<Result>): Promise<Result> {
  try {
    // Not waited for: the server runs what follows on this connection after it.
    const begun = runStatement(connection, beginSql);
    const [result] = await Promise.all([work(), begun]);
    await runStatement(connection, 'commit');
    return result;
  } catch (error) {
    if (!isDisconnected(connection))
      await runStatement(connection, 'rollback').catch(() => cutClient(connection));
    throw error;
  }
}
