/** Output of the commands: results, messages, progress on a terminal, and the words for counts and sizes. */
import { AppError } from '../model/app-error.ts';
import type { CopyCounts } from '../model/copy-records.ts';

/** Prints results to standard output, one per line. */
export function printResult(...lines: readonly string[]): void {
  print(process.stdout, lines);
}

/** Prints a message to standard error, each line on its own. */
export function printMessage(...lines: readonly string[]): void {
  print(process.stderr, lines);
}

function print(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  clearStatus();
  stream.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
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

/** Starts to show progress on standard error, if that is a terminal. */
export function startProgress({ verb, counts, readBytes, sizeBytes }: ProgressOptions): Progress {
  const startedAt = performance.now();
  const done = () => `${verb} ${countsText(counts)}`;
  const total = sizeBytes === undefined ? '' : ` of ${sizeText(sizeBytes)}`;
  const status = startStatus(() =>
    readBytes === undefined ? done() : `${done()}; ${sizeText(readBytes())}${total}`,
  );
  return {
    ...status,
    summary() {
      const elapsedMs = performance.now() - startedAt;
      const speed = Math.round((counts.point * 1000) / Math.max(1, elapsedMs));
      return `${done()} in ${secondsText(elapsedMs)} (${grouped(speed)} points/s)`;
    },
  };
}

/** A status line; disposing of it clears it. */
interface Status extends Disposable {
  /** Draws the line at once, before work during which no timer runs, such as a long statement of SQLite. */
  readonly draw: () => void;
}

/** Time after which the status line appears. */
const quietMs = 1000;
const redrawMs = 250;

/** Keeps a status line up to date on standard error, if that is a terminal. */
export function startStatus(line: () => string): Status {
  const startedAt = performance.now();
  const draw = () => {
    if (process.stderr.isTTY) process.stderr.write(`${startOfLine}${oneLine(line())}`);
  };
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

/** The text of an error: a fault that is expected, with its place, or a bug. */
export function errorText(error: unknown): string {
  if (error instanceof AppError)
    return error.place === undefined ? error.message : `${error.place}: ${error.message}`;
  return `a bug in plugin-metrics, please report it: ${error instanceof Error ? error.stack : error}`;
}

const nouns = ['software', 'plugin', 'chart', 'point', 'snapshot', 'event'] as const;

/** Counts by their nouns: those of a copy (`point`), or those of a store (`pointCount`). */
export type CountsByNoun = { readonly [Noun in (typeof nouns)[number] as Noun | `${Noun}Count`]?: number };

/** Renders counts, such as `1 software, 2 plugins, 3 charts, 1,000 points`. */
export function countsText(counts: CountsByNoun): string {
  return nouns
    .flatMap((noun) => {
      const count = counts[noun] ?? counts[`${noun}Count`];
      // Few stores have snapshots and events.
      const isShown = count !== undefined && (count > 0 || (noun !== 'snapshot' && noun !== 'event'));
      return isShown ? [counted(count, noun)] : [];
    })
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

/** Renders a time, such as `1.25 s`. */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Renders a size, such as `41 kB` and `12.3 MB`. */
export function sizeText(byteCount: number): string {
  return byteCount < 1e6 ? `${Math.round(byteCount / 1000)} kB` : `${(byteCount / 1e6).toFixed(1)} MB`;
}
