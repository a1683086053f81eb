/** The log of requests as lines of JSON on standard error, in the form of the error log. */
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { RequestLog } from '../http/request-log.ts';

const standardError = 2;

/** Writes to a pipe up to this size stay whole beside those of other workers (PIPE_BUF of Linux). */
const writeBytes = 4096;

/** Lines beyond these are dropped, and counted, while nobody takes them. */
const maxWaitingBytes = 4 * 1024 * 1024;

const flushMs = 1000;

/** Longest wait at the end for a reader of what has not been written yet. */
const maxEndMs = 1000;

/** A log of requests. Disposing of it writes what is pending, if it is being read. */
export type PinoLog = RequestLog & AsyncDisposable;

/** Opens the log; lines are written in blocks, once a second at the latest. */
export function openRequestLog({ hasAddresses }: Pick<RequestLog, 'hasAddresses'>): PinoLog {
  const destination = pino.destination({
    fd: standardError,
    sync: false,
    minLength: writeBytes / 2,
    maxWrite: writeBytes,
    maxLength: maxWaitingBytes,
    // Tried again ten times a second, which would keep the process alive.
    retryEAGAIN: () => !isEnded,
  });
  let isEnded = false;
  let droppedCount = 0;
  destination.on('drop', () => droppedCount++);
  // Nobody is left to be told.
  destination.on('error', () => {});
  const options: pino.LoggerOptions = {
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  };
  const logger = pino(options, destination);
  const reportDropped = () => {
    if (droppedCount === 0) return;
    const count = droppedCount;
    droppedCount = 0;
    logger.warn({ count }, 'requests not logged: nobody takes the log');
    // There was no room for this line either.
    if (droppedCount > 0) droppedCount = count;
  };
  const timer = setInterval(() => {
    reportDropped();
    destination.flush();
  }, flushMs).unref();
  const flush = () => new Promise<void>((resolve) => destination.flush(() => resolve()));
  const writeRest = async () => {
    await flush();
    if (isEnded || droppedCount === 0) return;
    reportDropped();
    await flush();
  };
  return {
    hasAddresses,
    write: ({ durationMs, ...request }) => {
      const ms = durationMs === undefined ? {} : { durationMs: Math.round(durationMs * 1000) / 1000 };
      logger.info({ ...request, ...ms }, 'request');
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.race([writeRest(), sleep(maxEndMs, undefined, { ref: false })]);
      isEnded = true;
      // What is left is dropped: pino would write it when the process exits, and wait for that without end.
      destination.destroy();
    },
  };
}
