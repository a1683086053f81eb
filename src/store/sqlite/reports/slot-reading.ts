/** Reads the rows of a slot: each has the reports of one commit. */
import type { DatabaseSync } from 'node:sqlite';
import { bytes, integer } from '../../rows.ts';

/** Yields the rows of a slot as they came, one at a time: a row may have tens of megabytes. */
export function* readRows(db: DatabaseSync, start: number): Generator<Uint8Array> {
  const next = db.prepare(`select id, bytes from batch_${start} where id > ? order by id limit 1`);
  for (let row = next.get(0); row !== undefined; row = next.get(integer(row['id'])))
    yield bytes(row['bytes']);
}
