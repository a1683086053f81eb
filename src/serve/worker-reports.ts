/** The reports of workers, which the supervisor asks for by message when they are wanted. */
import cluster, { type Worker } from 'node:cluster';
import { addReports, endedReport, type ProcessReport } from '../admin/process-report.ts';

/** A message in either direction; the one that asks has no report. */
interface ReportMessage {
  readonly kind: 'report';
  readonly report?: ProcessReport;
}

/** How long a worker may take to answer; after that its last report counts. */
const timeoutMs = 500;

/** Answers the supervisor of this worker; disposing of it sends a last report. */
export function answerReportRequests(report: () => ProcessReport): AsyncDisposable {
  const send = () =>
    new Promise<void>((resolve) => {
      const message: ReportMessage = { kind: 'report', report: report() };
      if (process.send === undefined) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  process.on('message', (message) => {
    if (isReportMessage(message)) void send();
  });
  return { [Symbol.asyncDispose]: send };
}

/** Which workers are up, and what all workers have counted so far. */
export class WorkerReports {
  readonly #upWorkers = new Map<number, Worker>();
  readonly #latest = new Map<number, ProcessReport>();
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #ended: readonly ProcessReport[] = [];

  /** Follows the workers of this process from now on. */
  constructor() {
    cluster.on('listening', (worker) => this.#upWorkers.set(worker.id, worker));
    cluster.on('exit', (worker) => this.#keepEnded(worker.id));
    cluster.on('message', (worker, message: unknown) => {
      if (!isReportMessage(message) || message.report === undefined) return;
      this.#latest.set(worker.id, message.report);
      this.#waiting.get(worker.id)?.resolve();
    });
  }

  /** How many workers can serve. */
  get upCount(): number {
    return this.#upWorkers.size;
  }

  /** What all workers have counted, those that have ended included. */
  async collect(): Promise<readonly ProcessReport[]> {
    await Promise.all(this.#upWorkers.values().map((worker) => this.#ask(worker)));
    return [...this.#latest.values(), ...this.#ended];
  }

  /** Calls at the same time share one message. */
  async #ask(worker: Worker): Promise<void> {
    const pending = this.#waiting.get(worker.id);
    if (pending !== undefined) return pending.promise;
    const waiting = Promise.withResolvers<void>();
    this.#waiting.set(worker.id, waiting);
    const timer = setTimeout(waiting.resolve, timeoutMs);
    // A worker that has just ended counts like one that is late.
    worker.send({ kind: 'report' } satisfies ReportMessage, (error) => {
      if (error !== null) waiting.resolve();
    });
    await waiting.promise;
    clearTimeout(timer);
    this.#waiting.delete(worker.id);
  }

  #keepEnded(workerId: number): void {
    this.#upWorkers.delete(workerId);
    this.#waiting.get(workerId)?.resolve();
    const latest = this.#latest.get(workerId);
    this.#latest.delete(workerId);
    if (latest !== undefined) this.#ended = [addReports([...this.#ended, endedReport(latest)])];
  }
}

function isReportMessage(message: unknown): message is ReportMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'report';
}
