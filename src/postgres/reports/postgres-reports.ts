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
import { decodeReport } from '../../store/report-codec.ts';
import { bytes, integer, text } from '../../store/rows.ts';
import { connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { keysetPages, smallestKey } from '../keyset-pages.ts';
import { checkVersion } from '../postgres-migrate.ts';
import { slotStatements } from './slot-statements.ts';
import { SlotWriter } from './slot-writer.ts';

const keyBytes = 32;

/** A collector answers 503 when the server does not answer for so long. */
const timeouts = { statementTimeoutMs: 10_000, queryTimeoutMs: 15_000 };

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
  readonly #writers = new Map<number, SlotWriter>();
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
    return this.#transaction(start, async (connection) => {
      const [state] = await connection.query(
        'select closed_until from plugin_metrics.collection where id = 1',
      );
      if (start < integer(state?.['closed_until'])) throw closedSlot(start);
      // The first collector makes the slot and its tables; the others wait here until it has.
      await connection.query(
        'insert into plugin_metrics.slot (start, key) values ($1, $2) on conflict do nothing',
        [start, randomBytes(keyBytes)],
      );
      const [row] = await connection.query(
        'select key, is_frozen from plugin_metrics.slot where start = $1 for update',
        [start],
      );
      if (row?.['is_frozen'] !== false) throw closedSlot(start);
      await connection.query(slotStatements(start).create);
      return bytes(row['key']);
    });
  }

  keep(
    start: number,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    return this.#transaction(start, async (connection) => {
      const writer = this.#writers.get(start) ?? new SlotWriter(start);
      this.#writers.set(start, writer);
      try {
        return await writer.keep(connection, submissions, maxPerAddress);
      } catch (error) {
        throw isMissingTable(error) ? closedSlot(start) : error;
      }
    });
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
    return Array.from(
      Map.groupBy(rows, (row) => integer(row['start'])),
      ([start, times]) => ({
        start,
        coverage: times
          .filter((row) => row['until'] !== null)
          .map((row) => ({ from: integer(row['from_time']), until: integer(row['until']) })),
      }),
    );
  }

  async freezeSlot(start: number): Promise<void> {
    const sql = 'update plugin_metrics.slot set is_frozen = true where start = $1';
    await this.#inTurn((connection) => connection.query(sql, [start]));
  }

  /** Reads on a connection of its own, so that reports of the next slot are taken meanwhile. */
  async *readSlot(start: number): AsyncGenerator<readonly PluginReport[]> {
    const connection = await connect(this.#settings, { ...readTimeouts, sessionKind: 'read-write' });
    try {
      const sql = slotStatements(start);
      const after = { plugin_id: smallestKey, server: Buffer.alloc(0) };
      for await (const rows of keysetPages(connection, sql.page, after)) {
        const numbers = new Set<number>();
        for (const row of rows)
          decodeReport(bytes(row['bytes']), (number) => {
            numbers.add(number);
            return '';
          });
        const found = await connection.query(sql.names, [[...numbers]]);
        const names = new Map(found.map((row) => [integer(row['id']), text(row['name'])]));
        const nameOf = (number: number) => names.get(number) ?? text(undefined);
        yield rows.map((row) => ({
          pluginId: integer(row['plugin_id']),
          values: decodeReport(bytes(row['bytes']), nameOf),
        }));
      }
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    } finally {
      await connection.end();
    }
  }

  forgetSlot(start: number): Promise<void> {
    return this.#transaction(start, async (connection) => {
      await connection.query(
        'update plugin_metrics.collection set closed_until = greatest(closed_until, $1)',
        [start + 1],
      );
      await connection.query('delete from plugin_metrics.coverage where start = $1', [start]);
      await connection.query('delete from plugin_metrics.slot where start = $1', [start]);
      await connection.query(slotStatements(start).drop);
      this.#writers.delete(start);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.end();
  }

  #transaction<Result>(
    start: number,
    work: (connection: PostgresConnection) => Promise<Result>,
  ): Promise<Result> {
    return this.#inTurn(async (connection) => {
      try {
        await connection.query('begin isolation level read committed');
        const result = await work(connection);
        await connection.query('commit');
        return result;
      } catch (error) {
        // The numbers of names that the transaction had added are not valid any more.
        this.#writers.delete(start);
        if (!connection.isBroken) await connection.query('rollback').catch(() => connection.destroy());
        throw error;
      }
    });
  }

  /** Runs work after the work before it, on a connection that is opened again if it was lost. */
  #inTurn<Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      try {
        return await work(await this.#open());
      } catch (error) {
        throw postgresFault(error, this.#settings.name);
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #open(): Promise<PostgresConnection> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection?.isBroken === false) return connection;
    this.#connection = connect(this.#settings, { ...timeouts, sessionKind: 'read-write' });
    return this.#connection;
  }
}

/** True for a slot that another collector has closed: its tables are gone. */
function isMissingTable(error: unknown): boolean {
  const undefinedTable = '42P01';
  return error instanceof Error && 'code' in error && error.code === undefinedTable;
}
