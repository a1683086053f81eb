/** Stores that 0.3.0 made, of version 7: a line and a history of several chunks, with sums that it has rounded, all kinds of records, and reports of an open slot. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const read = (name: string) => readFileSync(new URL(`../older/${name}`, import.meta.url));

/** The version of the stores. */
export const olderVersion = 7;

/** The beginning of the open slot; its reports say that plugin 8 has 4 servers, and that one of plugin 7 has version 2.0. */
export const openSlot = 1_782_864_000_000;

/** The export that 0.3.0 makes of them. */
export const olderText: string = gunzipSync(read('version-7.ndjson.gz')).toString();

/** The store on a server, as SQL. */
export const olderSql: string = read('version-7.sql').toString();

/** Writes the store in a file, and its reports. */
export function writeOlder(path: string): void {
  writeFileSync(path, gunzipSync(read('version-7.db.gz')));
  writeFileSync(`${path}-reports`, gunzipSync(read('version-7-reports.db.gz')));
}
