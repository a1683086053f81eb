-- A store of version 1 on a PostgreSQL server.
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

insert into plugin_metrics.owner (id, name) values ('42', 'ExampleUser');
insert into plugin_metrics.owner (id, name) values ('43', 'Ünlü');
insert into plugin_metrics.software (id, name, url, global_plugin_id) values ('1', 'Bukkit / Spigot', 'bukkit', '7');
insert into plugin_metrics.software (id, name, url, global_plugin_id) values ('2', 'Bungee — Ö 😀', 'bungee', null);
insert into plugin_metrics.plugin (id, name, owner_id, software_id, is_global) values ('7', 'ExamplePlugin', '42', '1', true);
insert into plugin_metrics.plugin (id, name, owner_id, software_id, is_global) values ('8', 'Second', '43', '2', false);
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings) values ('70', '7', 'players', 'single_linechart', '0', 'Players', true, '{"lineName":"Players"}');
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings) values ('71', '7', 'servers', 'single_linechart', '1', 'Servers', true, '{"lineName":"Players"}');
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings) values ('72', '7', 'versions', 'simple_pie', '2', 'Versions', false, '{}');
insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings) values ('8007199254740991', '8', 'map', 'simple_map', '-3', 'Map', true, '{"lineName":"Players"}');
insert into plugin_metrics.snapshot (chart_uid, json) values ('72', '[{"name":"1.0","y":1},{"name":"ü","y":2.50}]');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('70', '0', '\x03800401c0ee6dff03100028ed0b000008000000000009400a0001e1a0d0fca8a87e54fe9494fe9494fe9494fe94fe9494fe9494fe9494fe94fe9494ff9494ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff9595ff95ff9595ff9595ff95ff9595ff9595fecf3f71f9');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('70', '921600000', '\x03800401c0ee6dff0340729a01ce0b00500f8687e54543f2a4a7f4a4a7f4a7f4a4a7f4a4a7f4a4a7f4a7f4a4a7f4a4a7f4a7fca4a7fcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcacaffcaffcacaffcacaffcaffcacaffcacaffcacaffcaffcaca06694617b');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('70', '1843200000', '\x03940201c0ee6d9302701ab001c90b00003002807c34543f2a1f95253fa5253fa5253fa53fa5253fa5253fa53fa5253fa5253fa5253fe53fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe5657fe57fe5657fe5657fe5657fe57fe5657fe565007c682aac');
insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes) values ('71', '1700000000000', '\x031e01c0ee6d1d10007eef09000008000000000009400a0001e1a0d0fca8a87e54fe9494fe9494fe9494fe94fe9494fe9494fe94703f74e5');
insert into plugin_metrics.generation (id, value, token) values (1, '0', '0');
insert into plugin_metrics.migration (version) values (1);
