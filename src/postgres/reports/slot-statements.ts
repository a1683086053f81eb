/** The statements on the tables of one slot, which each slot has for itself: dropping them costs less than deleting a million rows. */

/** The most reports of a page. */
const pageRows = 2048;

/**
 * Renders the statements. Rows are written in the order of their keys, and tables one after the other: two collectors with the same rows wait
 * for each other, and never both at once. `keep` is one statement, because each costs a round trip.
 */
export function slotStatements(start: number) {
  const [report, address, name] = ['report', 'address', 'name'].map(
    (table) => `plugin_metrics.${table}_${start}`,
  );
  return {
    create: `
      create table if not exists ${name} (
        id integer generated always as identity primary key,
        name text collate "C" not null unique
      );
      create table if not exists ${report} (
        plugin_id bigint not null,
        server bytea not null,
        bytes bytea not null,
        primary key (plugin_id, server)
      );
      create table if not exists ${address} (
        plugin_id bigint not null,
        address bytea not null,
        server_count integer not null,
        primary key (plugin_id, address)
      )`,
    drop: `drop table if exists ${report}; drop table if exists ${address}; drop table if exists ${name}`,
    addNames: `
      insert into ${name} (name)
      select asked.name from unnest($1::text[]) as asked (name)
      where not exists (select from ${name} as known where known.name = asked.name)
      order by asked.name collate "C"
      on conflict do nothing`,
    numbers: `select id, name from ${name} where name = any ($1)`,
    names: `select id, name from ${name} where id = any ($1)`,
    keep: `
      with open as (
        select from plugin_metrics.slot where start = ${start} and not is_frozen for share
      ), asked as (
        select * from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) as asked (plugin_id, server, bytes, address)
        where exists (select from open)
      ), added as (
        insert into ${report} (plugin_id, server, bytes)
        select plugin_id, server, bytes from asked order by plugin_id, server
        on conflict do nothing
        returning plugin_id, server
      ), counted as (
        insert into ${address} as counted (plugin_id, address, server_count)
        select plugin_id, address, count(*) from added join asked using (plugin_id, server)
        group by plugin_id, address order by plugin_id, address
        on conflict (plugin_id, address) do update set server_count = counted.server_count + excluded.server_count
        returning plugin_id, address, server_count
      ), added_global as (
        insert into ${report} (plugin_id, server, bytes)
        select plugin_id, server, bytes
        from unnest($5::bigint[], $6::bytea[], $7::bytea[]) as asked (plugin_id, server, bytes)
        where exists (select from added where added.server = asked.server) and exists (select from counted)
        order by plugin_id, server
        on conflict do nothing
        returning plugin_id, server
      )
      select 'open' as kind, null::bigint as plugin_id, null::bytea as hash, null::integer as server_count from open
      union all select 'report', plugin_id, server, null from added
      union all select 'address', plugin_id, address, server_count from counted
      union all select 'global', plugin_id, server, null from added_global`,
    remove: `
      delete from ${report} using unnest($1::bigint[], $2::bytea[]) as beyond (plugin_id, server)
      where ${report}.plugin_id = beyond.plugin_id and ${report}.server = beyond.server`,
    limitAddresses: `
      update ${address} set server_count = $3 where server_count > $3
        and (plugin_id, address) in (select * from unnest($1::bigint[], $2::bytea[]))`,
    page: `
      select plugin_id, server, bytes from ${report}
      where (plugin_id, server) > ($1, $2)
      order by plugin_id, server
      limit ${pageRows}`,
  };
}
