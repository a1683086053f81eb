/** The tables of the embedded store, as migrations: only ever appended, run in order when a store is opened. */

/** Marks a file as ours ("pmet" in ASCII); SQLite keeps it in the header of the file. */
export const applicationId = 0x70_6d_65_74;

/** Migration n brings a store from version n to n + 1; the version is SQLite's `user_version`. */
export const migrations: readonly string[] = [
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
];
