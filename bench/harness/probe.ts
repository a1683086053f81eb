/**
 * Steady requests beside heavy work, and their response times. A client that waits for each response would send the fewest
 * requests when the server is slowest, so this one keeps its pace. It runs as a process of its own: this file as a program.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../question.ts';
import { startChild } from './child.ts';

/** The requests of a probe. */
export interface ProbeRequest {
  readonly baseUrl: string;
  /** Sent one after the other. */
  readonly paths: readonly string[];
  readonly requestsPerSecond: number;
}

/** The response times of a probe. */
export interface ProbeResult {
  readonly answerCount: number;
  /** Responses that were not 200, and connections that broke. */
  readonly errorCount: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/**
 * The process of the probe has no threads that collect and compile, and rarely collects: they would share its core, and what waits for
 * them would look like a slow server.
 */
const ownThread = ['--single-threaded', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** A request and the time at which it was due. */
interface AskedRequest {
  readonly request: Buffer;
  readonly askedAt: number;
}

/** A connection with at most one pending request. */
interface Connection {
  readonly socket: Socket;
  asked: AskedRequest | undefined;
  /** The bytes of the response so far. */
  response: Buffer;
}

/** Limit on connections; `serve` allows 256 from one address. More requests wait for one of them. */
const maxConnections = 200;

/** The first requests warm up this process and do not count. */
const warmupMs = 1000;
const recording = 'recording\n';
const ok = Buffer.from('HTTP/1.1 200 ');
const headEnd = '\r\n\r\n';

/** Probes while `work` runs; its result is `done`. Rejects if the work does, or if a response was an error. */
export async function probeDuring<Done>(
  bench: Bench,
  request: ProbeRequest,
  work: () => Promise<Done>,
): Promise<ProbeResult & { readonly done: Done }> {
  await using probe = startChild(bench, {
    command: process.execPath,
    args: [...ownThread, fileURLToPath(import.meta.url), JSON.stringify(request)],
    cores: bench.cores.load,
  });
  while (probe.exitCode() === undefined && !probe.output().startsWith(recording)) await sleep(10);
  const done = await work();
  await probe[Symbol.asyncDispose]();
  const text = probe.output().slice(recording.length);
  if (text === '') throw new Error(`the probe failed: ${probe.errors().trim()}`);
  const result = JSON.parse(text) as ProbeResult;
  if (result.errorCount === 0) return { ...result, done };
  throw new Error(`${result.errorCount} of ${result.answerCount} answers were errors`);
}

/** Describes the result. */
export function probeText({ answerCount, medianMs, p99Ms, longestMs }: ProbeResult): string {
  const ms = (figure: number) => `${figure.toFixed(1)} ms`;
  const count = answerCount.toLocaleString('en-US');
  return `median ${ms(medianMs)}, p99 ${ms(p99Ms)}, longest ${ms(longestMs)} of ${count} answers`;
}

/** Sends requests until SIGTERM, and prints the result when all have responses: the last ones waited longest. */
function probe({ baseUrl, paths, requestsPerSecond }: ProbeRequest): void {
  const { hostname, port, host } = new URL(baseUrl);
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  const idle = new Set<Connection>();
  const startedAt = performance.now();
  const latenciesMs: number[] = [];
  let [errorCount, sentCount, pendingCount] = [0, 0, 0];
  let [isRecording, isStopping] = [false, false];
  let openCount = 0;
  const waiting: AskedRequest[] = [];
  const settle = ({ askedAt }: AskedRequest, isGood: boolean) => {
    if (isRecording) latenciesMs.push(performance.now() - askedAt);
    if (!isGood) errorCount++;
    pendingCount--;
    if (isStopping && pendingCount === 0) print();
  };
  const open = (): Connection => {
    openCount++;
    const socket = connect(Number(port), hostname).setNoDelay();
    const connection: Connection = { socket, asked: undefined, response: Buffer.of() };
    socket.on('data', (part: Buffer) => {
      const response = Buffer.concat([connection.response, part]);
      connection.response = response;
      const missingBytes = missingBytesOf(response);
      if (missingBytes > 0) return;
      if (missingBytes < 0 || connection.asked === undefined || !response.subarray(0, ok.length).equals(ok)) {
        socket.destroy();
        return;
      }
      settle(connection.asked, true);
      connection.asked = undefined;
      connection.response = Buffer.of();
      idle.add(connection);
      sendNext();
    });
    // 'close' follows. The server may close connections that are not used.
    socket.on('error', () => {});
    socket.once('close', () => {
      openCount--;
      idle.delete(connection);
      if (connection.asked !== undefined) settle(connection.asked, false);
      sendNext();
    });
    return connection;
  };
  const sendNext = () => {
    const [next] = waiting;
    if (next === undefined) return;
    const connection = idle.values().next().value ?? (openCount < maxConnections ? open() : undefined);
    if (connection === undefined) return;
    waiting.shift();
    idle.delete(connection);
    connection.asked = next;
    connection.socket.write(next.request);
  };
  const askOnce = (request: Buffer) => {
    pendingCount++;
    waiting.push({ request, askedAt: performance.now() });
    sendNext();
  };
  const print = () => {
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const quantile = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const result: ProbeResult = {
      answerCount: sorted.length,
      errorCount,
      medianMs: quantile(0.5),
      p99Ms: quantile(0.99),
      longestMs: quantile(1),
    };
    process.stdout.write(JSON.stringify(result), () => process.exit(0));
  };
  const timer = setInterval(() => {
    const dueCount = ((performance.now() - startedAt) / 1000) * requestsPerSecond;
    for (; sentCount < dueCount; sentCount++) askOnce(requests[sentCount % requests.length] ?? Buffer.of());
  }, 1);
  setTimeout(() => {
    isRecording = true;
    process.stdout.write(recording);
  }, warmupMs);
  process.once('SIGTERM', () => {
    clearInterval(timer);
    isStopping = true;
    if (pendingCount === 0) print();
  });
}

/** Counts the bytes that are missing in a response: negative for too many, and without an end of its headers a few. */
function missingBytesOf(response: Buffer): number {
  const bodyAt = response.indexOf(headEnd) + headEnd.length;
  if (bodyAt < headEnd.length) return headEnd.length;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(response.toString('latin1', 0, bodyAt)) ?? [];
  return length === undefined ? -1 : bodyAt + Number(length) - response.length;
}

if (import.meta.main) probe(JSON.parse(process.argv[2] ?? '') as ProbeRequest);
