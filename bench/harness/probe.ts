/** Steady requests beside something heavy, and how long their answers take. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../question.ts';
import { startChild } from './child.ts';

/** What to ask. */
export interface ProbeRequest {
  readonly baseUrl: string;
  /** Asked for one after the other. */
  readonly paths: readonly string[];
  readonly requestsPerSecond: number;
}

/** How long the answers took. */
export interface ProbeResult {
  readonly answerCount: number;
  /** Answers that were not 200, and connections that broke. */
  readonly errorCount: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** What the probe prints when it begins to count. */
export const recordingLine = 'recording';

const client = fileURLToPath(new URL('probe-client.ts', import.meta.url));

/** Probes while `work` runs. Rejects where the work does, or where an answer was an error. */
export async function probeDuring(
  bench: Bench,
  request: ProbeRequest,
  work: () => Promise<unknown>,
): Promise<ProbeResult> {
  await using probe = await startChild(bench, {
    command: process.execPath,
    args: [client, JSON.stringify(request)],
    cores: bench.cores.load,
  });
  while (!probe.output().includes(recordingLine)) await sleep(10, undefined, { signal: bench.signal });
  await work();
  await probe[Symbol.asyncDispose]();
  const text = probe.output().split('\n')[1] ?? '';
  if (text === '') throw new Error(`the probe failed: ${probe.errors().trim()}`);
  const result = JSON.parse(text) as ProbeResult;
  if (result.errorCount > 0)
    throw new Error(`${result.errorCount} of ${result.answerCount} answers were errors`);
  return result;
}

/** The result in words. */
export function probeText({ answerCount, medianMs, p99Ms, maxMs }: ProbeResult): string {
  const ms = (figure: number) => `${figure.toFixed(1)} ms`;
  return `median ${ms(medianMs)}, p99 ${ms(p99Ms)}, longest ${ms(maxMs)} of ${answerCount.toLocaleString('en-US')} answers`;
}
