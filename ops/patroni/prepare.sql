-- Once, on the leader, as postgres, with passwords of your own: psql --host=10.0.0.1 --username=postgres --file=prepare.sql
create role metrics_writer login password 'WRITER-PASSWORD';
create role metrics_reader login password 'READER-PASSWORD';
create database metrics encoding 'UTF8' template template0;
grant create on database metrics to metrics_writer;
\connect metrics
alter default privileges for role metrics_writer grant usage on schemas to metrics_reader;
alter default privileges for role metrics_writer grant select on tables to metrics_reader;
