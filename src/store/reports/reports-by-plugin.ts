/**
 * Reads the reports of a slot by plugin. Rows have them as they came, so the slot is read several times: each time for as many plugins as have
 * {@link maxPartBytes}.
 */
import { ByteWriter } from '../byte-writer.ts';
import { type BatchEntry, readEntries } from './batch-codec.ts';

/** The most bytes of reports that are sorted at a time. */
const maxPartBytes = 16 * 1024 * 1024;

/** Coded bytes at which a batch ends: decoded, a share of three bytes takes some 250. */
const batchBytes = 64 * 1024;

/** Bytes of a report beside its values. */
const entryBytes = 32;

/** The part of a report that is counted. */
export type CodedReport = Pick<BatchEntry, 'pluginId' | 'values'>;

/** Reads the rows of a slot as they came. */
export type ReadRows = () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Plugins that are read together, in the order of their ids. */
interface Part {
  readonly first: number;
  readonly last: number;
}

/** Options of {@link reportsByPlugin}. */
interface ReadOptions {
  /** The only plugin to read; undefined for all. */
  readonly pluginId?: number | undefined;
  /** Replaces {@link maxPartBytes} in tests. */
  readonly limitBytes?: number;
}

/** Yields the reports of a slot in batches by plugin id. */
export async function* reportsByPlugin(
  readRows: ReadRows,
  { pluginId, limitBytes = maxPartBytes }: ReadOptions = {},
): AsyncGenerator<readonly CodedReport[]> {
  const parts =
    pluginId === undefined
      ? partsOf(await sizesOf(readRows()), limitBytes)
      : [{ first: pluginId, last: pluginId }];
  for (const part of parts) {
    // One plugin is read as it comes, however much it has.
    if (part.first === part.last) for await (const row of readRows()) yield* batchesOf(entriesOf(row, part));
    else yield* batchesOf(await sortedEntries(readRows(), part));
  }
}

/** Adds up the bytes of the reports of each plugin. */
async function sizesOf(rows: ReturnType<ReadRows>): Promise<ReadonlyMap<number, number>> {
  const sizes = new Map<number, number>();
  for await (const row of rows)
    for (const entry of readEntries(row))
      sizes.set(entry.pluginId, (sizes.get(entry.pluginId) ?? 0) + sizeOf(entry));
  return sizes;
}

/** The bytes of a report, and of the places that it takes in lists. */
function sizeOf({ values }: CodedReport): number {
  return values.length + entryBytes;
}

function partsOf(sizes: ReadonlyMap<number, number>, limitBytes: number): readonly Part[] {
  const parts: { readonly first: number; last: number; sizeBytes: number }[] = [];
  for (const [pluginId, sizeBytes] of [...sizes].sort(([one], [other]) => one - other)) {
    const part = parts.at(-1);
    if (part !== undefined && part.sizeBytes + sizeBytes <= limitBytes) {
      part.last = pluginId;
      part.sizeBytes += sizeBytes;
    } else parts.push({ first: pluginId, last: pluginId, sizeBytes });
  }
  return parts;
}

/** Yields the entries of some plugins in a row. */
function* entriesOf(row: Uint8Array, { first, last }: Part): Generator<CodedReport> {
  for (const entry of readEntries(row)) if (entry.pluginId >= first && entry.pluginId <= last) yield entry;
}

/** Sorts the entries of some plugins by plugin. */
async function sortedEntries(rows: ReturnType<ReadRows>, part: Part): Promise<Iterable<CodedReport>> {
  const writer = new ByteWriter();
  const places = new Map<number, number[]>();
  for await (const row of rows)
    for (const { pluginId, values } of entriesOf(row, part)) {
      const ofPlugin = places.get(pluginId) ?? [];
      places.set(pluginId, ofPlugin);
      ofPlugin.push(writer.length, writer.length + values.length);
      // The rows are not kept: a subarray would keep the whole of its row.
      writer.bytes(values);
    }
  return entriesAt(writer.take(), places);
}

function* entriesAt(
  bytes: Uint8Array,
  places: ReadonlyMap<number, readonly number[]>,
): Generator<CodedReport> {
  for (const [pluginId, ofPlugin] of [...places].sort(([one], [other]) => one - other))
    for (let at = 0; at < ofPlugin.length; at += 2)
      yield { pluginId, values: bytes.subarray(ofPlugin[at], ofPlugin[at + 1]) };
}

function* batchesOf(entries: Iterable<CodedReport>): Generator<readonly CodedReport[]> {
  let batch: CodedReport[] = [];
  let sizeBytes = 0;
  for (const entry of entries) {
    batch.push(entry);
    sizeBytes += sizeOf(entry);
    if (sizeBytes < batchBytes) continue;
    yield batch;
    batch = [];
    sizeBytes = 0;
  }
  if (batch.length > 0) yield batch;
}
