/**
 * Sends ordinary requests. Built on `node:http` because `fetch` follows redirects, adds headers and refuses a
 * GET with a body; every request has its own connection, so that one answer cannot spoil the next.
 */

import http from 'node:http';
import https from 'node:https';
import { type Answer, MAX_BODY_BYTES, makeAnswer } from './answer.ts';
import type { CaseRequest } from './request.ts';

/** The server under test, and the timeout for an answer. */
export interface Target {
  /** The base URL; its path has no trailing slash. */
  readonly url: URL;
  readonly timeoutMs: number;
}

/** Sends one request and reads the whole answer; rejects if none comes. */
export async function sendRequest(
  target: Target,
  request: Extract<CaseRequest, { kind: 'http' }>,
): Promise<Answer> {
  const { url, timeoutMs } = target;
  const secure = url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const outgoing = (secure ? https : http).request(
    {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      method: request.method,
      path: `${basePath(url)}${request.path}`,
      headers: { ...bodyHeaders(request.body), ...request.headers },
      agent: false,
      setDefaultHeaders: true,
      maxHeaderSize: 256 * 1024,
      signal: AbortSignal.timeout(timeoutMs),
    },
    resolve,
  );
  outgoing.on('error', reject);
  outgoing.end(request.body);
  const incoming = await promise;
  return makeAnswer(incoming.statusCode ?? 0, incoming.rawHeaders, await readBody(incoming));
}

/** The path in front of every path of the interface: empty, or `/prefix`. */
export function basePath(url: URL): string {
  return url.pathname.replace(/\/+$/, '');
}

function bodyHeaders(body: string | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
}

async function readBody(incoming: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_BODY_BYTES) throw new Error(`the body is over ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
