/** Output of the commands: results, messages, progress on a terminal, and the words for counts and sizes. */
import { fstatSync } from 'node:fs';
import { renderLogLine, writePriorities } from '../http/logs.ts';
import { AppError } from '../model/app-error.ts';
import type { CopyCounts } from '../model/copy-records.ts';
import type { OnProgress } from '../model/store.ts';
import { writeFault } from '../runtime/system-faults.ts';

/** Prints results to standard output, one per line. */
export function printResult(...lines: readonly string[]): void {
  print(process.stdout, lines);
}

/** Prints a message to standard error, line by line; as lines of JSON while messages are log lines. */
export function printMessage(...lines: readonly string[]): void {
  const shown = lines.map((line) => secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line));
  if (!isLog) print(process.stderr, shown);
  else for (const line of shown) process.stderr.write(renderLogLine(logLine(line)));
}

let secrets: readonly string[] = [];

/**
 * Hides these values and their words in later messages, because a server may repeat what it was sent. Short
 * words are not secrets.
 */
export function hideInMessages(values: readonly string[]): void {
  secrets = values.flatMap((value) => [value, ...value.split(/\s+/)]).filter(({ length }) => length >= 8);
}

let isLog = false;

/**
 * Turns messages of a command that runs until a signal into log lines, unless standard error is a terminal.
 */
export function logMessages(isLogged: boolean): void {
  isLog = isLogged && !process.stderr.isTTY;
  writePriorities(isLogged && isRead(process.env['JOURNAL_STREAM']));
}

/**
 * True if the journal of systemd reads standard error: its variable has the device and the inode
 * (systemd.exec(5)).
 */
function isRead(stream: string | undefined): boolean {
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(2);
  return stream === `${dev}:${ino}`;
}

function logLine(text: string) {
  const [, word, message = text] = /^(error|warning): (.*)$/s.exec(text) ?? [];
  const level = word === 'error' ? 'error' : word === 'warning' ? 'warn' : 'info';
  return { level, time: new Date().toISOString(), message: oneLine(message) } as const;
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
 * Calls back if standard output cannot be written, so that a full disk ends a command with a message and not
 * with a crash. A reader that closes the pipe, such as `head`, ends it quietly. A failure of standard error
 * is ignored, since there is nowhere to report it.
 */
export function watchOutput(onError: (reason: string) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && !isLog) process.exit(0);
    onError(writeFault(undefined, error));
  });
  process.stderr.on('error', () => {});
}

/**
 * Ends the process after a short wait. Called when all work is done, because a process whose output to a pipe
 * is not being read would otherwise never end.
 */
export function endDespiteOutput(): void {
  setTimeout(() => process.exit(), maxOutputMs).unref();
  // An idle process first loses its signal handlers, so a second signal would kill it.
  process.once('beforeExit', () => process.exit());
}

/** Longest wait for the last lines to be read. */
const maxOutputMs = 1000;

/**
 * Escapes the characters of a text that would end its line, control a terminal or change the reading order:
 * control and format characters (including bidi controls), line separators and lone surrogates.
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

/** Work in progress: its name, in the present tense, and its progress. */
export interface WorkStep {
  /** The name, for example `checking 1337/players`. */
  readonly doing: string;
  /** The completed share, 0 to 1; undefined if the total is unknown. */
  readonly share?: number | undefined;
  /** A count that grows, such as that of points, for the rate. */
  readonly rate?: { readonly count: number; readonly noun: string };
}

/** A copy of records in progress. */
interface ProgressOptions {
  /** The verbs for progress and summary: `['importing', 'imported']`. */
  readonly verbs: readonly [doing: string, done: string];
  readonly counts: Readonly<CopyCounts>;
  /** The copied share; left out if the total is unknown. */
  readonly share?: () => number | undefined;
}

/** Progress of a copy; disposing of it clears the status line. */
interface Progress extends Disposable {
  /** Summary of the copy: counts, time and speed. */
  readonly summary: () => string;
}

