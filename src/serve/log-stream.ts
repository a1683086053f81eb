/** The log of a server: lines on standard error, which never block on their reader. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import sonicBoom from 'sonic-boom';
import { writeLine } from '../http/logs.ts';

/** Largest write to a pipe that Linux does not mix with those of other workers (PIPE_BUF). */
const maxWriteBytes = 4096;

/** Limit on the bytes of waiting lines; lines beyond it are dropped, and counted. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** Longest wait at the end until the rest has been read. */
const maxEndMs = 1000;

/** Lines on their way to standard error. Disposing of it writes what is pending, if it is being read. */
export class LogStream implements AsyncDisposable {
  readonly #stream = new sonicBoom.SonicBoom({
    fd: 2,
    sync: false,
    maxWrite: maxWriteBytes,
    maxLength: maxWaitingBytes,
  });
  #droppedCount = 0;
  #isEnded = false;

  constructor() {
    this.#stream.on('drop', () => this.#droppedCount++);
    this.#stream.on('drain', () => this.#reportDropped());
    // There is no reader any more, so lines wait until they are dropped.
    this.#stream.on('error', () => {});
  }

  /** Writes a line soon, with its end; never throws. */
  write(line: string): void {
    if (!this.#isEnded) this.#stream.write(line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#reportDropped();
    this.#isEnded = true;
    this.#stream.end();
    const timeUp = sleep(maxEndMs, undefined, { ref: false });
    await Promise.race([once(this.#stream, 'close').catch(() => {}), timeUp]);
    this.#stream.destroy();
  }

  #reportDropped(): void {
    const count = this.#droppedCount;
    if (count === 0) return;
    this.#droppedCount = 0;
    const message = 'log lines dropped: stderr is not being read';
    writeLine(this, { level: 'warn', time: new Date().toISOString(), count, message });
    // There was no room for the line about dropped lines.
    if (this.#droppedCount > 0) this.#droppedCount = count;
  }
}
