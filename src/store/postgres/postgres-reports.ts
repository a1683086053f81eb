/** Reports of open slots on the server of the store. */
import type pg from 'pg';
import type { ReportStore } from '../../model/report-store.ts';
import { type ReportDatabase, ReportLog } from '../reports/report-log.ts';
import type { Statement, Value } from '../statement.ts';
import { endClient, isDisconnected, openClient } from './postgres-client.ts';
import { checkVersion } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { PostgresSql } from './postgres-sql.ts';

/** A collector answers 503 if the server does not answer within this time. */
const options = { queryTimeoutMs: 15_000 };

/**
 * Opens the reports of a store.
 * @throws AppError `unavailable` if the server cannot be reached, otherwise like `checkVersion`.
 */
export async function openPostgresReports(settings: PostgresSettings): Promise<ReportStore> {
  const db = new PostgresReportDatabase(settings);
  try {
    await checkVersion(await db.sql());
  } catch (error) {
    await db[Symbol.asyncDispose]();
    throw error;
  }
  return new ReportLog(db);
}

class PostgresReportDatabase implements ReportDatabase {
  readonly prefix = 'plugin_metrics.';
  readonly lock = 'for share';
  readonly #settings: PostgresSettings;
  #client: Promise<pg.Client> | undefined;

  constructor(settings: PostgresSettings) {
    this.#settings = settings;
  }

  async read<R>(statement: Statement<R>, ...values: readonly Value[]): Promise<R[]> {
    return (await this.sql()).read(statement, ...values);
  }

  async run(text: string, ...values: readonly Value[]): Promise<void> {
    await (await this.sql()).run(text, ...values);
  }

  /** Does nothing: the server writes to disk before it answers. */
  async synchronize(): Promise<void> {}

  /** Does nothing: the server erases deleted rows when it vacuums the tables. */
  async clean(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client !== undefined) await endClient(client);
  }

  /** Returns the statements of the connection. A lost connection is opened again. */
  async sql(): Promise<PostgresSql> {
    const { name } = this.#settings;
    const last = this.#client;
    const client = await last?.catch(() => undefined);
    if (client !== undefined && !isDisconnected(client)) return new PostgresSql(client, name);
    // Only the first waiter reconnects; the others share its connection.
    if (this.#client === last) this.#client = openClient(this.#settings, options);
    return new PostgresSql(await (this.#client as Promise<pg.Client>), name);
  }
}
