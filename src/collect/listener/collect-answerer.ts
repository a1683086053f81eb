/** Answers the requests of reporters. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { clientNetwork, Shares } from '../../http/clients.ts';
import type { ErrorLog } from '../../http/logs.ts';
import { overloaded, statuses, type ToldKind, titleOf, toldKind } from '../../http/problem.ts';
import type { ReceivedRequest } from '../../http/request.ts';
import { HttpResponse } from '../../http/response.ts';
import { splitTarget } from '../../http/router.ts';
import { refusedEvent } from '../../http/server.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { type Collector, ReportedAlready, type ReportHolding } from '../collector.ts';
import { reportsAccepted, reportsRefused } from '../metrics.ts';
import { malformedReport } from '../report.ts';

/**
 * The part of the free memory that an address may hold: even many addresses with large reports then leave
 * room for small ones.
 */
const partOfAddress = 2 / 5;

/** The bytes of reports, by address. */
class ReportBudget {
  readonly #shares: Shares;

  constructor(maxBytes: number) {
    this.#shares = new Shares(maxBytes, partOfAddress);
  }

  /**
   * Begins a report, with no bytes yet; disposing of it frees its bytes.
   * @param network the address or the network that is charged for it.
   */
  hold(network: string): ReportHolding & Disposable {
    let ownBytes = 0;
    const change = (byteCount: number) => {
      ownBytes += byteCount;
      this.#shares.add(network, byteCount);
    };
    return {
      growTo: (sizeBytes) => {
        const moreBytes = Math.max(0, sizeBytes - ownBytes);
        if (!this.#shares.hasRoomFor(network, moreBytes))
          throw overloaded('too many reports are being taken');
        change(moreBytes);
      },
      [Symbol.dispose]: () => change(-ownBytes),
    };
  }
}

/** Options of {@link createCollectAnswerer}. */
interface CollectAnswererOptions {
  readonly collector: Pick<Collector, 'take'>;
  readonly errorLog: ErrorLog;
}

/** The most bytes of all bodies being received, because many clients may send slowly. */
const maxSentBytes = 32 * 1024 * 1024;

/** The most bytes of all reports as text. A hostile report takes thirty times as much when it is parsed. */
const maxTakenBytes = 3 * 1024 * 1024;

/** Makes the answerer. */
export function createCollectAnswerer({
  collector,
  errorLog,
}: CollectAnswererOptions): (request: ReceivedRequest) => Promise<HttpResponse> {
  const sent = new ReportBudget(maxSentBytes);
  const taken = new ReportBudget(maxTakenBytes);

  async function take(
    { method, rateRefusal, address, message, response }: ReceivedRequest,
    path: string,
  ): Promise<void> {
    if (rateRefusal !== undefined)
      throw new ReportedAlready(rateRefusal.detail, rateRefusal.retryAfterSeconds, 'too-many-requests');
    const softwareUrl = softwareIn(path);
    if (method !== 'POST')
      throw new AppError('method-not-offered', `${method} is not offered here, only POST`);
    const network = clientNetwork(address);
    const bytes = await receiveBody(message, response, sent, network);
    const text = reportText(bytes, message.headers['content-encoding']);
    using held = taken.hold(network);
    held.growTo(text.length);
    await collector.take(text, { softwareUrl, address, network, held });
  }

  return async (request) => {
    const { path } = splitTarget(request.target);
    try {
      await take(request, path);
      reportsAccepted.inc();
      return accepted;
    } catch (error) {
      const reason = toldKind(error);
      reportsRefused.inc({ reason });
      if (statuses[reason] >= 500 && request.isWaitingFor('small')) errorLog.log(path, error);
      return refusal(reason, error);
    }
  };
}

/**
 * Finds the software of a report by its path.
 * @throws AppError `not_found` for a path that takes no reports.
 */
function softwareIn(path: string): string {
  if (path === '/submitData') return 'bukkit';
  const [, softwareUrl] = /^\/(?:api\/v2\/data|submitData)\/([A-Za-z0-9._-]{1,100})$/.exec(path) ?? [];
  if (softwareUrl !== undefined) return softwareUrl;
  const message = 'reports are taken at /api/v2/data/SOFTWARE and /submitData/SOFTWARE';
  throw new AppError('unknown-path', message);
}

const accepted = response(202, 'application/json', '{"status":"accepted"}');

/** Seconds after which a client may try again, unless a better time is known. */
const retrySeconds = 5;

function refusal(kind: ToldKind, error: unknown): HttpResponse {
  const status = statuses[kind];
  const isOurs = status >= 500 || !(error instanceof AppError);
  const detail = isOurs
    ? 'The report could not be kept. It may be sent again in the next slot.'
    : error.message;
  const seconds = error instanceof ReportedAlready ? error.retryAfterSeconds : retrySeconds;
  const headers = {
    405: ['Allow', 'POST'],
    415: ['Accept-Encoding', 'gzip'],
    429: ['Retry-After', `${seconds}`],
    503: ['Retry-After', `${seconds}`],
  };
  const document = JSON.stringify({ type: `/problems/${kind}`, title: titleOf(kind), status, detail });
  return response(status, 'application/problem+json', document, headers[status as keyof typeof headers]);
}

function response(
  status: number,
  mediaType: string,
  body: string,
  headers: readonly string[] = [],
): HttpResponse {
  const common = ['X-Content-Type-Options', 'nosniff', 'Content-Type', `${mediaType}; charset=utf-8`];
  return new HttpResponse({
    status,
    headers: [...common, 'Cache-Control', 'no-store', ...headers],
    body: Buffer.from(body),
  });
}

/** The most bytes of a body before decoding. */
const maxBodyBytes = 256 * 1024;

/**
 * Reads the body of a request, once.
 * @param network the address or the network that is charged for it.
 * @throws AppError `invalid` with the kind `body-too-large`, `malformed-request` if it ends too early, and
 * errors of the budget and of invalid HTTP.
 */
async function receiveBody(
  message: IncomingMessage,
  response: ServerResponse,
  budget: ReportBudget,
  network: string,
): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': coding, expect } = message.headers;
  // Node gives no stream to a request without a body.
  if (length === undefined && coding === undefined) return Buffer.alloc(0);
  const checkSize = (sizeBytes: number) => {
    if (sizeBytes > maxBodyBytes)
      throw new AppError('body-too-large', `the body of a request may have at most ${maxBodyBytes} bytes`);
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
function reportText(body: Uint8Array, contentEncoding = 'identity'): string {
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
