/** Keeps the sums of lines in the embedded store. */
import type { DatabaseSync } from 'node:sqlite';
import { bindChecksum } from '../series/checksum.ts';
import type { Chunk } from '../series/chunk.ts';
import { sumRangeMs } from '../series/sum-block.ts';
import {
  allRanges,
  appendedIn,
  type ChangedRanges,
  maxChunksPerRange,
  rangesToSum,
  sumBlockOf,
  sumBlockOfChunks,
} from '../store/line-sums.ts';
import { chunkOf, integer } from '../store/rows.ts';

const sql = {
  remove: 'delete from line_sum where chart_uid = ? and first_timestamp = ?',
  removeAll: 'delete from line_sum where chart_uid = ?',
  put: 'insert into line_sum (chart_uid, first_timestamp, bytes) values (?, ?, ?)',
  chunks: `
    select chart_uid, first_timestamp, bytes from chunk
    where chart_uid = :uid and first_timestamp < :to and first_timestamp >= coalesce(
      (select max(first_timestamp) from chunk where chart_uid = :uid and first_timestamp <= :from), :from)
    order by first_timestamp
    limit ${maxChunksPerRange + 1}`,
  chunkStarts: 'select first_timestamp from chunk where chart_uid = ? order by first_timestamp',
  lastChunk: `
    select chart_uid, first_timestamp, bytes from chunk where chart_uid = ? order by first_timestamp desc limit 1`,
};

/** The sums of lines, on one connection within a write transaction. */
export class SqliteSums {
  readonly #statements;

  constructor(db: DatabaseSync) {
    this.#statements = {
      remove: db.prepare(sql.remove),
      removeAll: db.prepare(sql.removeAll),
      put: db.prepare(sql.put),
      chunks: db.prepare(sql.chunks),
      chunkStarts: db.prepare(sql.chunkStarts),
      lastChunk: db.prepare(sql.lastChunk),
    };
  }

  /** Sums up the ranges that a change has touched. */
  renew(changed: ChangedRanges): void {
    const { uid, starts } = changed;
    const { remove, put } = this.#statements;
    const removed = starts.filter((start) => remove.run(uid, start).changes !== 0);
    for (const start of rangesToSum(changed, removed)) {
      const points = appendedIn(changed, start);
      const block =
        points === undefined
          ? sumBlockOfChunks(start, this.#loadChunks(uid, start))
          : sumBlockOf(start, points);
      if (block !== undefined) put.run(uid, start, bindChecksum(block.bytes, uid, start));
    }
  }

  /** Sums up all complete ranges of a line again. */
  renewAll(uid: number): void {
    const { removeAll, lastChunk, chunkStarts } = this.#statements;
    removeAll.run(uid);
    const last = lastChunk.get(uid);
    if (last === undefined) return;
    const starts = chunkStarts.all(uid).map((row) => integer(row['first_timestamp']));
    this.renew(allRanges(uid, starts, chunkOf(last)));
  }

  #loadChunks(uid: number, start: number): readonly Chunk[] {
    return this.#statements.chunks.all({ uid, from: start, to: start + sumRangeMs }).map(chunkOf);
  }
}
