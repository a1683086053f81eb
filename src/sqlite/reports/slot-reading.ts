/** Reads the rows of a slot: each has the reports of one commit. */
import type { DatabaseSync } from 'node:sqlite';
import { bytes, integer } from '../../store/rows.ts';

/** The most rows that are read at once. */
const pageRows = 64;

/** Yields the rows of a slot as they came. */
export function* readRows(db: DatabaseSync, start: number): Generator<Uint8Array> {
  const page = db.prepare(`select id, bytes from batch_${start} where id > ? order by id limit ${pageRows}`);
  for (let after = 0; ; ) {
    const rows = page.all(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const row of rows) yield bytes(row['bytes']);
    after = integer(last['id']);
  }
}
