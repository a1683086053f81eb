/**
 * A tiny server of the interface that keeps every rule, until a test asks it to break one. It shares no code with the
 * project's server: it shows that the checker passes good responses and fails bad ones.
 */

import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { plugins, type ReferenceChart, softwareText } from './reference-data.ts';

/** A response just before it is sent. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The request: `url` is the target without a prefix; undefined for a request that the parser refused. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Ways to make the server wrong. */
export interface Faults {
  /** Changes the JSON text of a 200 response, before it gets ETag and coding. */
  readonly render?: (text: string, request: WireRequest) => string;
  /** Changes the whole response. */
  readonly wire?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  /** False closes the connection on a request that the parser refuses, without a response. */
  readonly refuses?: boolean;
  /** A path in front of all paths. */
  readonly prefix?: string;
}

/** A running reference server. */
export interface ReferenceServer extends AsyncDisposable {
  readonly baseUrl: string;
}

const COMMON = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};
const ALLOW = 'GET, HEAD, OPTIONS';
const SMALL_BYTES = 1024;
const MAX_HEAD_BYTES = 16 * 1024;
const CODERS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes),
};

/** Starts the server on a free port. */
export async function startReferenceServer(faults: Faults = {}): Promise<ReferenceServer> {
  const onRequest = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const wireRequest = readRequest(request, faults.prefix ?? '');
    const answer = answerRequest(wireRequest, faults);
    response.writeHead(answer.status, answer.headers);
    response.end(wireRequest.method === 'HEAD' ? undefined : answer.body);
  };
  const server = http.createServer({ requireHostHeader: false, maxHeaderSize: MAX_HEAD_BYTES }, onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) => {
    refuse(socket, answerParserError(error.code, error.rawPacket), faults);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${faults.prefix ?? ''}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequest(request: http.IncomingMessage, prefix: string): WireRequest {
  const target = (request.url ?? '').replace(/^http:\/\/[^/]*/, '');
  const url = target.startsWith(prefix) ? target.slice(prefix.length) : '/outside';
  return { method: request.method ?? '', url, headers: request.headers };
}

function answerRequest(request: WireRequest, faults: Faults): WireAnswer {
  const answer = answerRight(request, faults);
  return faults.wire?.(answer, request) ?? answer;
}

function answerRight(request: WireRequest, faults: Faults): WireAnswer {
  const outcome = route(request.url);
  if (outcome === undefined) return problem(404, 'not found');
  if (request.method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(), body: Buffer.alloc(0) };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return problem(405, 'not offered', { Allow: ALLOW });
  if (typeof outcome === 'number') return problem(outcome, 'wrong');
  return answerJson(faults.render?.(outcome.text, request) ?? outcome.text, request.headers);
}

/** The JSON text, the status of an error, or undefined if there is no endpoint. */
function route(url: string): { readonly text: string } | number | undefined {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  let segments: string[];
  try {
    segments = path.replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return 400;
  }
  const [root, api, version, noun, pluginText, charts, chartId, data, ...more] = segments;
  if (root !== '' || api !== 'api' || version !== 'v1' || more.length > 0) return undefined;
  if (noun === 'software') return pluginText === undefined ? { text: softwareText } : undefined;
  if (noun !== 'plugins' || (charts !== undefined && charts !== 'charts')) return undefined;
  if (data !== undefined && data !== 'data') return undefined;
  if (pluginText === undefined) return { text: listText() };
  if (!/^[0-9]+$/.test(pluginText) || !Number.isSafeInteger(Number(pluginText))) return 400;
  const plugin = plugins.find((other) => other.id === Number(pluginText));
  if (plugin === undefined) return 404;
  const registry = `{${plugin.charts.map((chart) => `${JSON.stringify(chart.id)}:${chart.text}`).join(',')}}`;
  if (charts === undefined) return { text: `{${headText(plugin)},"charts":${registry}}` };
  if (chartId === undefined) return { text: registry };
  const chart = plugin.charts.find((other) => other.id === chartId);
  if (chart === undefined) return 404;
  return data === undefined ? { text: chart.text } : readData(chart, query);
}

function readData({ data }: ReferenceChart, query: string): { readonly text: string } | number {
  if (typeof data === 'string') return { text: data };
  const values = new URLSearchParams(query).getAll('maxElements');
  const value = values[0]?.trim() ?? '';
  if (values.length > 1 || !/^[0-9]*$/.test(value)) return 400;
  const count = value === '' ? 1440 : Number(value);
  return { text: `[${count === 0 ? '' : data.slice(-count).join(',')}]` };
}

function listText(): string {
  const entries = plugins.map(
    (plugin) =>
      `{${headText(plugin)},"software":{"id":1,"name":"Bukkit / Spigot","url":"bukkit"},"isGlobal":false}`,
  );
  return `[${entries.join(',')}]`;
}

function headText({ id, name }: { readonly id: number; readonly name: string }): string {
  return `"id":${id},"name":${JSON.stringify(name)},"owner":{"id":42,"name":"O"}`;
}

function answerJson(text: string, request: http.IncomingHttpHeaders): WireAnswer {
  const identity = Buffer.from(text);
  const coding =
    identity.length < SMALL_BYTES ? undefined : chooseCoding(String(request['accept-encoding'] ?? ''));
  const body = coding === undefined ? identity : CODERS[coding](identity);
  const etag = `"${createHash('sha1').update(identity).digest('base64url')}${coding ?? ''}"`;
  const caching = {
    ...COMMON,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
  };
  if (matches(request['if-none-match'], etag))
    return { status: 304, headers: caching, body: Buffer.alloc(0) };
  const headers = {
    ...caching,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    ...(coding && { 'Content-Encoding': coding }),
  };
  return { status: 200, headers, body };
}

function chooseCoding(accept: string): keyof typeof CODERS | undefined {
  const weights = new Map(
    accept.split(',').map((element) => {
      const [, name = '', weight] = /^\s*([^;\s]*)\s*(?:;\s*q=(.*))?$/i.exec(element) ?? [];
      return [name.toLowerCase(), Number(weight ?? 1)];
    }),
  );
  const weigh = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  const ranked = (['br', 'gzip'] as const).toSorted((a, b) => weigh(b) - weigh(a));
  return ranked.find((name) => weigh(name) > 0 && weigh(name) >= identity);
}

function matches(condition: string | undefined, etag: string): boolean {
  const tags = condition?.trim() === '*' ? [etag] : (condition?.match(/"[^"]*"/g) ?? []);
  return tags.includes(etag);
}

function preflightHeaders(): Readonly<Record<string, string>> {
  return {
    ...COMMON,
    Allow: ALLOW,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  };
}

function problem(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): WireAnswer {
  const body = Buffer.from(
    `{"type":"/problems/${status}","title":"Wrong","status":${status},"detail":"${detail}"}`,
  );
  return {
    status,
    headers: {
      ...COMMON,
      ...headers,
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': String(body.length),
      'Cache-Control': status === 404 ? 'public, max-age=10' : 'no-store',
    },
    body,
  };
}

function answerParserError(code: string | undefined, packet: Buffer | undefined): WireAnswer {
  if (code !== 'HPE_HEADER_OVERFLOW') return problem(400, 'no HTTP', { Connection: 'close' });
  const isLongLine = (packet?.indexOf('\r\n') ?? -1) > MAX_HEAD_BYTES;
  return problem(isLongLine ? 414 : 431, 'too long', { Connection: 'close' });
}

function refuse(socket: Duplex, right: WireAnswer, faults: Faults): void {
  if (faults.refuses === false) socket.destroy();
  if (!socket.writable) return;
  const { status, headers, body } = faults.wire?.(right, { method: '', url: '', headers: {} }) ?? right;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} No\r\n${lines.join('')}\r\n`), body]));
}
