/** Explains which right a role lacks, which role has that right, and which statement grants it. */
import { AppError } from '../../model/app-error.ts';
import { column, orNull, readRow, statement, text } from '../statement.ts';
import { endClient, openClient, runStatement } from './postgres-client.ts';
import { isNotAllowed, unavailableStore } from './postgres-fault.ts';
import type { PostgresSettings } from './postgres-settings.ts';

const rolesSql = statement`
  select quote_ident(current_user) as ${column('role', text)}, quote_ident(current_database()) as ${column('database', text)},
    (select quote_ident(pg_get_userbyid(relowner)) from pg_catalog.pg_class
     join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
     where nspname = 'plugin_metrics' and relname = 'migration') as ${column('storeOwner', orNull(text))},
    (select quote_ident(pg_get_userbyid(datdba)) from pg_catalog.pg_database
     where datname = current_database()) as ${column('databaseOwner', orNull(text))}`;

/** Replaces an error about a missing right by one that names the role with the right; returns any other error unchanged. @param rights the rights to the tables that the role needs. */
export async function explainRights(
  error: unknown,
  settings: PostgresSettings,
  rights: string,
): Promise<unknown> {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error) || !isNotAllowed(cause)) return error;
  const client = await openClient(settings, { queryTimeoutMs: 5000 });
  try {
    const [row = []] = await runStatement(client, rolesSql.text);
    const { role, database, storeOwner, databaseOwner } = readRow(rolesSql, row);
    const wayOut =
      storeOwner === null
        ? `the role ${databaseOwner} can run "grant create on database ${database} to ${role}"`
        : `the role ${storeOwner} has the rights, and can run "grant usage on schema plugin_metrics to ${role}; ` +
          `grant ${rights} on all tables in schema plugin_metrics to ${role}"`;
    return unavailableStore(
      settings.name,
      `cannot be used by the role ${role}: ${cause.message}: ${wayOut}`,
      cause,
    );
  } finally {
    await endClient(client);
  }
}
