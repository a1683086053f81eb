/** The generation of a state: random tokens, which readers compare with those that they know. */
import type { Sql } from './sql.ts';
import { column, number, orNull, statement } from './statement.ts';

/**
 * Counts the rows that a transaction has changed, except the row that locks a PostgreSQL store; null if the
 * server does not count rows.
 */
const changedRowsSql = {
  sqlite: statement`select total_changes() as ${column('count', orNull(number))}`,
  postgres: statement`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as ${column('count', orNull(number))} from pg_stat_xact_user_tables
    where relname <> 'generation' and current_setting('track_counts')::boolean`,
};

/** Writes new tokens if the transaction has changed a row, so that readers notice the new state. */
export async function noteChange(
  sql: Sql,
  { isCatalogueChanged }: { readonly isCatalogueChanged: boolean },
): Promise<void> {
  const [changed] = await sql.read(changedRowsSql[sql.engine]);
  if (changed?.count === 0) return;
  // The token is random, so that no two writes share it. A missing row is inserted again.
  const token = Math.floor(Math.random() * 2 ** 48);
  const set = isCatalogueChanged
    ? 'data = excluded.data, catalogue = excluded.catalogue'
    : 'data = excluded.data';
  await sql.run(
    `insert into generation (id, data, catalogue) values (1, ?1, ?2) on conflict (id) do update set ${set}`,
    token,
    token,
  );
}
