/** Reports of workers for the metrics, which the supervisor requests by message. */
import cluster, { type Worker } from 'node:cluster';
import { addReports, endedReport, type ProcessReport } from '../admin/process-report.ts';

/** A message in either direction; a request has no report. */
interface ReportMessage {
  readonly kind: 'report';
  readonly report?: ProcessReport;
}

/** Time limit for the report of a worker; after it, the previous report counts. */
const timeoutMs = 500;

/** Answers requests of the supervisor. Disposing of it sends a last report. */
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

/** The workers that are up, and the reports of all workers. */
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

  /** Number of workers that can serve. */
  get upCount(): number {
    return this.#upWorkers.size;
  }

  /** Collects the reports of all workers, including those that have ended. */
  async collect(): Promise<readonly ProcessReport[]> {
    await Promise.all(this.#upWorkers.values().map((worker) => this.#ask(worker)));
    return [...this.#latest.values(), ...this.#ended];
  }

  /** Requests a report of a worker; concurrent calls share one message. */
  async #ask(worker: Worker): Promise<void> {
    const pending = this.#waiting.get(worker.id);
    if (pending !== undefined) return pending.promise;
    const waiting = Promise.withResolvers<void>();
    this.#waiting.set(worker.id, waiting);
    const timer = setTimeout(waiting.resolve, timeoutMs);
    // A worker that has just ended counts like a late one.
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
