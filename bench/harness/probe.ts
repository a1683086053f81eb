/**
 * Steady requests beside heavy work, and their response times. A client that waits for each response would send the fewest
 * requests when the server is slowest, so this one keeps its pace. It runs as a process of its own: this file as a program.
 */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
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
async function probe({ baseUrl, paths, requestsPerSecond }: ProbeRequest): Promise<void> {
  // `serve` allows 256 connections from one address.
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const latenciesMs: number[] = [];
  let isRecording = false;
  let errorCount = 0;
  const ask = async (path: string) => {
    const askedAt = performance.now();
    try {
      const [response]: IncomingMessage[] = await once(get(baseUrl + path, { agent }), 'response');
      if (response?.statusCode !== 200) errorCount++;
      if (response !== undefined) await once(response.resume(), 'end');
    } catch {
      errorCount++;
    }
    if (isRecording) latenciesMs.push(performance.now() - askedAt);
  };
  const startedAt = performance.now();
  const asked: Promise<void>[] = [];
  const timer = setInterval(() => {
    const dueCount = ((performance.now() - startedAt) / 1000) * requestsPerSecond;
    while (asked.length < dueCount) asked.push(ask(paths[asked.length % paths.length] ?? '/'));
  }, 1);
  await sleep(warmupMs);
  isRecording = true;
  process.stdout.write(recording);
  await once(process, 'SIGTERM');
  clearInterval(timer);
  await Promise.all(asked);
  agent.destroy();
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
  process.stdout.write(JSON.stringify(result));
}

if (import.meta.main) await probe(JSON.parse(process.argv[2] ?? '') as ProbeRequest);
