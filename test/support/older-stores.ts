/**
 * Stores of version 7, made by 0.3.0: a line and a history of several chunks, with sums that 0.3.0 has
 * rounded, all kinds of records, and reports of an open slot.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const read = (name: string) => readFileSync(new URL(`../older/${name}`, import.meta.url));

/** The version of the stores. */
export const olderVersion = 7;

/**
 * The start of the open slot. By its reports, plugin 8 has 4 servers, and one server of plugin 7 has version
 * 2.0.
 */
export const openSlot = 1_782_864_000_000;

/** The export of these stores by 0.3.0. */
export const olderText: string = gunzipSync(read('version-7.ndjson.gz')).toString();

/** The store for PostgreSQL, as SQL. */
export const olderSql: string = read('version-7.sql').toString();

/** Writes the SQLite store to a file, and its reports beside it. */
export function writeOlder(path: string): void {
  writeFileSync(path, gunzipSync(read('version-7.db.gz')));
  writeFileSync(`${path}-reports`, gunzipSync(read('version-7-reports.db.gz')));
}
