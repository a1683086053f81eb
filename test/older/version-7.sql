create schema if not exists plugin_metrics;
set search_path = plugin_metrics;
create table owner (
id bigint primary key,
name text collate "C" not null,
name_key text collate "C" not null,
checksum integer not null
);
create index owner_name_key on owner (name_key);
create table software (
id bigint primary key,
name text collate "C" not null,
url text collate "C" not null,
global_plugin_id bigint,
checksum integer not null,
unique (url)
);
create table plugin (
id bigint primary key,
name text collate "C" not null,
owner_id bigint not null references owner,
software_id bigint not null references software,
is_global boolean not null,
name_key text collate "C" not null,
checksum integer not null
);
create index plugin_name_key_id on plugin (name_key, id);
create index plugin_software_id_name_key_id on plugin (software_id, name_key, id);
create index plugin_software_id_id on plugin (software_id, id);
create index plugin_owner_id_id on plugin (owner_id, id);
create index plugin_is_global_id on plugin (is_global, id);
create table old_name (
plugin_id bigint not null references plugin,
name text collate "C" not null,
name_key text collate "C" not null,
checksum integer not null,
primary key (plugin_id, name)
);
create index old_name_name_key_plugin_id on old_name (name_key, plugin_id);
create table chart (
uid bigint primary key,
plugin_id bigint not null references plugin,
chart_id text collate "C" not null,
type text collate "C" not null,
position bigint not null,
title text collate "C" not null,
is_default boolean not null,
settings text collate "C" not null,
checksum integer not null,
unique (plugin_id, chart_id)
);
create table snapshot (
chart_uid bigint primary key references chart,
json text collate "C" not null,
at bigint,
checksum integer not null
);
create table chunk (
chart_uid bigint not null references chart,
first_timestamp bigint not null,
bytes bytea not null,
primary key (chart_uid, first_timestamp)
);
create table event (
plugin_id bigint not null references plugin,
time bigint not null,
title text collate "C" not null,
url text collate "C",
checksum integer not null,
primary key (plugin_id, time, title)
);
create table removal (
plugin_id bigint not null,
chart_id text collate "C" not null,
before_timestamp bigint,
checksum integer not null,
primary key (plugin_id, chart_id)
);
create table chart_now (
chart_uid bigint primary key references chart,
first_time bigint not null,
last_time bigint not null,
last_value double precision,
checksum integer not null
);
create table chart_shares (
chart_uid bigint primary key references chart,
until_time bigint not null,
most_used text collate "C",
since bigint,
sums text collate "C" not null,
checksum integer not null
);
create table plugin_now (
plugin_id bigint primary key references plugin,
software_id bigint not null,
is_global boolean not null,
names text collate "C" not null,
lower_names text collate "C",
servers double precision,
servers_time bigint,
players double precision,
players_time bigint,
checksum integer not null
);
create index plugin_now_servers_plugin_id on plugin_now (servers, plugin_id);
create index plugin_now_software_id_servers_plugin_id on plugin_now (software_id, servers, plugin_id);
create index plugin_now_players_plugin_id on plugin_now (players, plugin_id);
create index plugin_now_software_id_players_plugin_id on plugin_now (software_id, players, plugin_id);
create table plugin_trend (
plugin_id bigint primary key references plugin,
software_id bigint not null,
is_global boolean not null,
change double precision,
days text collate "C" not null,
checksum integer not null
);
create index plugin_trend_change_plugin_id on plugin_trend (change, plugin_id);
create index plugin_trend_software_id_change_plugin_id on plugin_trend (software_id, change, plugin_id);
create table software_now (
software_id bigint primary key references software,
plugin_count bigint not null,
global_count bigint not null,
servers double precision,
players double precision,
newest_time bigint,
checksum integer not null
);
create table generation (
id bigint primary key,
data bigint not null,
catalogue bigint not null
);
create table collection (
id bigint primary key,
closed_until bigint not null
);
alter table chunk alter column bytes set storage external;
  create table report_slot (
    start bigint primary key,
    key bytea not null,
    covered bigint not null,
    is_frozen bigint not null
  );
  create table report_batch (
    id bigserial primary key,
    slot bigint not null,
    bytes bytea not null
  );
