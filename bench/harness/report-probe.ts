/**
 * Reports at a steady rate, and how long each takes until it is answered. A report that is due while all connections wait counts from then on:
 * a slow answer must not make the load smaller. It runs as a process of its own: this file as a program.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../question.ts';
import { runChild } from './child.ts';
import type { Server } from './server.ts';

/** A load of reports. */
export interface SteadyReports {
  /** A file of different messages. */
  readonly messages: string;
  readonly reportsPerSecond: number;
  readonly seconds: number;
  readonly connectionCount: number;
}

/** The times from when a report was due to its answer. */
export interface ReportTimes {
  readonly reportCount: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** Sends reports at a steady rate. Rejects if one was refused. */
export async function sendSteadily(
  bench: Bench,
  { url }: Pick<Server, 'url'>,
  reports: SteadyReports,
): Promise<ReportTimes> {
  const { output } = await runChild(bench, {
    command: process.execPath,
    args: [fileURLToPath(import.meta.url), JSON.stringify({ url, ...reports })],
    cores: bench.cores.load,
  });
  return JSON.parse(output) as ReportTimes;
}

/** The first reports warm up both processes and do not count. */
const warmUpMs = 1000;

const accepted = Buffer.from('HTTP/1.1 202 ');

/** Sends the reports of a file, each on the first connection that is free, and prints the times. */
function probe({ url, messages, ...load }: SteadyReports & { readonly url: string }): void {
  const { reportsPerSecond, seconds, connectionCount } = load;
  const { hostname, port } = new URL(url);
  const bytes = readFileSync(messages);
  let at = 0;
  const nextMessage = () => {
    const lineEnd = bytes.indexOf(0x0a, at);
    const from = lineEnd + 1;
    at = from + Number(bytes.toString('latin1', at, lineEnd));
    return bytes.subarray(from, at);
  };
  const totalCount = reportsPerSecond * seconds;
  const latenciesMs: number[] = [];
  const due: number[] = [];
  const idle: Socket[] = [];
  let [dueCount, answeredCount, startedAt] = [0, 0, 0];
  const sendDue = () => {
    while (due.length > 0) {
      const socket = idle.pop();
      if (socket === undefined) return;
      const dueAt = due.shift() ?? 0;
      socket.once('data', (answer: Buffer) => {
        if (!answer.subarray(0, accepted.length).equals(accepted)) throw new Error(String(answer));
        if (dueAt - startedAt > warmUpMs) latenciesMs.push(performance.now() - dueAt);
        idle.push(socket);
        if (++answeredCount === totalCount) print();
        else sendDue();
      });
      socket.write(nextMessage());
    }
  };
  const print = () => {
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const quantile = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    const times: ReportTimes = {
      reportCount: sorted.length,
      medianMs: quantile(0.5),
      p99Ms: quantile(0.99),
      longestMs: quantile(1),
    };
    process.stdout.write(JSON.stringify(times), () => process.exit(0));
  };
  const begin = () => {
    startedAt = performance.now();
    setInterval(() => {
      for (; dueCount < totalCount; dueCount++) {
        const dueAt = startedAt + (1000 * dueCount) / reportsPerSecond;
        if (dueAt > performance.now()) break;
        due.push(dueAt);
      }
      sendDue();
    }, 1);
  };
  let connectedCount = 0;
  for (let count = 0; count < connectionCount; count++) {
    const socket = connect(Number(port), hostname, () => {
      idle.push(socket);
      if (++connectedCount === connectionCount) begin();
    }).setNoDelay();
  }
}

if (import.meta.main) probe(JSON.parse(process.argv[2] ?? ''));
