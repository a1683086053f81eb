/**
 * Sends responses through Node's response object: whole bodies, and streams of large ones while they are
 * made.
 */
import type { ServerResponse } from 'node:http';
import { release } from '../runtime/releasable-memory.ts';
import type { StreamedBody } from './make-body.ts';
import type { ReceivedRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** Options of {@link sendResponse}. */
interface SendOptions {
  /** Called if the body could not be made. */
  readonly onFailed: (error: unknown) => void;
  /** Called when a stream begins, with its turn or before, and when it has ended. */
  readonly onStream: (isStream: boolean) => void;
  /** Called when a whole body goes out, and at the end of a stream, however it ended. */
  readonly onSent: (bodyBytes: number) => void;
}

/**
 * Time for which a connection is still read before it is closed, because a reset may overtake the answer (RFC
 * 9112 9.6).
 */
export const lingerMs = 2000;

/** Sends a response, now or when its turn comes. */
export function sendResponse(
  { message, response }: ReceivedRequest,
  { status, headers, body, bodyBytes, contentLength, stream }: HttpResponse,
  options: SendOptions,
): void {
  const lengthHeader = contentLength === undefined ? [] : ['Content-Length', String(contentLength)];
  response.writeHead(status, [...headers, ...lengthHeader]);
  const isHead = message.method === 'HEAD';
  if (stream !== undefined && !isHead) {
    void sendStream(response, stream, options);
    return;
  }
  options.onSent(isHead ? 0 : bodyBytes);
  if (isHead || bodyBytes === 0) response.end();
  // Not ended at once: a connection whose response has ended counts as idle, and a stop would close it.
  // A request without a body has ended before its handler is called, and counts as complete only later.
  else if (response.shouldKeepAlive || message.complete || message.readableEnded)
    response.write(body, () => response.end());
  else {
    response.write(body);
    // Before the connection is closed, the rest of the request is read.
    const timer = setTimeout(() => response.end(), lingerMs);
    message.resume().once('close', () => {
      clearTimeout(timer);
      response.end();
    });
  }
}

/**
 * Sends a body in step with its reader, and stops once the reader has left or closed its side. A body that
 * cannot be finished ends with a reset of the connection, so that nobody takes it for complete: in HTTP/1.0,
 * a body ends with the connection.
 */
async function sendStream(
  response: ServerResponse,
  { chunks }: StreamedBody,
  { onFailed, onStream, onSent }: SendOptions,
): Promise<void> {
  const { socket } = response.req;
  let sentBytes = 0;
  onStream(true);
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
      await Promise.race([write(chunk), gone.promise]);
      sentBytes += chunk.length;
      release(chunk);
    }
    response.end();
  } catch (error) {
    if (socket.destroyed) return;
    onFailed(error);
    socket.resetAndDestroy();
  } finally {
    socket.off('close', leave).off('end', leave);
    onStream(false);
    onSent(sentBytes);
  }
}
