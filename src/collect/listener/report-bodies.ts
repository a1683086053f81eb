/** The bodies of reports: each read up to a limit, all together in bounded memory, and decoded. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { Counts } from '../../http/clients.ts';
import { overloaded } from '../../http/problem.ts';
import { refusedEvent } from '../../http/server.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { malformedReport } from '../report.ts';

/** The most bytes of a body as it is sent. */
const maxSentBytes = 256 * 1024;

/** The most bytes of the bodies that are being read, on all connections together: clients that send slowly may be many. */
const maxMemoryBytes = 32 * 1024 * 1024;

/** The part of them that one client may hold. */
const partOfClient = 1 / 4;

/** A body that is being read. */
interface Body {
  readonly client: string;
  sizeBytes: number;
  readonly fail: (error: AppError) => void;
}

/** Reads bodies. */
export class ReportBodies {
  readonly #maxBytes: { readonly memory: number; readonly body: number };
  /** Those that have got bytes. */
  readonly #bodies = new Set<Body>();
  readonly #clientBytes = new Counts<string>();
  #allBytes = 0;

  constructor(maxBytes = { memory: maxMemoryBytes, body: maxSentBytes }) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads the body of a request, once.
   * @param client the address or the network that it is counted by.
   * @throws AppError `invalid` with the kind `body-too-large`, `malformed-request` if it ends too early, `overloaded` if its client holds back
   * too much, or that of a body that is no HTTP.
   */
  async read(message: IncomingMessage, response: ServerResponse, client: string): Promise<Buffer> {
    const { 'content-length': length, 'transfer-encoding': coding, expect } = message.headers;
    // Node gives no stream to a request without a body.
    if (length === undefined && coding === undefined) return Buffer.alloc(0);
    if (Number(length) > this.#maxBytes.body) throw this.#tooLarge();
    if (expect !== undefined) response.writeContinue();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    const release = () => {
      message.removeAllListeners('data');
      // The connection may stay open, and the request with it.
      chunks.length = 0;
      if (this.#bodies.delete(body)) this.#change(body, -body.sizeBytes);
    };
    const body: Body = {
      client,
      sizeBytes: 0,
      fail: (error) => {
        reject(error);
        release();
      },
    };
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      this.#add(body, chunk.length);
      if (body.sizeBytes > this.#maxBytes.body) body.fail(this.#tooLarge());
    });
    message.on('end', () => {
      resolve(Buffer.concat(chunks));
      release();
    });
    message.on(refusedEvent, body.fail);
    message.on('close', () => body.fail(failure('malformed-request', 'the request ended too early')));
    return promise;
  }

  /**
   * Adds bytes that a body has got. If its client holds too many, the largest body of that client is given up; if all clients do, that of the one
   * that holds the most. So clients that hold back large bodies do not stop others.
   */
  #add(body: Body, byteCount: number): void {
    const { client } = body;
    this.#bodies.add(body);
    this.#change(body, byteCount);
    while (this.#clientBytes.of(client) > this.#maxBytes.memory * partOfClient) this.#giveUpLargest(client);
    while (this.#allBytes > this.#maxBytes.memory) {
      const largest = largestOf(this.#bodies, (one) => this.#clientBytes.of(one.client));
      this.#giveUpLargest(largest?.client);
    }
  }

  #change(body: Body, byteCount: number): void {
    body.sizeBytes += byteCount;
    this.#allBytes += byteCount;
    this.#clientBytes.add(body.client, byteCount);
  }

  #giveUpLargest(ofClient: string | undefined): void {
    const largest = largestOf(this.#bodies, ({ client, sizeBytes }) => (client === ofClient ? sizeBytes : 0));
    largest?.fail(overloaded('too many requests are being received'));
  }

  #tooLarge(): AppError {
    return failure('body-too-large', `the body of a request may have ${this.#maxBytes.body} bytes`);
  }
}

function largestOf(bodies: Iterable<Body>, sizeOf: (body: Body) => number): Body | undefined {
  let largest: Body | undefined;
  for (const body of bodies) if (largest === undefined || sizeOf(body) > sizeOf(largest)) largest = body;
  return largest;
}

function failure(kind: string, message: string): AppError {
  return new AppError('invalid', message, { kind });
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
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  throw malformedReport('it is not valid UTF-8');
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
    throw failure('unknown-coding', `the coding ${quote(coding)} is not known; send gzip, or none`);
  try {
    // At most a megabyte comes out, in a millisecond or two: another thread would take longer to ask.
    return gunzipSync(body, { maxOutputLength: maxReportBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw failure('body-too-large', `a report may have ${maxReportBytes} bytes when it is inflated`);
    throw malformedReport('it is not valid gzip');
  }
}
