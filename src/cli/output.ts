/** What the commands print. Only this file writes to standard output and standard error. */

/** Prints results to standard output, one per line. */
export function printResult(...lines: readonly string[]): void {
  clearStatus();
  process.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

/** Prints a message to standard error. */
export function printMessage(line: string): void {
  if (isMute) return;
  clearStatus();
  process.stderr.write(`${oneLine(line)}\n`);
}

/** Prints text of this program's own to standard error as it is. */
export function printHelp(text: string): void {
  if (!isMute) process.stderr.write(text);
}

let isMute = false;

/** Suppresses all further output to standard error: it is a file that must not be written. */
export function muteMessages(): void {
  isMute = true;
}

/** Prints text of this program's own to standard output as it is. */
export function printDocument(text: string): void {
  process.stdout.write(text);
}

/** Whether standard error is a terminal, so that {@link drawStatus} makes sense. */
export function isWatched(): boolean {
  return process.stderr.isTTY;
}

let isStatusDrawn = false;

/** Draws the status line on the terminal, in place of the one before. */
export function drawStatus(line: string): void {
  process.stderr.write(`${startOfLine}${oneLine(line)}`);
  isStatusDrawn = true;
}

/** Makes room for something else. */
export function clearStatus(): void {
  if (isStatusDrawn) process.stderr.write(startOfLine);
  isStatusDrawn = false;
}

/** Goes there, and erases what stands in the line. */
const startOfLine = '\r\u001b[K';

/**
 * Calls back when standard output cannot be written: a reader that has gone or a full disk ends a command with a
 * message, not with a crash. A failure of standard error is ignored: there is nowhere to report it.
 */
export function watchOutput(onError: (reason: string) => void): void {
  process.stdout.on('error', (error) => onError(error.message));
  process.stderr.on('error', () => {});
}

/**
 * Ends the process soon although what it has written to a pipe is not being read: it would wait for that without end. Called when
 * nothing else is left to do.
 */
export function endDespiteOutput(): void {
  setTimeout(() => process.exit(), maxOutputMs).unref();
}

/** Longest wait for a reader of the last lines. */
const maxOutputMs = 1000;

/**
 * The text with escapes for what would end the line, steer a terminal or change the order in which it is read: control and
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
