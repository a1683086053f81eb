/** Codes the reports of one commit as the bytes of one row: adding a row costs the same for one report and for a thousand. */
import { AppError } from '../../model/app-error.ts';
import { hashSizes } from '../../model/report-store.ts';
import { type Cursor, readVarint } from '../../series/varint.ts';
import type { ByteWriter } from '../byte-writer.ts';

/** A report of one server for one plugin. */
export interface BatchEntry {
  readonly pluginId: number;
  readonly server: Uint8Array;
  /** Undefined for a global plugin: its servers are not counted by address. */
  readonly address: Uint8Array | undefined;
  /** As `encodeReport` makes them. */
  readonly values: Uint8Array;
}

/** Writes an entry behind those before it. */
export function writeEntry(writer: ByteWriter, { pluginId, server, address, values }: BatchEntry): void {
  writer.varint(pluginId);
  writer.varint(2 * values.length + (address === undefined ? 1 : 0));
  writer.bytes(server);
  if (address !== undefined) writer.bytes(address);
  writer.bytes(values);
}

/**
 * Reads the entries of a row; their bytes are parts of the row.
 * @throws AppError `unavailable` for bytes that were not written so.
 */
export function* readEntries(row: Uint8Array): Generator<BatchEntry> {
  const cursor: Cursor = { bytes: row, at: 0 };
  const take = (length: number) => {
    const from = cursor.at;
    cursor.at += length;
    if (!(cursor.at <= row.length)) throw new AppError('unavailable', 'the reports are damaged');
    return row.subarray(from, cursor.at);
  };
  while (cursor.at < row.length) {
    const pluginId = readVarint(cursor);
    const size = readVarint(cursor);
    const server = take(hashSizes.serverBytes);
    const address = size % 2 === 1 ? undefined : take(hashSizes.addressBytes);
    yield { pluginId, server, address, values: take(Math.floor(size / 2)) };
  }
}
