/** Progress of a copy: a status line on a terminal, and a summary at the end. */
import type { CopyCounts } from '../model/copy-records.ts';
import { clearStatus, drawStatus, isWatched } from './output.ts';
import { countsText, grouped, megabytes } from './words.ts';

/** A copy in progress. */
interface ProgressOptions {
  /** The verb for messages, such as `imported`. */
  readonly verb: string;
  readonly counts: Readonly<CopyCounts>;
  /** Bytes of the input read so far; left out if the input is a store. */
  readonly readBytes?: () => number;
  readonly sizeBytes?: number | undefined;
}

/** Progress on the terminal; disposing of it clears the status line. */
interface Progress extends Disposable {
  /** Summary of the copy: counts, time and speed. */
  readonly summary: () => string;
}

/** Time after which the status line appears. */
const quietMs = 1000;
const redrawMs = 250;

/** Starts to show progress on standard error, if that is a terminal. */
export function startProgress(options: ProgressOptions): Progress {
  const startedAt = performance.now();
  const status = startStatus(() => progressLine(options, performance.now() - startedAt));
  return {
    summary: () => summaryLine(options, performance.now() - startedAt),
    [Symbol.dispose]: () => status[Symbol.dispose](),
  };
}

/** A status line; disposing of it clears it. */
interface Status extends Disposable {
  /** Draws the line at once, before work during which no timer runs, such as a long statement of SQLite. */
  readonly draw: () => void;
}

/** Keeps a status line up to date on standard error, if that is a terminal. */
export function startStatus(line: () => string): Status {
  if (!isWatched()) return { draw: () => {}, [Symbol.dispose]: () => {} };
  const startedAt = performance.now();
  const draw = () => drawStatus(line());
  const timer = setInterval(() => {
    if (performance.now() - startedAt >= quietMs) draw();
  }, redrawMs);
  return {
    draw,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clearStatus();
    },
  };
}

function progressLine(options: ProgressOptions, elapsedMs: number): string {
  const { counts, readBytes, sizeBytes } = options;
  const parts = [
    `${options.verb} ${countsText(counts)}`,
    `${grouped(rate(counts.point, elapsedMs))} points/s`,
  ];
  if (readBytes !== undefined) {
    const total = sizeBytes === undefined ? '' : ` of ${megabytes(sizeBytes)}`;
    parts.push(`${megabytes(readBytes())}${total} MB, ${megabytes(rate(readBytes(), elapsedMs))} MB/s`);
  }
  return parts.join('; ');
}

function summaryLine(options: ProgressOptions, elapsedMs: number): string {
  const { counts } = options;
  const seconds = (elapsedMs / 1000).toFixed(2);
  return `${options.verb} ${countsText(counts)} in ${seconds} s (${grouped(rate(counts.point, elapsedMs))} points/s)`;
}

function rate(count: number, elapsedMs: number): number {
  return Math.round((count * 1000) / Math.max(1, elapsedMs));
}
