CREATE SCHEMA plugin_metrics;
CREATE TABLE plugin_metrics.chart (
    uid bigint NOT NULL,
    plugin_id bigint NOT NULL,
    chart_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    "position" bigint NOT NULL,
    title text NOT NULL,
    is_default boolean NOT NULL,
    settings text NOT NULL,
    checksum integer DEFAULT 0 NOT NULL,
    tally bigint DEFAULT 0 NOT NULL
);
CREATE TABLE plugin_metrics.chunk (
    chart_uid bigint NOT NULL,
    first_timestamp bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE plugin_metrics.collection (
    id integer NOT NULL,
    closed_until bigint NOT NULL,
    CONSTRAINT collection_id_check CHECK ((id = 1))
);
CREATE TABLE plugin_metrics.coverage (
    start bigint NOT NULL,
    collector text NOT NULL,
    from_time bigint NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE plugin_metrics.event (
    plugin_id bigint NOT NULL,
    "time" bigint NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    url text,
    checksum integer NOT NULL
);
CREATE TABLE plugin_metrics.generation (
    id integer NOT NULL,
    value bigint NOT NULL,
    token bigint NOT NULL,
    catalogue bigint DEFAULT 0 NOT NULL,
    CONSTRAINT generation_id_check CHECK ((id = 1))
);
CREATE TABLE plugin_metrics.history (
    chart_uid bigint NOT NULL,
    first_timestamp bigint NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY plugin_metrics.history ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE plugin_metrics.line_sum (
    chart_uid bigint NOT NULL,
    first_timestamp bigint NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY plugin_metrics.line_sum ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE plugin_metrics.migration (
    version integer NOT NULL
);
CREATE TABLE plugin_metrics.old_name (
    plugin_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    checksum integer NOT NULL
);
CREATE TABLE plugin_metrics.owner (
    id bigint NOT NULL,
    name text NOT NULL,
    checksum integer DEFAULT 0 NOT NULL
);
CREATE TABLE plugin_metrics.plugin (
    id bigint NOT NULL,
    name text NOT NULL,
    owner_id bigint NOT NULL,
    software_id bigint NOT NULL,
    is_global boolean NOT NULL,
    checksum integer DEFAULT 0 NOT NULL
);
CREATE TABLE plugin_metrics.removal (
    plugin_id bigint NOT NULL,
    chart_id text NOT NULL COLLATE pg_catalog."C",
    before_timestamp bigint,
    checksum integer NOT NULL
);
CREATE TABLE plugin_metrics.slot (
    start bigint NOT NULL,
    key bytea NOT NULL,
    is_frozen boolean DEFAULT false NOT NULL
);
CREATE TABLE plugin_metrics.snapshot (
    chart_uid bigint NOT NULL,
    json text NOT NULL,
    checksum integer DEFAULT 0 NOT NULL,
    at bigint
);
CREATE TABLE plugin_metrics.software (
    id bigint NOT NULL,
    name text NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    global_plugin_id bigint,
    checksum integer DEFAULT 0 NOT NULL
);
INSERT INTO plugin_metrics.chart VALUES (70, 7, 'players', 'single_linechart', 0, 'Players', true, '{"lineName":"Players"}', 1648901110, 2228226414870529);
INSERT INTO plugin_metrics.chart VALUES (71, 7, 'versions', 'simple_pie', 1, 'Versions', false, '{}', -1219436000, 3007579693252610);
INSERT INTO plugin_metrics.chart VALUES (72, 7, 'os', 'drilldown_pie', 2, 'OS', false, '{}', 1629057219, 2228226414870529);
INSERT INTO plugin_metrics.chunk VALUES (70, 1700000000000, '\x030401c0ee6d0342d80414fed901000008000000000358400056c0005bb0b11eb8bc');
INSERT INTO plugin_metrics.collection VALUES (1, 0);
INSERT INTO plugin_metrics.event VALUES (7, 1700000000000, '1.0', 'https://example.org/1.0', 281490502);
INSERT INTO plugin_metrics.generation VALUES (1, 2, 126495294931392, 126495294931392);
INSERT INTO plugin_metrics.history VALUES (71, 1700000000000, '\x04020180dddb0101020c5b22312e30222c22c3bc225d0305300a022518030530000413083f25f1d8');
INSERT INTO plugin_metrics.history VALUES (72, 1700000000000, '\x05020180dddb010102215b224c696e7578222c2244656269616e222c2257696e646f7773222c223131225d0305500a0c20400306611e00590140090d26ba');
INSERT INTO plugin_metrics.migration VALUES (1);
INSERT INTO plugin_metrics.migration VALUES (2);
INSERT INTO plugin_metrics.migration VALUES (3);
INSERT INTO plugin_metrics.migration VALUES (4);
INSERT INTO plugin_metrics.old_name VALUES (7, 'EarlierName', -182841171);
INSERT INTO plugin_metrics.owner VALUES (42, 'ExampleUser', 378815542);
INSERT INTO plugin_metrics.plugin VALUES (7, 'ExamplePlugin', 42, 1, true, -1777407651);
INSERT INTO plugin_metrics.removal VALUES (8, '', NULL, 1682593412);
INSERT INTO plugin_metrics.snapshot VALUES (71, '[{"name":"1.0","y":1},{"name":"ü","y":2}]', 773177451, 1700003600000);
INSERT INTO plugin_metrics.software VALUES (1, 'Bukkit / Spigot', 'bukkit', 7, -635693048);
ALTER TABLE ONLY plugin_metrics.chart
    ADD CONSTRAINT chart_pkey PRIMARY KEY (uid);
ALTER TABLE ONLY plugin_metrics.chart
    ADD CONSTRAINT chart_plugin_id_chart_id_key UNIQUE (plugin_id, chart_id);
ALTER TABLE ONLY plugin_metrics.chunk
    ADD CONSTRAINT chunk_pkey PRIMARY KEY (chart_uid, first_timestamp);
ALTER TABLE ONLY plugin_metrics.collection
    ADD CONSTRAINT collection_pkey PRIMARY KEY (id);
ALTER TABLE ONLY plugin_metrics.coverage
    ADD CONSTRAINT coverage_pkey PRIMARY KEY (start, collector, from_time);
ALTER TABLE ONLY plugin_metrics.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (plugin_id, "time", title);
ALTER TABLE ONLY plugin_metrics.generation
    ADD CONSTRAINT generation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY plugin_metrics.history
    ADD CONSTRAINT history_pkey PRIMARY KEY (chart_uid, first_timestamp);
ALTER TABLE ONLY plugin_metrics.line_sum
    ADD CONSTRAINT line_sum_pkey PRIMARY KEY (chart_uid, first_timestamp);
ALTER TABLE ONLY plugin_metrics.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);
ALTER TABLE ONLY plugin_metrics.old_name
    ADD CONSTRAINT old_name_pkey PRIMARY KEY (plugin_id, name);
ALTER TABLE ONLY plugin_metrics.owner
    ADD CONSTRAINT owner_pkey PRIMARY KEY (id);
ALTER TABLE ONLY plugin_metrics.plugin
    ADD CONSTRAINT plugin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY plugin_metrics.removal
    ADD CONSTRAINT removal_pkey PRIMARY KEY (plugin_id, chart_id);
ALTER TABLE ONLY plugin_metrics.slot
    ADD CONSTRAINT slot_pkey PRIMARY KEY (start);
ALTER TABLE ONLY plugin_metrics.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (chart_uid);
ALTER TABLE ONLY plugin_metrics.software
    ADD CONSTRAINT software_pkey PRIMARY KEY (id);
ALTER TABLE ONLY plugin_metrics.software
    ADD CONSTRAINT software_url_key UNIQUE (url);
ALTER TABLE ONLY plugin_metrics.chart
    ADD CONSTRAINT chart_plugin_id_fkey FOREIGN KEY (plugin_id) REFERENCES plugin_metrics.plugin(id);
ALTER TABLE ONLY plugin_metrics.chunk
    ADD CONSTRAINT chunk_chart_uid_fkey FOREIGN KEY (chart_uid) REFERENCES plugin_metrics.chart(uid);
ALTER TABLE ONLY plugin_metrics.event
    ADD CONSTRAINT event_plugin_id_fkey FOREIGN KEY (plugin_id) REFERENCES plugin_metrics.plugin(id);
ALTER TABLE ONLY plugin_metrics.history
    ADD CONSTRAINT history_chart_uid_fkey FOREIGN KEY (chart_uid) REFERENCES plugin_metrics.chart(uid);
ALTER TABLE ONLY plugin_metrics.line_sum
    ADD CONSTRAINT line_sum_chart_uid_fkey FOREIGN KEY (chart_uid) REFERENCES plugin_metrics.chart(uid);
ALTER TABLE ONLY plugin_metrics.old_name
    ADD CONSTRAINT old_name_plugin_id_fkey FOREIGN KEY (plugin_id) REFERENCES plugin_metrics.plugin(id);
ALTER TABLE ONLY plugin_metrics.plugin
    ADD CONSTRAINT plugin_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES plugin_metrics.owner(id);
ALTER TABLE ONLY plugin_metrics.plugin
    ADD CONSTRAINT plugin_software_id_fkey FOREIGN KEY (software_id) REFERENCES plugin_metrics.software(id);
ALTER TABLE ONLY plugin_metrics.snapshot
    ADD CONSTRAINT snapshot_chart_uid_fkey FOREIGN KEY (chart_uid) REFERENCES plugin_metrics.chart(uid);
