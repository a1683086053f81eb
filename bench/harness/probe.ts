/**
 * Sends requests at a steady rate during heavy work, and measures their response times. A client that waits
 * for each response would send the fewest requests when the server is slowest; this one keeps its rate. It
 * runs in its own process, with this file as the program.
 */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../question.ts';
import { startChild } from './child.ts';

/** Requests of a probe. */
export interface ProbeRequest {
  readonly baseUrl: string;
  /** Paths, requested one after the other. */
  readonly paths: readonly string[];
  readonly requestsPerSecond: number;
}

/** Response times of a probe. */
export interface ProbeResult {
  readonly answerCount: number;
  /** Number of responses other than 200, and of broken connections. */
  readonly errorCount: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/**
 * Node options for the probe: no helper threads for garbage collection and compilation, and rare collections.
 * Helper threads would share the core with the probe, and the delays would look like a slow server.
 */
const ownThread = ['--single-threaded', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Length of the warm-up of this process, whose requests do not count. */
const warmupMs = 1000;
const recording = 'recording\n';

/**
 * Probes while `work` runs, and returns its result as `done`. Rejects if `work` rejects or a response was an
 * error.
 */
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

/**
 * Sends requests until SIGTERM, and prints the result after the last response has arrived: the last requests
 * waited longest.
 */
async function probe({ baseUrl, paths, requestsPerSecond }: ProbeRequest): Promise<void> {
  // `serve` allows 256 connections per address.
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
