/** The chunks of one line as a store keeps them: rows by first timestamp, changed only by the result of a merge. */
import assert from 'node:assert/strict';
import { noPoints, type Points } from '../../src/model/points.ts';
import {
  type Chunk,
  decodeChunk,
  decodeLatest,
  maxConstantPointsPerChunk,
  maxPointsPerChunk,
  pointCountOf,
} from '../../src/series/chunk.ts';
import { type ChunkChange, mergeIntoChunks } from '../../src/series/merge-chunks.ts';
import { verifyChunk } from '../../src/series/verify-chunk.ts';

/** A table with the rows of one line. */
export class ChunkTable {
  readonly #rows = new Map<number, Uint8Array>();

  /** All rows in ascending order. */
  chunks(): Chunk[] {
    return [...this.#rows]
      .map(([firstTimestamp, bytes]) => ({ firstTimestamp, bytes }))
      .sort((a, b) => a.firstTimestamp - b.firstTimestamp);
  }

  /** Merges points into the rows that `mergeIntoChunks` asks for, and returns the changes. */
  merge(points: Points): ChunkChange {
    const change = mergeIntoChunks(this.#touchedBy(points), points);
    const written = change.written.map((chunk) => chunk.firstTimestamp);
    assert.equal(new Set(written).size, written.length, 'a row is written twice');
    for (const firstTimestamp of change.removed) {
      assert.ok(!written.includes(firstTimestamp), `${firstTimestamp} is removed and written`);
      assert.ok(this.#rows.delete(firstTimestamp), `${firstTimestamp} is removed but not there`);
    }
    for (const { firstTimestamp, bytes } of change.written) this.#rows.set(firstTimestamp, bytes);
    return change;
  }

  /** The latest points, from the rows that a store would read for them. */
  latest(latestCount: number): Points {
    const read: Chunk[] = [];
    let pointCount = 0;
    for (const chunk of this.chunks().reverse()) {
      if (pointCount >= latestCount) break;
      read.unshift(chunk);
      pointCount += pointCountOf(chunk);
    }
    return decodeLatest(read, latestCount);
  }

  /** Rejects rows that are too large, out of order, overlapping or empty. */
  assertSound(): void {
    const chunks = this.chunks();
    for (const [index, chunk] of chunks.entries()) {
      assert.equal(verifyChunk(chunk, chunks[index + 1]?.firstTimestamp), undefined);
      const { timestamps, values } = decodeChunk(chunk);
      const isConstant = values.every((value) => value === values[0]);
      const allowed = isConstant ? maxConstantPointsPerChunk : maxPointsPerChunk;
      assert.equal(timestamps[0], chunk.firstTimestamp);
      assert.ok(timestamps.length <= allowed, `${timestamps.length} points in a chunk`);
    }
  }

  /** All bytes of all rows. */
  sizeBytes(): number {
    return this.chunks().reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  }

  #touchedBy(points: Points): Chunk[] {
    const chunks = this.chunks();
    const first = points.timestamps[0] ?? 0;
    const last = points.timestamps.at(-1) ?? 0;
    const from = chunks.findLast((chunk) => chunk.firstTimestamp <= first) ?? chunks[0];
    if (from === undefined) return [];
    const until = Math.max(last, from.firstTimestamp);
    return chunks.filter(
      ({ firstTimestamp }) => firstTimestamp >= from.firstTimestamp && firstTimestamp <= until,
    );
  }
}

/** All points of a table. */
export function allPoints(table: ChunkTable): Points {
  return table.chunks().length === 0 ? noPoints : table.latest(Number.POSITIVE_INFINITY);
}
