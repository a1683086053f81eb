/** The tables of the embedded store. */
import type { DatabaseSync } from 'node:sqlite';
import { storeVersion } from '../store/store-version.ts';

/** Marks a file as a store of this program ("pmet" in ASCII); SQLite keeps it in the header of the file. */
export const applicationId = 0x70_6d_65_74;

const schemaSql = `
  create table owner (
    id integer primary key,
    name text not null,
    checksum integer not null
  ) strict;

  create table software (
    id integer primary key,
    name text not null,
    url text not null unique,
    global_plugin_id integer references plugin (id) deferrable initially deferred,
    checksum integer not null
  ) strict;

  create table plugin (
    id integer primary key,
    name text not null,
    owner_id integer not null references owner (id),
    software_id integer not null references software (id),
    is_global integer not null,
    checksum integer not null
  ) strict;

  create table old_name (
    plugin_id integer not null references plugin (id),
    name text not null,
    checksum integer not null,
    primary key (plugin_id, name)
  ) strict, without rowid;

  create table chart (
    uid integer primary key,
    plugin_id integer not null references plugin (id),
    chart_id text not null,
    type text not null,
    position integer not null,
    title text not null,
    is_default integer not null,
    settings text not null,
    checksum integer not null,
    unique (plugin_id, chart_id)
  ) strict;

  create table snapshot (
    chart_uid integer primary key references chart (uid),
    json text not null,
    at integer,
    checksum integer not null
  ) strict;

  create table chunk (
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

  create table removal (
    plugin_id integer not null,
    chart_id text not null,
    before_timestamp integer,
    checksum integer not null,
    primary key (plugin_id, chart_id)
  ) strict, without rowid;

  create table generation (
    id integer primary key check (id = 1),
    catalogue integer not null
  ) strict;

  insert into generation (id, catalogue) values (1, 0);

  create table collection (
    id integer primary key check (id = 1),
    closed_until integer not null
  ) strict;

  insert into collection (id, closed_until) values (1, 0);
`;

/** Makes an empty database a store; SQLite's `user_version` is the version of its tables. */
export function createTables(db: DatabaseSync): void {
  db.exec(`
    begin immediate;
    ${schemaSql}
    pragma application_id = ${applicationId};
    pragma user_version = ${storeVersion};
    commit`);
}
