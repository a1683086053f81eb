/**
 * A process of its own: asks at a steady pace until SIGTERM, then prints what it saw as JSON. A client that waits for
 * one answer before it asks again would ask least when the server is slowest; this one keeps its pace.
 */
import { Agent, get } from 'node:http';
import { type ProbeRequest, type ProbeResult, recordingLine } from './probe.ts';

/** What is asked in the first moments shows how this process warms up, and is not counted. */
const warmupMs = 1000;

const { baseUrl, paths, requestsPerSecond } = JSON.parse(process.argv[2] ?? '') as ProbeRequest;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const latenciesMs: number[] = [];
let errorCount = 0;
let sentCount = 0;
const startedAt = performance.now();
let pendingCount = 0;
let isRecording = false;
let isStopping = false;

setTimeout(() => {
  isRecording = true;
  process.stdout.write(`${recordingLine}\n`);
}, warmupMs);

const timer = setInterval(() => {
  const dueCount = ((performance.now() - startedAt) / 1000) * requestsPerSecond;
  for (; sentCount < dueCount; sentCount++) askOnce(paths[sentCount % paths.length] ?? '/');
}, 1);

process.once('SIGTERM', () => {
  clearInterval(timer);
  isStopping = true;
  printOnceAnswered();
});

function askOnce(path: string): void {
  const askedAt = performance.now();
  pendingCount++;
  const request = get(baseUrl + path, { agent }, (response) => {
    response.on('data', () => {});
    response.once('close', () => {
      if (isRecording) latenciesMs.push(performance.now() - askedAt);
      if (response.statusCode !== 200 || !response.complete) errorCount++;
      pendingCount--;
      printOnceAnswered();
    });
  });
  request.once('error', () => {
    errorCount++;
    pendingCount--;
    printOnceAnswered();
  });
}

/** Whoever is still waiting at the end has waited longest, and counts. */
function printOnceAnswered(): void {
  if (!isStopping || pendingCount > 0) return;
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const result: ProbeResult = {
    answerCount: sorted.length,
    errorCount,
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
  };
  process.stdout.write(JSON.stringify(result), () => process.exit(0));
}
