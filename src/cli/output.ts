/** Messages and results of the commands. */

/** Prints results to standard output, one per line. */
export function printResult(...lines: readonly string[]): void {
  clearStatus();
  process.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

/** Prints a message to standard error. */
export function printMessage(line: string): void {
  clearStatus();
  process.stderr.write(`${oneLine(line)}\n`);
}

/** Prints text to standard error as it is: only text of this program. */
export function printHelp(text: string): void {
  process.stderr.write(text);
}

/** Prints text to standard output as it is: only text of this program. */
export function printDocument(text: string): void {
  process.stdout.write(text);
}

/** True if standard error is a terminal, which shows status lines. */
export function isWatched(): boolean {
  return process.stderr.isTTY;
}

/** Draws the status line on the terminal, over the one before. */
export function drawStatus(line: string): void {
  process.stderr.write(`${startOfLine}${oneLine(line)}`);
}

/** Erases the status line, if there may be one. */
export function clearStatus(): void {
  if (isWatched()) process.stderr.write(startOfLine);
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