alter table report_batch alter column bytes set storage external;
create table migration (
  version integer primary key
);
insert into migration (version) values (7);
insert into owner values ('42', 'ExampleUser', 'exampleuser', '1534729591');
insert into owner values ('43', 'Other', 'other', '-432813516');
insert into software values ('1', 'Bukkit / Spigot', 'bukkit', '7', '-635693048');
insert into plugin values ('7', 'Ünlü', '42', '1', 'true', 'unlu', '1525288775');
insert into plugin values ('8', 'Second', '43', '1', 'false', 'second', '-424392608');
insert into old_name values ('7', 'Before', 'before', '-429787617');
insert into chart values ('70', '7', 'players', 'single_linechart', '0', 'Players', 'true', '{"lineName":"Players"}', '1648901110');
insert into chart values ('72', '7', 'versions', 'simple_pie', '1', 'Versions', 'true', '{}', '-596141634');
insert into chart values ('73', '7', 'os', 'drilldown_pie', '2', 'OS', 'false', '{}', '1568248779');
insert into chart values ('80', '8', 'servers', 'single_linechart', '0', 'Servers', 'true', '{"lineName":"Servers"}', '2122295895');
insert into snapshot values ('72', '[{"name":"1.0","y":7}]', '3960000000', '-1542032662');
insert into snapshot values ('73', '{"seriesData":[{"name":"Linux","y":3,"drilldown":"Linux"}],"drilldownData":[{"name":"Linux","id":"Linux","data":[["Debian",3]]}]}', null, '-1856545991');
insert into chunk values ('70', '0', '\x0180040180dddb01ff030007008080604028180e888462c168381e90886442a9582e988c66c3e9783ea09068442a994ea8946ac56ab95eb0986c46abd96eb89c6ec7ebf97ec0a070482c1a8fc8a472c96c3a9fd0a8744aad5aafd8ac76cbed7abf6040403020140c074442b160341c0f484432a1542c174c46b3e1743c1f50483422954c27544ab562b55c2f584c36a3d56c375c4eb7e3f57c3f60503824168d476452b964369d4f68543aa556ad576c56bbe576bd5f30202018100a860322a158301a8e07242299502a960b26a3d9703a9e0f28241a914aa6132aa55ab15aae172c269bd16ab61b2ea7dbf17abe1f30281c128bc62332a95c329bce27342a9d52abd62b36abdd72bbde2f1810100c0805c30191502c180dc70312914c2815cb0593d16c381dcf0714128d4825d3099552ad582dd70b1693cd6835db0d97d3ed783ddf0f18140e8945e31199542e994de7131a954ea955eb159bd56eb95def170c0808068482e1804828168c86e301894826948ae582c968369c8ee7030a8946a492e9844aa956ac96eb058bc966b49aed86cbe976bc9eef070c0a87c4a2f1884c2a97cca6f3098d4aa7d4aaf58acd6ab7dcaef70b0604040342c1704024140b46c3f1804424134ac572c16434e52c46c3');
insert into chunk values ('70', '1843200000', '\x0180040180dddb01ff030007001b4ec7f30185442352c97442a5542b56cbf582c564335acd76c3e5743b5ecff70306854362d1784426954b66d3f98446a5536ad57ac566b55b6ed7fb0503028201a1603820128a05a3e17840229209a562b960329a0da7e3f98042a211a9643aa152aa15abe57ac162b219ad66bbe172ba1dafe7fb0183c221b1683c2293ca25b3e97c42a3d229b56abd62b3da2db7ebfd820101c18050301c1009c582d1703c2011c98452b15c3019cd86d3f17c4021d18854329d5029d58ad572bd6031d98c56b3dd7039dd8ed7f3fd8041e19058341e9149e592d9743ea151e9945ab55eb159ed96dbf57ec18080604028180e888462c168381e90886442a9582e988c66c3e9783ea09068442a994ea8946ac56ab95eb0986c46abd96eb89c6ec7ebf97ec0a070482c1a8fc8a472c96c3a9fd0a8744aad5aafd8ac76cbed7abf6040403020140c074442b160341c0f484432a1542c174c46b3e1743c1f50483422954c27544ab562b55c2f584c36a3d56c375c4eb7e3f57c3f60503824168d476452b964369d4f68543aa556ad576c56bbe576bd5f30202018100a860322a158301a8e07242299502a960b26a3d9703a9e0f28241a914aa6132aa55ab15aae172c269bd16ab492ebf3');
insert into chunk values ('70', '3686400000', '\x014c0180dddb014b000700b61b2ea7dbf17abe1f30281c128bc62332a95c329bce27342a9d52abd62b36abdd72bbde2f1810100c0805c30191502c180dc70312914c2815cb0593d16c381dcf0704a0f3113c');
insert into chunk values ('72', '0', '\x028004020d5b22312e30222c22322e30225d0180dddb01ff030002002449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449922449040002f788762b');
insert into chunk values ('72', '1843200000', '\x028004020d5b22312e30222c22322e30225d0180dddb01ff030002009224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224499224040002b28c9c59');
insert into chunk values ('72', '3686400000', '\x024d020d5b22312e30222c22322e30225d0180dddb014c0003001122448810214284081122448810214284081122448810214284081172040100ffffffffffffffffff0fa67e5ca9');
insert into chunk values ('80', '0', '\x010201c0ee6d01040414f0958efd16');
insert into event values ('7', '0', '1.0 — the first', 'https://example.org/1.0', '1913432897');
insert into removal values ('7', 'players', '1', '1113173989');
insert into removal values ('9', '', null, '1703427251');
insert into chart_now values ('70', '0', '3956400000', '32', '16909565');
insert into chart_now values ('72', '0', '3960000000', null, '1701408117');
insert into chart_now values ('80', '0', '1800000', '2.5', '-152254568');
insert into chart_shares values ('72', '3686400000', '2.0', '3682800000', '[["1.0",1023],["2.0",102.40000000000092]]', '291742110');
insert into plugin_now values ('7', '1', 'true', 'unlu
exampleuser', 'ünlü
exampleuser', null, null, '32', '3956400000', '-364338535');
insert into plugin_now values ('8', '1', 'false', 'second
other', null, '2.5', '1800000', null, null, '243031333');
insert into plugin_trend values ('7', '1', 'true', null, '[]', '-1737579087');
insert into plugin_trend values ('8', '1', 'false', null, '[null,null,null,null,null,null,null,null,null,null,null,null,null,null]', '-1226432799');
insert into software_now values ('1', '1', '1', '2.5', null, '3956400000', '1617043603');
insert into generation values ('1', '117140209796974', '117140209796974');
insert into collection values ('1', '0');
insert into report_slot values ('1782864000000', '\xdde48912b53487f3f067dcb9f7783c881f61bb3bebf1b8f539e82d74fad1de67', '0', '0');
insert into report_batch values ('1', '1782864000000', '\x28b52ffd2069ad020082c51217802979c07d0b427150204b16c5f2607917d295c06c600f80bb334e0a261c0ab8a907aa61b34b33268c4df681fdce9c2a70e884891ca80822bbf426b21913b20becaa8b7d55991ba68e0502002e660c6008');
select setval('report_batch_id_seq', 1);
