/** Rows behind a key, page by page: no cursor, so that any engine that speaks the protocol can do it. */
import type { Row } from '../store/rows.ts';
import type { Statement } from './connection/postgres-connection.ts';

/** Less than any integer key. */
export const smallestKey = -Number.MAX_SAFE_INTEGER;

/** A connection, or anything else that runs statements. */
export interface RowSource {
  readonly query: (statement: string | Statement, values: readonly unknown[]) => Promise<readonly Row[]>;
}

/**
 * All rows of a statement that gives the rows behind a key, in its order, and takes the key as its parameters.
 * @param start the columns of the key with values that are less than every key.
 * @param values the parameters behind the key.
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
