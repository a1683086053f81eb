/** Writes records to an archive. */
import { type ArchiveVersion, archiveVersions, type MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';
import { renderRecord } from '../series/record-text.ts';
import { type FileOptions, openSink } from './archive-sink.ts';
import type { Sink } from './compress.ts';

/**
 * Opens an archive for writing. Records must come in the order of a store: a chart before its data.
 * @param file `-` is standard output; a file appears only when it is complete.
 * @throws AppError as `openSink`.
 */
export async function openArchiveWriter(file: string, options: FileOptions = {}): Promise<MetricsWriter> {
  return new ArchiveWriter(await openSink(file, options));
}

const blockBytes = 1024 * 1024;

class ArchiveWriter implements MetricsWriter {
  readonly #sink: Sink;
  #block = Buffer.allocUnsafe(blockBytes);
  #used = 0;
  #isBegun = false;
  #recordCount = 0;
  #typeName = '';

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    for (const record of records) {
      this.#begin(record.kind === 'archive' ? record.version : archiveVersions.withoutPast);
      if (record.kind === 'archive') continue;
      if (record.kind === 'end') this.#append(`{"record":"end","records":${this.#recordCount}}\n`);
      else this.#writeRecord(record);
      if (this.#used >= blockBytes / 2) await this.#flush();
    }
  }

  async commit(): Promise<void> {
    await this.#flush();
    await this.#sink.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sink[Symbol.asyncDispose]();
  }

  /** Writes the header once. */
  #begin(version: ArchiveVersion): void {
    if (this.#isBegun) return;
    this.#append(`{"record":"archive","version":${version}}\n`);
    this.#isBegun = true;
  }

  #writeRecord(record: Exclude<MetricsRecord, { kind: 'end' | 'archive' }>): void {
    this.#recordCount++;
    if (record.kind === 'chart') this.#typeName = record.chart.type;
    for (const part of renderRecord(record, this.#typeName)) this.#append(part);
  }

  #append(part: string | Uint8Array): void {
    // One UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(part.length * 3);
    if (typeof part === 'string') this.#used += this.#block.write(part, this.#used);
    else {
      this.#block.set(part, this.#used);
      this.#used += part.length;
    }
  }

  #reserve(byteCount: number): void {
    if (this.#used + byteCount <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#used + byteCount));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }

  async #flush(): Promise<void> {
    await this.#sink.write(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }
}
