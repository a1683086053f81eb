-- A store of version 3 on a PostgreSQL server.
create schema plugin_metrics;
create table plugin_metrics.migration (version integer primary key);

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

alter table plugin_metrics.owner add column checksum integer not null default 0;
alter table plugin_metrics.software add column checksum integer not null default 0;
alter table plugin_metrics.plugin add column checksum integer not null default 0;
alter table plugin_metrics.chart add column checksum integer not null default 0;
alter table plugin_metrics.snapshot add column checksum integer not null default 0;
alter table plugin_metrics.generation add column catalogue bigint not null default 0;

alter table plugin_metrics.chart add column tally bigint not null default 0;

create table plugin_metrics.removal (
  plugin_id bigint not null,
  chart_id text collate "C" not null,
  before_timestamp bigint,
  checksum integer not null,
  primary key (plugin_id, chart_id)
);
insert into plugin_metrics.owner (id, name, checksum) values ('42', 'ExampleUser', 378815542);
insert into plugin_metrics.owner (id, name, checksum) values ('43', 'Ünlü', -280227635);
insert into plugin_metrics.software (id, name, url, global_plugin_id, checksum) values ('1', 'Bukkit / Spigot', 'bukkit', '7', -635693048);
insert into plugin_metrics.software (id, name, url, global_plugin_id, checksum) values ('2', 'Bungee — Ö 😀', 'bungee', null, -148201617);
insert into plugin_metrics.plugin (id, name, owner_id, software_id, is_global, checksum) values ('7', 'ExamplePlugin', '42', '1', true, -1777407651);
insert into plugin_metrics.plugin (id, name, owner_id, software_id, is_global, checksum) values ('8', 'Second', '43', '2', false, -1446561079);
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum, tally) values ('70', '7', 'players', 'single_linechart', '0', 'Players', true, '{"lineName":"Players"}', 1648901110, '2615240875311107');
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum, tally) values ('71', '7', 'servers', 'single_linechart', '1', 'Servers', true, '{"lineName":"Players"}', -1064192236, '2228226414870529');
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum, tally) values ('72', '7', 'versions', 'simple_pie', '2', 'Versions', false, '{}', 1974899874, '779353278382081');
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum, tally) values ('8007199254740991', '8', 'map', 'simple_map', '-3', 'Map', true, '{"lineName":"Players"}', -1221441414, '0');
insert into plugin_metrics.snapshot (chart_uid, json, checksum) values ('72', '[{"name":"1.0","y":1},{"name":"ü","y":2.50}]', -1211271377);
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('70', '0', '\x03800401c0ee6dff03100028ed0b000008000000000009400a0001e1a0d0fca8a87e54fe9494fe9494fe9494fe94fe9494fe9494fe9494fe94fe9494ff9494ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595fecf3f71bf');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('70', '921600000', '\x03800401c0ee6dff0340729a01ce0b00500f8687e54543f2a4a7f4a4a7f4a7f4a4a7f4a4a7f4a4a7f4a7f4a4a7f4a4a7f4a7fca4a7fcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcaca06694613d');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('70', '1843200000', '\x03940201c0ee6d9302701ab001c90b00003002807c34543f2a1f95253fa5253fa5253fa53fa5253fa5253fa53fa5253fa5253fa5253fe53fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe565007c682aea');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('71', '1700000000000', '\x031e01c0ee6d1d10007eef09000008000000000009400a0001e1a0d0fca8a87e54fe9494fe9494fe9494fe94fe9494fe9494fe9470332ca2');
insert into plugin_metrics.generation (id, value, token, catalogue) values (1, '3', '250624252424240', '250624252424240');
insert into plugin_metrics.removal (plugin_id, chart_id, before_timestamp, checksum) values ('9', '', null, 1703427251);
insert into plugin_metrics.migration (version) values (1);
insert into plugin_metrics.migration (version) values (2);
insert into plugin_metrics.migration (version) values (3);
