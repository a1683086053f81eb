/** Reads the chunks of a chart in a window, page by page. */
import type { TimeWindow } from '../../model/metrics-reader.ts';
import { release } from '../../model/own-pages.ts';
import type { Chunk } from '../../series/chunk.ts';
import { chunkOfChart } from '../../store/rows.ts';
import { guarded } from '../sqlite-database.ts';
import type { ReaderStatements } from './sqlite-statements.ts';

/** Size from which no more rows are put into a page. */
const pageBytes = 256 * 1024;

/** Options of {@link windowPages}. */
interface WindowOptions {
  /** Returns the statements, which may be others in another turn of the event loop. */
  readonly statements: () => ReaderStatements;
  readonly path: string;
  readonly uid: number;
}

/** Yields the rows that may reach into a window, in ascending pages of bounded size, each valid until the next one. No statement stays open between them. */
export function* windowPages(options: WindowOptions, { from, to }: TimeWindow): Generator<readonly Chunk[]> {
  const { statements, path, uid } = options;
  const start = guarded(path, () => statements().chunkStart.get(uid, from)?.['start']);
  for (let next = typeof start === 'number' ? start : from, isMore = true; isMore; ) {
    const page = guarded(path, () => readPage(options, next, to));
    if (page.chunks.length > 0) yield page.chunks;
    // Freed at once, because the bytes of thousands of rows would wait for a collection of their small objects.
    for (const { bytes } of page.chunks) release(bytes);
    isMore = page.isFull;
    next = (page.chunks.at(-1)?.firstTimestamp ?? next) + 1;
  }
}

/** Some rows; `isFull` if there may be more. */
interface ChunkPage {
  readonly chunks: readonly Chunk[];
  readonly isFull: boolean;
}

function readPage({ statements, uid }: WindowOptions, from: number, to: number): ChunkPage {
  const chunks: Chunk[] = [];
  let sizeBytes = 0;
  const rows: Iterable<unknown> = statements().chunksFrom.iterate(uid, from, to);
  for (const [firstTimestamp, bytes] of rows as Iterable<[unknown, unknown]>) {
    const chunk = chunkOfChart(uid, firstTimestamp, bytes);
    chunks.push(chunk);
    sizeBytes += chunk.bytes.length;
    // Leaving the loop ends the statement.
    if (sizeBytes >= pageBytes) break;
  }
  return { chunks, isFull: sizeBytes >= pageBytes };
}