/** Starts to show the progress of a copy. */
export function startProgress({ verbs: [doing, done], counts, share }: ProgressOptions): Progress {
  const startedAt = performance.now();
  const status = startStatus(() => ({
    doing: `${doing} ${countsText(counts)}`,
    share: share?.(),
    rate: { count: counts.point, noun: 'point' },
  }));
  return {
    ...status,
    summary() {
      const elapsedMs = performance.now() - startedAt;
      const speed = Math.round((counts.point * 1000) / Math.max(1, elapsedMs));
      return `${done} ${countsText(counts)} in ${secondsText(elapsedMs)} (${grouped(speed)} points/s)`;
    },
  };
}

/** A status line; disposing of it clears it. */
interface Status extends Disposable {
  /** Draws the line at once, before work during which no timer runs, such as a long statement of SQLite. */
  readonly draw: () => void;
}

/** Time after which the status line appears. */
const quietMs = 2000;
const redrawMs = 250;
/** Interval of the lines if standard error is not a terminal. */
const lineMs = 60_000;

/** Reports progress on standard error: on one line of a terminal, elsewhere as one line per minute. */
export function startStatus(step: () => WorkStep): Status {
  const startedAt = performance.now();
  let nextLineMs = lineMs;
  const text = () => stepText(step(), performance.now() - startedAt);
  const draw = () => {
    if (process.stderr.isTTY) process.stderr.write(`${startOfLine}${oneLine(text())}`);
  };
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    if (process.stderr.isTTY && elapsedMs >= quietMs) draw();
    if (process.stderr.isTTY || elapsedMs < nextLineMs) return;
    printMessage(text());
    nextLineMs += lineMs;
  }, redrawMs);
  return {
    draw,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clearStatus();
    },
  };
}

function stepText({ doing, share, rate }: WorkStep, elapsedMs: number): string {
  const speed = rate === undefined ? 0 : Math.round((rate.count * 1000) / Math.max(1, elapsedMs));
  return [
    doing,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)} %`]),
    ...(speed === 0 ? [] : [`${grouped(speed)} ${rate?.noun}s/s`]),
    ...(share === undefined || share < 0.01
      ? []
      : [`${durationText((elapsedMs * (1 - share)) / share)} left`]),
  ].join('; ');
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** Starts the status of work that calls back. */
export function startCalledStatus(doing: string): Status & { readonly onProgress: OnProgress } {
  let step: WorkStep = { doing };
  const status = startStatus(() => step);
  status.draw();
  return {
    ...status,
    onProgress(doing, share) {
      step = { doing, share };
      if (share === 0) status.draw();
    },
  };
}

/** Says when a command that repeats its work does it next. */
export function sayNextRun(startAt: number): void {
  printMessage(`next run at ${new Date(startAt).toISOString()}`);
}

/** The text of an error: an expected fault with its place, or a bug. */
export function errorText(error: unknown): string {
  if (error instanceof AppError)
    return error.place === undefined ? error.message : `${error.place}: ${error.message}`;
  return `a bug in plugin-metrics, please report it: ${error instanceof Error ? error.stack : error}`;
}

/** The noun in messages for each thing that is counted. */
export const nouns = {
  software: 'software',
  plugin: 'plugin',
  chart: 'chart',
  point: 'point',
  historyTime: 'snapshot',
  event: 'event',
} as const;

/** Counts by what is counted: those of a copy (`point`) or of a store (`pointCount`). */
export type CountsByNoun = { readonly [Thing in keyof typeof nouns as Thing | `${Thing}Count`]?: number };

/** Renders counts, such as `1 software, 2 plugins, 3 charts, 1,000 points`. */
export function countsText(counts: CountsByNoun): string {
  return (Object.keys(nouns) as (keyof typeof nouns)[])
    .flatMap((thing) => {
      const count = counts[thing] ?? counts[`${thing}Count`];
      // Few stores have histories and events.
      const isShown = count !== undefined && (count > 0 || (thing !== 'historyTime' && thing !== 'event'));
      return isShown ? [counted(count, nouns[thing])] : [];
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
