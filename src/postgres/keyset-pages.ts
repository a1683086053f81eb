/** Reads rows page by page, each page after the last key. No cursor is needed, so any engine with the protocol can do it. */
import type { Row } from '../store/rows.ts';
import type { Statement } from './connection/postgres-connection.ts';

/** An integer below every key. */
export const smallestKey = -Number.MAX_SAFE_INTEGER;

/** A connection, or a pool of them. */
export interface RowSource {
  readonly query: (statement: string | Statement, values: readonly unknown[]) => Promise<readonly Row[]>;
}

/**
 * Yields all rows of a statement that takes a key as its first parameters and selects the rows after it, in order.
 * @param start the columns of the key, with values below every key.
 * @param values the parameters after the key.
 */
export async function* keysetPages(
  connection: RowSource,
  statement: string | Statement,
  start: Readonly<Record<string, unknown>>,
  values: readonly unknown[] = [],
): AsyncGenerator<readonly Row[]> {
  for (let after = Object.values(start); ; ) {
    const page = await connection.query(statement, [...after, ...values]);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = Object.keys(start).map((column) => last[column]);
  }
}
