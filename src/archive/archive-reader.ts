/**
 * Reads an archive as a source of records; refuses an archive without a header or an end, or with a wrong
 * record count.
 */
import { AppError, placed } from '../model/app-error.ts';
import { archiveVersions, type MetricsRecord, type RecordSource } from '../model/metrics-record.ts';
import { maxRecordBytes } from '../model/record-json.ts';
import { type ArchiveBytes, openArchiveBytes } from './archive-bytes.ts';
import { type ArchiveRecord, parseRecord } from './parse-record.ts';

/** An archive that is being read. */
interface ArchiveReader extends RecordSource {
  /** Size of the file on disk; undefined for standard input. */
  readonly sizeBytes: number | undefined;
  /** Returns the number of bytes read so far, before decompression. */
  readonly readBytes: () => number;
}

/**
 * Opens an archive; `-` is standard input.
 * @throws AppError `invalid` if the path is missing, unreadable or not a file.
 */
export async function openArchiveReader(file: string): Promise<ArchiveReader> {
  const archive = await openArchiveBytes(file);
  return { sizeBytes: archive.sizeBytes, readBytes: archive.readBytes, records: () => readArchive(archive) };
}

// A batch ends at the first limit it reaches; the byte limit bounds memory.
const batchRecords = 64;
const batchBytes = 1024 * 1024;

/** An archive as plain bytes. */
type PlainArchive = Pick<ArchiveBytes, 'name' | 'blocks'>;

/**
 * Reads the records of an archive.
 * @throws AppError `invalid`, placed at the line, such as `backup.ndjson:12`.
 */
export async function* readArchive(archive: PlainArchive): AsyncGenerator<readonly MetricsRecord[]> {
  const frame: Frame = { archiveName: archive.name, lineCount: 0, isEnded: false, version: 0 };
  for await (const lines of placedLines(archive, frame)) {
    let batch: MetricsRecord[] = [];
    let pendingBytes = 0;
    for (const line of lines) {
      const record = takeLine(line, frame);
      if (record === undefined) continue;
      batch.push(record);
      pendingBytes += line.length;
      if (batch.length < batchRecords && pendingBytes < batchBytes) continue;
      yield batch;
      batch = [];
      pendingBytes = 0;
    }
    if (batch.length > 0) yield batch;
  }
  if (!frame.isEnded) throw incomplete(frame);
}

/** Progress through the header, the records and the end record. */
interface Frame {
  readonly archiveName: string;
  lineCount: number;
  isEnded: boolean;
  /** Version from the header. */
  version: number;
}

/** Yields lines; an error names the line that could not be read. */
async function* placedLines(archive: PlainArchive, frame: Frame): AsyncGenerator<Uint8Array[]> {
  try {
    yield* readLines(archive.blocks());
  } catch (error) {
    throw placed(error, `${frame.archiveName}:${frame.lineCount + 1}`);
  }
}

/** Parses the next line; returns undefined for the header. */
function takeLine(line: Uint8Array, frame: Frame): MetricsRecord | undefined {
  frame.lineCount++;
  const place = `${frame.archiveName}:${frame.lineCount}`;
  try {
    if (frame.isEnded) throw new AppError('invalid', 'there is a line after the end record');
    if (frame.lineCount > 1) refuseCut(line);
    const record = parseRecord(frame.lineCount === 1 ? withoutMark(line) : line, place);
    if ((record.kind === 'archive') !== (frame.lineCount === 1))
      throw new AppError('invalid', headerRule(frame.lineCount));
    if (record.kind === 'archive') {
      frame.version = record.version;
      return undefined;
    }
    if (frame.version < archiveVersions.withPast) refusePast(record);
    if (frame.version < archiveVersions.withWindows) refuseWindow(record);
    if (record.kind === 'end') {
      refuseWrongCount(record.records, frame.lineCount - 2);
      frame.isEnded = true;
    }
    return record;
  } catch (error) {
    throw placed(error, place);
  }
}

/** Removes the byte order mark that some editors put before the first line. */
function withoutMark(line: Uint8Array): Uint8Array {
  return byteOrderMark.equals(line.subarray(0, byteOrderMark.length))
    ? line.subarray(byteOrderMark.length)
    : line;
}

const byteOrderMark = Buffer.from('\uFEFF');

/** Refuses a line that begins like a record but lacks its closing brace. */
function refuseCut(line: Uint8Array): void {
  const [start, end] = [0, -1].map((at) => String.fromCharCode(line.at(at) ?? 0));
  if (start === '{' && end !== '}' && end !== '\r' && end !== ' ')
    throw new AppError(
      'invalid',
      'the archive is cut off, or damaged, in this line: it has no closing brace',
    );
}

/** Kinds of records that version 1 does not know. */
const kindsOfThePast: ReadonlySet<ArchiveRecord['kind']> = new Set([
  'oldName',
  'history',
  'event',
  'removal',
]);

/** Refuses records and fields that version 1 does not know. */
function refusePast(record: ArchiveRecord): void {
  const isDated = record.kind === 'data' && record.at !== undefined;
  if (!isDated && !kindsOfThePast.has(record.kind)) return;
  throw needsVersion(isDated ? 'the field "at"' : `a record "${record.kind}"`, archiveVersions.withPast);
}

/** Refuses a field that only version 3 knows. */
function refuseWindow(record: ArchiveRecord): void {
  if (record.kind === 'removal' && record.removal.after !== undefined)
    throw needsVersion('the field "after"', archiveVersions.withWindows);
}

function needsVersion(what: string, version: number): AppError {
  return new AppError('invalid', `${what} needs the header {"record":"archive","version":${version}}`);
}

function headerRule(lineNumber: number): string {
  return lineNumber === 1
    ? 'the first line must be the header {"record":"archive","version":1}'
    : 'only the first line may be an archive record';
}

function refuseWrongCount(counted: number, found: number): void {
  if (counted === found) return;
  throw new AppError('invalid', `the end record says ${counted} records, but there are ${found}`);
}

function incomplete(frame: Frame): AppError {
  const message =
    frame.lineCount === 0
      ? `the archive is empty; ${headerRule(1)}`
      : 'the archive is incomplete: it stops here, without an end record';
  return new AppError('invalid', message, { place: `${frame.archiveName}:${Math.max(1, frame.lineCount)}` });
}

const newline = 0x0a;

/**
 * Yields lines; the last may lack its newline.
 * @throws AppError `invalid` at a line longer than {@link maxRecordBytes}; the lines before it are yielded
 * first.
 */
export async function* readLines(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const block of blocks) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      const tail = block.subarray(start, end);
      if (pendingBytes + tail.length > maxRecordBytes) {
        yield lines;
        throw lineTooLong();
      }
      lines.push(pendingBytes === 0 ? tail : Buffer.concat([...pending, tail]));
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (lines.length > 0) yield lines;
    if (start < block.length) {
      pending.push(block.subarray(start));
      pendingBytes += block.length - start;
    }
    if (pendingBytes > maxRecordBytes) throw lineTooLong();
  }
  if (pendingBytes > 0) yield [Buffer.concat(pending)];
}

function lineTooLong(): AppError {
  return new AppError(
    'invalid',
    `the line is longer than ${maxRecordBytes} bytes, the most that a record may have`,
  );
}
