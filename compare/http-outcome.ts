/** Answers of a server as outcomes, for ordinary requests and for raw bytes. */
import http from 'node:http';
import net from 'node:net';
import { type Answer, makeAnswer } from '../conformance/answer.ts';
import { parseAnswers } from '../conformance/raw-answer.ts';
import { normalMetrics, normalNames } from './normal-text.ts';
import { type Outcome, textOf } from './outcome.ts';
import { host, type RawRequest, type Request } from './request.ts';

/** A server that is asked. */
export interface Target {
  readonly port: number;
  /** Keeps connections open for ordinary requests. */
  readonly agent: http.Agent;
}

/** An answer, and the outcome that is compared. */
export interface Answered {
  readonly answer: Answer | undefined;
  readonly outcome: Outcome;
}

const answerTimeoutMs = 60_000;
/** A server that is silent for so long says no more to a raw request. */
const silenceMs = 4000;
const partPauseMs = 30;

/** Sends a request. A broken connection is an outcome too. */
export async function askHttp({ port, agent }: Target, request: Request): Promise<Answered> {
  const { method = 'GET', target, headers = {}, body } = request;
  try {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const outgoing = http.request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path: target,
        headers: {
          Host: host,
          ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        signal: AbortSignal.timeout(answerTimeoutMs),
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body);
    const incoming = await promise;
    const bytes = Buffer.concat(await incoming.toArray());
    const answer = await makeAnswer(incoming.statusCode ?? 0, incoming.rawHeaders, bytes);
    return { answer, outcome: new Map(answerParts(answer, bytes.length)) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { answer: undefined, outcome: new Map([['failure', String(code ?? error)]]) };
  }
}

/** Sends bytes as they are, and reads until the server closes the connection or is silent. */
export async function askRaw({ port }: Target, { parts }: RawRequest): Promise<Outcome> {
  const { bytes, end } = await exchange(port, parts);
  const methods = [...parts.join('').matchAll(/^([A-Za-z]+) [^\r\n]* HTTP\/[0-9.]+\r$/gm)].map(
    ([, method = '']) => method,
  );
  const { answers, rest } = parseAnswers(bytes, methods, true);
  const outcome = new Map<string, string | Buffer>();
  for (const [index, makeOne] of answers.entries()) {
    const answer = await makeOne();
    const before = index === 0 ? '' : `answer ${index + 1}: `;
    for (const [part, text] of answerParts(answer, answer.body.length)) outcome.set(before + part, text);
  }
  if (rest > 0) outcome.set('unparsed bytes', bytes.subarray(bytes.length - rest).toString('latin1'));
  return outcome.set('connection', end);
}

async function exchange(
  port: number,
  parts: readonly string[],
): Promise<{ readonly bytes: Buffer; readonly end: string }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  const later = parts.slice(1);
  socket.setTimeout(silenceMs);
  socket.on('timeout', () => resolve('open'));
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('end', () => resolve('closed'));
  // A reset after the answer is how a server drops unread input.
  socket.on('error', () => resolve('closed'));
  socket.write(Buffer.from(parts[0] ?? '', 'latin1'));
  const timer = setInterval(() => {
    const part = later.shift();
    if (part !== undefined && socket.writable) socket.write(Buffer.from(part, 'latin1'));
  }, partPauseMs);
  const end = await promise;
  clearInterval(timer);
  socket.destroy();
  return { bytes: Buffer.concat(received), end };
}

/** The parts of an answer, without `Date`. */
function answerParts(
  { status, headers, body, codingProblem }: Answer,
  sentBytes: number,
): readonly [string, string | Buffer][] {
  const parts: [string, string | Buffer][] = [['status', String(status)]];
  // The time to wait depends on the clock.
  const isTimed = status === 429;
  for (const [name, value] of [...headers].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (name !== 'date') parts.push([`header ${name}`, normalHeader(value, { name, isTimed, sentBytes })]);
  if (codingProblem !== undefined) parts.push(['coding', codingProblem]);
  parts.push(['body', normalBody(body, { type: headers.get('content-type') ?? '', isTimed })]);
  return parts;
}

/** Compares only the form of an entity tag, and a length only with that of its body. */
function normalHeader(
  value: string,
  {
    name,
    isTimed,
    sentBytes,
  }: { readonly name: string; readonly isTimed: boolean; readonly sentBytes: number },
): string {
  if (isTimed || name === 'ratelimit') return value.replaceAll(/\d+/g, 'N');
  if (name === 'etag') return value.replace(/"[^"]*"/, '"TAG"');
  if (name !== 'content-length') return normalNames(value);
  if (sentBytes > 0) return Number(value) === sentBytes ? 'that of the body' : value;
  return value === '0' ? value : 'that of a body that is not sent';
}

function normalBody(
  body: Buffer,
  { type, isTimed }: { readonly type: string; readonly isTimed: boolean },
): string | Buffer {
  if (/^text\/(?:html|css|javascript)/.test(type)) return normalNames(textOf(body));
  if (/^text\/plain; ?version=|openmetrics/.test(type)) return normalMetrics(textOf(body));
  return isTimed ? textOf(body).replaceAll(/\d+/g, 'N') : body;
}
