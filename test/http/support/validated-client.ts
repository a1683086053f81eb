/** A client that accepts only responses described by the OpenAPI document. */
import http from 'node:http';
import { checkAnswer } from './openapi-check.ts';

/** A request. */
export interface Request {
  readonly method?: string;
  /** The request target as it goes over the wire. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** A response as it arrived. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body before any decoding. */
  readonly bytes: Buffer;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request and validates the response. */
export async function send(baseUrl: string, request: Request): Promise<Answer> {
  const answer = await exchange(baseUrl, request);
  checkAnswer({ method: 'GET', ...request }, answer);
  return answer;
}

/** Sends a request. It follows nothing, decodes nothing and adds only `Host`. */
export async function exchange(baseUrl: string, request: Request): Promise<Answer> {
  const { method = 'GET', target, headers = {}, body } = request;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { hostname, port } = new URL(baseUrl);
  http
    .request({ agent, hostname, port, method, path: target, headers }, resolve)
    .on('error', reject)
    .end(body);
  return readAnswer(await promise);
}

/** GETs a target. */
export function get(
  baseUrl: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(baseUrl, { target, headers });
}

/** GETs a target that must answer 200, and returns the text of the body. */
export async function getText(baseUrl: string, target: string): Promise<string> {
  const answer = await get(baseUrl, target);
  if (answer.status !== 200) throw new Error(`${target} answers ${answer.status}: ${answer.bytes}`);
  return answer.bytes.toString('utf8');
}

/** Headers by lower-case name; throws if one is repeated. */
export function headerMap(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (headers.has(name)) throw new Error(`the header ${name} came twice`);
    headers.set(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

async function readAnswer(incoming: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return {
    status: incoming.statusCode ?? 0,
    headers: headerMap(incoming.rawHeaders),
    bytes: Buffer.concat(chunks),
  };
}
