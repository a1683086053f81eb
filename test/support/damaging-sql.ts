/**
 * Changes the tables of an embedded store directly, without checks of foreign keys, and with two functions of
 * PostgreSQL.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../src/model/store.ts';

export async function runDamaging(store: Store, sql: string): Promise<void> {
  using db = new DatabaseSync(store.file?.path ?? '', { enableForeignKeyConstraints: false });
  db.function('get_byte', (bytes, index) => (bytes as Uint8Array)[Number(index)] ?? null);
  db.function('set_byte', (bytes, index, byte) =>
    Uint8Array.from(bytes as Uint8Array).fill(Number(byte), Number(index), Number(index) + 1),
  );
  db.exec(sql);
}
