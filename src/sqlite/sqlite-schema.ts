/** The tables of the embedded store, as migrations: only ever appended, and run in order when a store is opened. */

/** Marks a file as a store of this program ("pmet" in ASCII); SQLite keeps it in the header of the file. */
export const applicationId = 0x70_6d_65_74;

/** Migration n brings a store from version n to n + 1; the version is SQLite's `user_version`. */
export const sqliteMigrations: readonly string[] = [
  `
  create table owner (
    id integer primary key,
    name text not null
  ) strict;

  create table software (
    id integer primary key,
    name text not null,
    url text not null unique,
    global_plugin_id integer references plugin (id) deferrable initially deferred
  ) strict;

  create table plugin (
    id integer primary key,
    name text not null,
    owner_id integer not null references owner (id),
    software_id integer not null references software (id),
    is_global integer not null
  ) strict;

  create table chart (
    uid integer primary key,
    plugin_id integer not null references plugin (id),
    chart_id text not null,
    type text not null,
    position integer not null,
    title text not null,
    is_default integer not null,
    settings text not null,
    unique (plugin_id, chart_id)
  ) strict;

  create table snapshot (
    chart_uid integer primary key references chart (uid),
    json text not null
  ) strict;

  create table chunk (
    chart_uid integer not null references chart (uid),
    first_timestamp integer not null,
    bytes blob not null,
    primary key (chart_uid, first_timestamp)
  ) strict, without rowid;
  `,
  // Adds checksums (docs/decisions/0010-checksums.md) and the generation of the catalogue. The functions are
  // those of sqlite-migrate.ts.
  `
  alter table owner add column checksum integer not null default 0;
  alter table software add column checksum integer not null default 0;
  alter table plugin add column checksum integer not null default 0;
  alter table chart add column checksum integer not null default 0;
  alter table snapshot add column checksum integer not null default 0;

  update owner set checksum = row_checksum('owner', id, name);
  update software set checksum = row_checksum('software', id, name, url, global_plugin_id);
  update plugin set checksum = row_checksum('plugin', id, name, owner_id, software_id, is_global);
  update chart set checksum =
    row_checksum('chart', uid, plugin_id, chart_id, type, position, title, is_default, settings);
  update snapshot set checksum = row_checksum('snapshot', chart_uid, json);
  update chunk set bytes = bound_checksum(bytes, chart_uid, first_timestamp);

  create table generation (
    id integer primary key check (id = 1),
    catalogue integer not null
  ) strict;

  insert into generation (id, catalogue) values (1, 0);
  `,
  // Adds tallies and removals (docs/decisions/0034-tallies-and-removals.md).
  `
  alter table chart add column tally integer not null default 0;

  update chart set tally = (
    select tally(key) from (
      select first_timestamp as key from chunk where chart_uid = uid
      union all
      select 'snapshot' from snapshot where chart_uid = uid));

  create table removal (
    plugin_id integer not null,
    chart_id text not null,
    before_timestamp integer,
    checksum integer not null,
    primary key (plugin_id, chart_id)
  ) strict, without rowid;
  `,
  // Adds histories of shares and events (docs/decisions/0041-histories.md), old names (docs/decisions/0043-old-names.md), sums of
  // lines (docs/decisions/0044-sums.md), and the time up to which slots are closed (docs/decisions/0047-open-slot.md). A snapshot
  // without a time keeps its checksum.
  `
  alter table snapshot add column at integer;

  create table history (
    chart_uid integer not null references chart (uid),
    first_timestamp integer not null,
    bytes blob not null,
    primary key (chart_uid, first_timestamp)
  ) strict;

  create table line_sum (
    chart_uid integer not null references chart (uid),
    first_timestamp integer not null,
    bytes blob not null,
    primary key (chart_uid, first_timestamp)
  ) strict;

  create table event (
    plugin_id integer not null references plugin (id),
    time integer not null,
    title text not null,
    url text,
    checksum integer not null,
    primary key (plugin_id, time, title)
  ) strict, without rowid;

  create table old_name (
    plugin_id integer not null references plugin (id),
    name text not null,
    checksum integer not null,
    primary key (plugin_id, name)
  ) strict, without rowid;

  create table collection (
    id integer primary key check (id = 1),
    closed_until integer not null
  ) strict;

  insert into collection (id, closed_until) values (1, 0);
  `,
];
