/** Turns the body of a request into the text of a report. */
import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { AppError, quote } from '../../model/app-error.ts';

/** The most bytes of a report. */
const maxReportBytes = 1024 * 1024;

/**
 * Decodes a body.
 * @param contentEncoding the header of that name.
 * @throws AppError `invalid` with the kind `unknown-coding`, `body-too-large` or `malformed-report`.
 */
export function reportText(body: Uint8Array, contentEncoding = 'identity'): string {
  const bytes = decoded(body, contentEncoding.trim().toLowerCase());
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  throw malformed('it is not valid UTF-8');
}

/** Bytes at the end of gzip that say how many come out (RFC 1952 2.3.1). */
const gzipSizeBytes = 4;

/** Reads how large a body says that it is when it is inflated, at most the largest report. It may lie. */
export function claimedBytes(body: Uint8Array, contentEncoding = 'identity'): number {
  if (!gzipNames.includes(contentEncoding.trim().toLowerCase()) || body.length < gzipSizeBytes)
    return body.length;
  const end = new DataView(body.buffer, body.byteOffset + body.length - gzipSizeBytes, gzipSizeBytes);
  return Math.min(end.getUint32(0, true), maxReportBytes);
}

const gzipNames = ['gzip', 'x-gzip'];

function decoded(body: Uint8Array, coding: string): Uint8Array {
  if (coding === 'identity' || coding === '') return body;
  if (!gzipNames.includes(coding))
    throw new AppError('invalid', `the coding ${quote(coding)} is not known; send gzip, or none`, {
      kind: 'unknown-coding',
    });
  try {
    // At most a megabyte comes out, in a millisecond or two: another thread would take longer to ask.
    return gunzipSync(body, { maxOutputLength: maxReportBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new AppError('invalid', `a report may have ${maxReportBytes} bytes when it is inflated`, {
        kind: 'body-too-large',
      });
    throw malformed('it is not valid gzip');
  }
}

function malformed(fault: string): AppError {
  return new AppError('invalid', `the report is malformed: ${fault}`, { kind: 'malformed-report' });
}
