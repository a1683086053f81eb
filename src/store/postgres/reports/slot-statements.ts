/** The statements on the tables of one slot, which each slot has for itself: dropping them costs less than deleting a million rows. */

/** The most names of a slot that are kept in memory: a few MB. */
export const maxKnownNames = 20_000;

/** The most rows of a page, and about the most bytes. */
const pageRows = 1024;
const pageBytes = 1024 * 1024;

/**
 * Renders the statements. A row of batches has the reports of one commit. The slot is locked before a row is added, so rows are numbered without
 * a gap, in the order of their commits.
 */
export function slotStatements(start: number) {
  const [batch, name] = ['batch', 'name'].map((table) => `plugin_metrics.${table}_${start}`);
  return {
    create: `
      create table ${name} (
        id integer generated always as identity primary key,
        name text collate "C" not null unique
      );
      create table ${batch} (
        id bigint primary key,
        bytes bytea not null
      );
      alter table ${batch} alter column bytes set storage external`,
    drop: `drop table if exists ${batch}; drop table if exists ${name}`,
    lock: `select from plugin_metrics.slot where start = ${start} and not is_frozen for update`,
    page: `
      select id, bytes, (select max(id) from ${batch}) as newest
      from (
        select id, bytes, sum(length(bytes)) over (order by id) - length(bytes) as bytes_before
        from ${batch} where id > $1 order by id limit ${pageRows}
      ) as page
      where bytes_before < ${pageBytes}
      order by id`,
    add: `insert into ${batch} (id, bytes) values ($1, $2)`,
    numbers: `
      with asked as (
        select unnest($1::text[]) as name
      ), added as (
        insert into ${name} (name)
        select name from asked where not exists (select from ${name} as known where known.name = asked.name)
        returning id, name
      )
      select id, name from added union all select id, name from ${name} where name = any ($1)`,
    names: `select id, name from ${name} where id = any ($1)`,
  };
}
