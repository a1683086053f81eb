/** Reads and decodes the bodies of reports, within limits. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { refusedEvent } from '../../http/server.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { malformedReport } from '../report.ts';
import type { ReportBudget } from './report-budget.ts';

/** The most bytes of a body before decoding. */
const maxSentBytes = 256 * 1024;

/**
 * Reads the body of a request, once.
 * @param network the address or the network that is charged for it.
 * @throws AppError `invalid` with the kind `body-too-large`, `malformed-request` if it ends too early, and errors of the budget and of
 * invalid HTTP.
 */
export async function receiveBody(
  message: IncomingMessage,
  response: ServerResponse,
  budget: ReportBudget,
  network: string,
): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': coding, expect } = message.headers;
  // Node gives no stream to a request without a body.
  if (length === undefined && coding === undefined) return Buffer.alloc(0);
  const checkSize = (sizeBytes: number) => {
    if (sizeBytes > maxSentBytes)
      throw new AppError('body-too-large', `the body of a request may have at most ${maxSentBytes} bytes`);
  };
  checkSize(Number(length));
  if (expect !== undefined) response.writeContinue();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  using held = budget.hold(network);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  message.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    try {
      checkSize(sizeBytes);
      held.growTo(sizeBytes);
    } catch (error) {
      reject(error);
    }
  });
  message.on('end', resolve);
  message.on(refusedEvent, reject);
  message.on('close', () => {
    if (!message.complete) reject(new AppError('malformed-request', 'the request ended too early'));
  });
  try {
    await promise;
    return Buffer.concat(chunks);
  } finally {
    // The connection and the request may stay open.
    message.removeAllListeners('data');
    chunks.length = 0;
  }
}

/** The most bytes of a report. */
const maxReportBytes = 1024 * 1024;

/**
 * Decodes a body.
 * @param contentEncoding the header of that name.
 * @throws AppError `invalid` with the kind `unknown-coding`, `body-too-large` or `malformed-report`.
 */
export function reportText(body: Uint8Array, contentEncoding = 'identity'): string {
  const bytes = decoded(body, contentEncoding.trim().toLowerCase());
  if (!isUtf8(bytes)) throw malformedReport('it is not valid UTF-8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function decoded(body: Uint8Array, coding: string): Uint8Array {
  if (coding === 'identity' || coding === '') return body;
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new AppError('unknown-coding', `the coding ${quote(coding)} is not known; send gzip, or none`);
  try {
    // The result is at most a megabyte, in a millisecond or two: calling another thread would take longer.
    return gunzipSync(body, { maxOutputLength: maxReportBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new AppError(
        'body-too-large',
        `a report may have at most ${maxReportBytes} bytes when it is decompressed`,
      );
    throw malformedReport('it is not valid gzip');
  }
}
