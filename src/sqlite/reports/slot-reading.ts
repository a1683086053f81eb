/**
 * Reads the reports of a slot by plugin. Rows have them as they came, so the slot is read several times: each time for as many plugins as have
 * {@link maxPartBytes}.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { PluginReport } from '../../model/report-store.ts';
import { ByteWriter } from '../../store/byte-writer.ts';
import { decodeReport } from '../../store/report-codec.ts';
import { bytes, integer } from '../../store/rows.ts';
import { type BatchEntry, readEntries } from './batch-codec.ts';
import { SlotNames } from './slot-names.ts';

/** The most bytes of reports that are sorted at a time. */
const maxPartBytes = 16 * 1024 * 1024;

/** The most reports of a batch. */
const batchReports = 512;

/** The most rows that are read at once. */
const pageRows = 64;

/** Plugins that are read together, in the order of their ids. */
interface Part {
  readonly first: number;
  last: number;
  sizeBytes: number;
}

/** Reads the reports of a slot in batches by plugin id. @param limitBytes replaces {@link maxPartBytes} in tests. */
export function* readReports(
  db: DatabaseSync,
  start: number,
  limitBytes = maxPartBytes,
): Generator<readonly PluginReport[]> {
  const names = new SlotNames(db, start);
  const decode = ({ pluginId, values }: Pick<BatchEntry, 'pluginId' | 'values'>): PluginReport => ({
    pluginId,
    values: decodeReport(values, (number) => names.getName(number)),
  });
  const sizes = new Map<number, number>();
  for (const { pluginId, values } of entriesOf(db, start))
    sizes.set(pluginId, (sizes.get(pluginId) ?? 0) + values.length);
  for (const part of partsOf(sizes, limitBytes)) {
    const entries = entriesOf(db, start, part);
    // One plugin is read as it comes, however much it has.
    const sorted = part.first === part.last ? entries : sortedEntries(entries);
    let batch: PluginReport[] = [];
    for (const entry of sorted) {
      batch.push(decode(entry));
      if (batch.length < batchReports) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}

function partsOf(sizes: ReadonlyMap<number, number>, limitBytes: number): readonly Part[] {
  const parts: Part[] = [];
  for (const [pluginId, sizeBytes] of [...sizes].sort(([one], [other]) => one - other)) {
    const part = parts.at(-1);
    if (part !== undefined && part.sizeBytes + sizeBytes <= limitBytes) {
      part.last = pluginId;
      part.sizeBytes += sizeBytes;
    } else parts.push({ first: pluginId, last: pluginId, sizeBytes });
  }
  return parts;
}

/** Yields the entries of some plugins, by default of all, as they came. */
function* entriesOf(
  db: DatabaseSync,
  start: number,
  { first, last }: Pick<Part, 'first' | 'last'> = { first: 0, last: Number.POSITIVE_INFINITY },
): Generator<BatchEntry> {
  for (const row of readRows(db, start))
    for (const entry of readEntries(row)) if (entry.pluginId >= first && entry.pluginId <= last) yield entry;
}

/** Sorts entries by plugin. */
function* sortedEntries(entries: Iterable<BatchEntry>): Generator<Pick<BatchEntry, 'pluginId' | 'values'>> {
  const writer = new ByteWriter();
  const places = new Map<number, number[]>();
  for (const { pluginId, values } of entries) {
    const ofPlugin = places.get(pluginId) ?? [];
    places.set(pluginId, ofPlugin);
    ofPlugin.push(writer.length, writer.length + values.length);
    // The rows are not kept: a subarray would keep the whole of its row.
    writer.bytes(values);
  }
  const all = writer.take();
  for (const pluginId of [...places.keys()].sort((one, other) => one - other)) {
    const ofPlugin = places.get(pluginId) ?? [];
    for (let at = 0; at < ofPlugin.length; at += 2)
      yield { pluginId, values: all.subarray(ofPlugin[at], ofPlugin[at + 1]) };
  }
}

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
