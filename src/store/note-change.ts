/** The generation of a state: readers compare it with the one that they know. */
import type { Sql } from './sql.ts';
import { column, number, orNull, statement } from './statement.ts';

/** Counts the rows that a transaction has changed, without the one that locks a store on a server; null where a server keeps no such counts. */
const changedRowsSql = {
  sqlite: statement`select total_changes() as ${column('count', orNull(number))}`,
  postgres: statement`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as ${column('count', orNull(number))} from pg_stat_xact_user_tables
    where relname <> 'generation' and current_setting('track_counts')::boolean`,
};

/** Gives the state that a transaction makes its tokens, so that readers notice it. A transaction that has written nothing makes none. */
export async function noteChange(
  sql: Sql,
  { isCatalogueChanged }: { readonly isCatalogueChanged: boolean },
): Promise<void> {
  const [changed] = await sql.read(changedRowsSql[sql.engine]);
  if (changed?.count === 0) return;
  // A number that no other write has. A row that is missing is put back.
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
