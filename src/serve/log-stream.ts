/** The log of a server: lines on standard error, which never wait for their reader. */
import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const standardError = 2;

/** Writes to a pipe up to this size stay whole beside those of other workers (PIPE_BUF of Linux). */
const maxWriteBytes = 4096;

/** Limit on the lines that wait for the reader; lines beyond it are dropped, and counted. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** Delay of lines that do not fill a write, and interval between tries while a pipe is full. */
const pauseMs = 100;

/** Shortest interval between two reports of dropped lines while others are still written. */
const reportMs = 1000;

/** Longest wait at the end for a reader of what has not been written yet. */
const maxEndMs = 1000;

/** Lines on their way to standard error. Disposing of it writes what is pending, if it is being read. */
export class LogStream implements AsyncDisposable {
  /** Blocks of whole lines, each as large as a write; the last one is still being filled. */
  readonly #blocks: string[] = [];
  #lastBlockBytes = 0;
  #waitingBytes = 0;
  #droppedCount = 0;
  #reportedAt = 0;
  #isWriting = false;
  #isGivenUp = false;
  #timer: NodeJS.Timeout | undefined;
  /** Called at the end, when nothing is left to be written. */
  #onDrained: (() => void) | undefined;

  /** Writes a line soon, with its end; never throws. */
  write(line: string): void {
    const sizeBytes = Buffer.byteLength(line);
    if (this.#waitingBytes + sizeBytes > maxWaitingBytes) this.#droppedCount++;
    else this.#add(line, sizeBytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#reportDropped();
    const drained = new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
    this.#writeNext();
    await Promise.race([drained, sleep(maxEndMs, undefined, { ref: false })]);
    this.#isGivenUp = true;
  }

  #add(line: string, sizeBytes: number): void {
    const isFull = this.#lastBlockBytes + sizeBytes > maxWriteBytes;
    const last = isFull ? '' : (this.#blocks.pop() ?? '');
    this.#blocks.push(last + line);
    this.#lastBlockBytes = sizeBytes + (last === '' ? 0 : this.#lastBlockBytes);
    this.#waitingBytes += sizeBytes;
    if (this.#blocks.length > 1) this.#writeNext();
    else this.#timer ??= setTimeout(() => this.#writeNext(), pauseMs).unref();
  }

  #writeNext(): void {
    if (this.#isWriting) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const block = this.#blocks.shift();
    if (block === undefined) {
      this.#onDrained?.();
      return;
    }
    this.#isWriting = true;
    this.#writeBytes(Buffer.from(block));
  }

  #writeBytes(bytes: Buffer): void {
    write(standardError, bytes, (error, writtenBytes) => {
      if (error?.code === 'EAGAIN') {
        if (!this.#isGivenUp) setTimeout(() => this.#writeBytes(bytes), pauseMs);
        return;
      }
      // After any other error there is no reader.
      const doneBytes = error === null ? writtenBytes : bytes.length;
      this.#waitingBytes -= doneBytes;
      if (doneBytes < bytes.length) {
        this.#writeBytes(bytes.subarray(doneBytes));
        return;
      }
      this.#isWriting = false;
      if (this.#blocks.length === 0 || performance.now() - this.#reportedAt > reportMs) this.#reportDropped();
      this.#writeNext();
    });
  }

  /** Adds a line about dropped ones, for which there is always room: it follows a write, or ends the log. */
  #reportDropped(): void {
    if (this.#droppedCount === 0) return;
    const report = {
      level: 'warn',
      time: new Date().toISOString(),
      count: this.#droppedCount,
      message: 'log lines dropped: stderr is not being read',
    };
    this.#droppedCount = 0;
    this.#reportedAt = performance.now();
    const line = `${JSON.stringify(report)}\n`;
    this.#add(line, line.length);
  }
}
