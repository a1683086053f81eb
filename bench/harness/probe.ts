/**
 * Steady requests beside heavy work, and their response times. A client that waits for each response would send the fewest
 * requests when the server is slowest, so this one keeps its pace. It runs as a process of its own: this file as a program.
 */
import { Agent, get } from 'node:http';
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

/** The first requests warm up this process and do not count. */
const warmupMs = 1000;
const recording = 'recording\n';

/** Probes while `work` runs; its result is `done`. Rejects if the work does, or if a response was an error. */
export async function probeDuring<Done>(
  bench: Bench,
  request: ProbeRequest,
  work: () => Promise<Done>,
): Promise<ProbeResult & { readonly done: Done }> {
  await using probe = startChild(bench, {
    command: process.execPath,
    args: [fileURLToPath(import.meta.url), JSON.stringify(request)],
    cores: bench.cores.load,
  });
  while (!probe.output().startsWith(recording)) await sleep(10);
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
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const startedAt = performance.now();
  const latenciesMs: number[] = [];
  let [errorCount, sentCount, pendingCount] = [0, 0, 0];
  let [isRecording, isStopping] = [false, false];
  const settle = (isGood: boolean, askedAt: number) => {
    if (isRecording) latenciesMs.push(performance.now() - askedAt);
    if (!isGood) errorCount++;
    pendingCount--;
    if (isStopping && pendingCount === 0) print();
  };
  const askOnce = (path: string) => {
    const askedAt = performance.now();
    pendingCount++;
    const request = get(baseUrl + path, { agent }, (response) => {
      response
        .resume()
        .once('close', () => settle(response.statusCode === 200 && response.complete, askedAt));
    });
    request.once('error', () => settle(false, askedAt));
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
    for (; sentCount < dueCount; sentCount++) askOnce(paths[sentCount % paths.length] ?? '/');
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

if (import.meta.main) probe(JSON.parse(process.argv[2] ?? '') as ProbeRequest);
