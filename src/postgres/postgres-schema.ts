/** The tables of the store on a server, as migrations: only ever appended, and run in order by the next import. */

/**
 * Migration n brings a store from version n to n + 1. The large tables are keyed by `chart_uid`, so that a distributed engine
 * can shard them. Text ids are collated bytewise, so that their order is the same in every store. The global plugin of a
 * software has no foreign key, because it may be stored after the software and not every engine can defer a foreign key: the
 * writer checks it at the end of a source.
 */
export const postgresMigrations: readonly string[] = [
  `
  create table plugin_metrics.owner (
    id bigint primary key,
    name text not null
  );

  create table plugin_metrics.software (
    id bigint primary key,
    name text not null,
    url text collate "C" not null unique,
    global_plugin_id bigint
  );

  create table plugin_metrics.plugin (
    id bigint primary key,
    name text not null,
    owner_id bigint not null references plugin_metrics.owner (id),
    software_id bigint not null references plugin_metrics.software (id),
    is_global boolean not null
  );

  create table plugin_metrics.chart (
    uid bigint primary key,
    plugin_id bigint not null references plugin_metrics.plugin (id),
    chart_id text collate "C" not null,
    type text not null,
    position bigint not null,
    title text not null,
    is_default boolean not null,
    settings text not null,
    unique (plugin_id, chart_id)
  );

  create table plugin_metrics.snapshot (
    chart_uid bigint primary key references plugin_metrics.chart (uid),
    json text not null
  );

  create table plugin_metrics.chunk (
    chart_uid bigint not null references plugin_metrics.chart (uid),
    first_timestamp bigint not null,
    bytes bytea not null,
    primary key (chart_uid, first_timestamp)
  );

  create table plugin_metrics.generation (
    id integer primary key check (id = 1),
    value bigint not null,
    token bigint not null
  );

  insert into plugin_metrics.generation (id, value, token) values (1, 0, 0);
  `,
  // Adds checksums (docs/decisions/0010-checksums.md), which fill-checksums.ts computes, and the generation of the
  // catalogue: the token of the last write that changed it.
  `
  alter table plugin_metrics.owner add column checksum integer not null default 0;
  alter table plugin_metrics.software add column checksum integer not null default 0;
  alter table plugin_metrics.plugin add column checksum integer not null default 0;
  alter table plugin_metrics.chart add column checksum integer not null default 0;
  alter table plugin_metrics.snapshot add column checksum integer not null default 0;
  alter table plugin_metrics.generation add column catalogue bigint not null default 0;
  `,
  // Adds tallies (docs/decisions/0034-tallies-and-removals.md), which fill-tallies.ts computes, and removals.
  `
  alter table plugin_metrics.chart add column tally bigint not null default 0;

  create table plugin_metrics.removal (
    plugin_id bigint not null,
    chart_id text collate "C" not null,
    before_timestamp bigint,
    checksum integer not null,
    primary key (plugin_id, chart_id)
  );
  `,
  // Adds histories of shares and events (docs/decisions/0041-histories.md), old names (docs/decisions/0043-old-names.md), sums of
  // lines (docs/decisions/0044-sums.md), and what collectors share (docs/decisions/0047-open-slot.md). A snapshot without a time
  // keeps its checksum. The bytes of a block cannot be compressed any more.
  `
  alter table plugin_metrics.snapshot add column at bigint;

  create table plugin_metrics.history (
    chart_uid bigint not null references plugin_metrics.chart (uid),
    first_timestamp bigint not null,
    bytes bytea not null,
    primary key (chart_uid, first_timestamp)
  );

  alter table plugin_metrics.history alter column bytes set storage external;

  create table plugin_metrics.line_sum (
    chart_uid bigint not null references plugin_metrics.chart (uid),
    first_timestamp bigint not null,
    bytes bytea not null,
    primary key (chart_uid, first_timestamp)
  );

  alter table plugin_metrics.line_sum alter column bytes set storage external;

  create table plugin_metrics.event (
    plugin_id bigint not null references plugin_metrics.plugin (id),
    time bigint not null,
    title text collate "C" not null,
    url text,
    checksum integer not null,
    primary key (plugin_id, time, title)
  );

  create table plugin_metrics.old_name (
    plugin_id bigint not null references plugin_metrics.plugin (id),
    name text collate "C" not null,
    checksum integer not null,
    primary key (plugin_id, name)
  );

  create table plugin_metrics.collection (
    id integer primary key check (id = 1),
    closed_until bigint not null
  );

  insert into plugin_metrics.collection (id, closed_until) values (1, 0);

  create table plugin_metrics.slot (
    start bigint primary key,
    key bytea not null,
    is_frozen boolean not null default false
  );

  create table plugin_metrics.coverage (
    start bigint not null,
    collector text not null,
    from_time bigint not null,
    until bigint not null,
    primary key (start, collector, from_time)
  );
  `,
];

/** The version that added checksums of rows, and bound those of chunks to their rows. */
export const checksumVersion = 2;

/** The version that added tallies and removals. */
export const tallyVersion = 3;
