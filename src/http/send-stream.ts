/** Sends bodies that are too large to be whole, as they are made. */
import type { ServerResponse } from 'node:http';
import { release } from '../model/own-pages.ts';
import type { StreamedBody } from './make-body.ts';

/** Longest time of a stream: the state that it holds keeps a store from giving back the room of older rows (CONTRACT 1.5). */
const maxMs = 30 * 60_000;

/** Slowest reader, on average; not judged in the first minute. */
const minBytesPerMs = (256 * 1024) / 1000;
const graceMs = 60_000;

/** Interval at which a stream is looked at. */
const lookMs = 250;

/** Options of {@link sendStream}. */
interface StreamOptions {
  /** The clock, in milliseconds. */
  readonly now: () => number;
  /** Called if the body could not be made. */
  readonly onFailed: (error: unknown) => void;
  /** Called if the reader is too slow. */
  readonly onCut: () => void;
  /** Called at the end, however it ended. */
  readonly onEnded: (bodyBytes: number) => void;
}

/**
 * Sends a body in step with its reader, and gives it up once the reader has gone or closed its side. A body that cannot be finished ends
 * with a reset of the connection, so that nobody takes it for whole: in HTTP/1.0 its end is that of the connection.
 */
export async function sendStream(
  response: ServerResponse,
  { chunks }: Pick<StreamedBody, 'chunks'>,
  { now, onFailed, onCut, onEnded }: StreamOptions,
): Promise<void> {
  const { socket } = response.req;
  const startedAt = now();
  let sentBytes = 0;
  // Only the time for which the reader was waited for counts against it.
  let waitedMs = 0;
  let waitsSince: number | undefined;
  const usualTimeoutMs = socket.timeout ?? 0;
  socket.setTimeout(0);
  const timer = setInterval(() => {
    const lastedMs = now() - startedAt;
    const allWaitedMs = waitedMs + (waitsSince === undefined ? 0 : now() - waitsSince);
    if (lastedMs <= maxMs && (lastedMs <= graceMs || sentBytes >= allWaitedMs * minBytesPerMs)) return;
    onCut();
    socket.resetAndDestroy();
  }, lookMs);
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  const leave = () => {
    socket.destroy();
    gone.reject(new Error('the client has gone'));
  };
  socket.once('close', leave).once('end', leave);
  const write = (chunk: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      response.write(chunk, (error) => (error == null ? resolve() : reject(error)));
    });
  try {
    for await (const chunk of chunks) {
      const since = now();
      waitsSince = since;
      await Promise.race([write(chunk), gone.promise]);
      waitsSince = undefined;
      waitedMs += now() - since;
      sentBytes += chunk.length;
      release(chunk);
    }
    response.end();
  } catch (error) {
    if (socket.destroyed) return;
    onFailed(error);
    socket.resetAndDestroy();
  } finally {
    clearInterval(timer);
    socket.off('close', leave).off('end', leave);
    socket.setTimeout(usualTimeoutMs);
    onEnded(sentBytes);
  }
}
