/** Output of the commands: results, messages, progress on a terminal, and the words for counts and sizes. */
import type { CopyCounts } from '../model/copy-records.ts';

/** Prints results to standard output, one per line. */
export function printResult(...lines: readonly string[]): void {
  clearStatus();
  process.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

/** Prints a message to standard error, each line on its own. */
export function printMessage(...lines: readonly string[]): void {
  clearStatus();
  process.stderr.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

function clearStatus(): void {
  if (process.stderr.isTTY) process.stderr.write(startOfLine);
}

/** Moves to the start of the line on a terminal, and erases it. */
const startOfLine = '\r\u001b[K';

/**
 * Calls back if standard output cannot be written, so that a closed pipe or a full disk ends a command with a message and not with a
 * crash. A failure of standard error is ignored, since there is nowhere to report it.
 */
export function watchOutput(onError: (reason: string) => void): void {
  process.stdout.on('error', (error) => onError(error.message));
  process.stderr.on('error', () => {});
}

/**
 * Ends the process after a short wait. Called when nothing is left to do: a process whose output to a pipe is not being read would
 * otherwise never end.
 */
export function endDespiteOutput(): void {
  setTimeout(() => process.exit(), maxOutputMs).unref();
  // The end of an idle process begins with taking its signal handlers away, so that a second signal would kill it.
  process.once('beforeExit', () => process.exit());
}

/** Longest wait for the last lines to be read. */
const maxOutputMs = 1000;

/**
 * Escapes the characters of a text that would end its line, steer a terminal or change the order in which it is read: control and
 * format characters (bidi controls among them), line separators and lone surrogates.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const short = JSON.stringify(character).slice(1, -1);
    return short.length === 2 && short.startsWith('\\') ? short : character.split('').map(escaped).join('');
  });
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

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
  if (!process.stderr.isTTY) return { draw: () => {}, [Symbol.dispose]: () => {} };
  const startedAt = performance.now();
  const draw = () => process.stderr.write(`${startOfLine}${oneLine(line())}`);
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

/** Starts the status line of a file that is copied and then checked. */
export function startCopyStatus(file: string): Status & { readonly onProgress: (part: number) => void } {
  let part = 0;
  const status = startStatus(() => (part < 1 ? `copied ${Math.round(part * 100)} %` : `checking ${file}`));
  return {
    ...status,
    onProgress(copied) {
      part = copied;
      if (part === 1) status.draw();
    },
  };
}

function progressLine(options: ProgressOptions, elapsedMs: number): string {
  const { counts, readBytes, sizeBytes } = options;
  const parts = [
    `${options.verb} ${countsText({ ...counts })}`,
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
  return `${options.verb} ${countsText({ ...counts })} in ${seconds} s (${grouped(rate(counts.point, elapsedMs))} points/s)`;
}

function rate(count: number, elapsedMs: number): number {
  return Math.round((count * 1000) / Math.max(1, elapsedMs));
}

/** Counts by their nouns. */
export type CountsByNoun = Readonly<Record<string, number>>;

/** Nouns that are left out where there are none; the number of data records is of no interest. */
const isShown = (noun: string, count: number) =>
  noun !== 'data' && (count > 0 || (noun !== 'snapshot' && noun !== 'event'));

/** Renders counts, such as `1 software, 2 plugins, 3 charts, 1,000 points`. */
export function countsText(counts: CountsByNoun): string {
  return Object.entries(counts)
    .filter(([noun, count]) => isShown(noun, count))
    .map(([noun, count]) => counted(count, noun))
    .join(', ');
}

/** Renders a count with its noun: `1 plugin`, `2,000 plugins`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 || noun === 'software' ? '' : 's'}`;
}

/** Renders a number with separators, such as `2,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** Renders a size, such as `41 kB` and `12.3 MB`. */
export function sizeText(byteCount: number): string {
  return byteCount < 1e6 ? `${Math.round(byteCount / 1000)} kB` : `${megabytes(byteCount)} MB`;
}

/** Renders a size in MB with one decimal, such as `12.3`. */
function megabytes(byteCount: number): string {
  return (byteCount / 1e6).toFixed(1);
}
