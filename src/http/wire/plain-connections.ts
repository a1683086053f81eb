/**
 * The first stage of a connection. As long as its requests are plain they are answered from their bytes, which
 * takes half of what an HTTP parser with its request and response objects takes. At the first request that is
 * not plain, or whose answer is an error, the connection is handed over to Node's HTTP server for good.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { keepAliveSeconds } from './headers.ts';
import { type PlainRequest, parsePlainRequest } from './plain-request.ts';

/** Writes the answer to a plain request; false where the request wants the ordinary way. */
export type PlainAnswerer = (request: PlainRequest, socket: Socket) => boolean | Promise<boolean>;

/** Longer requests are left to the parser, which has limits. */
const maxPlainBytes = 4096;

/** The connections that are still in the first stage. */
export interface PlainConnections {
  /** Closes those that wait for a request and have nothing left to send. */
  readonly closeIdle: () => void;
  /** Closes all of them, whatever they are at. */
  readonly closeAll: () => void;
}

/** Puts the stage before the HTTP server. */
export function answerPlainRequests(server: Server, answer: PlainAnswerer): PlainConnections {
  const [parseConnection] = server.listeners('connection');
  server.removeAllListeners('connection');
  const waiting = new Set<Socket>();
  const answering = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const onData = (bytes: Buffer) => {
      const isPlain = server.listening && bytes.length <= maxPlainBytes && socket.writableLength === 0;
      const request = isPlain ? parsePlainRequest(bytes.toString('latin1')) : undefined;
      const answered = request === undefined ? false : answer(request, socket);
      if (answered === false) handOver(bytes);
      else if (answered !== true) void answerLater(answered, bytes);
    };
    const answerLater = async (answered: Promise<boolean>, bytes: Buffer) => {
      // Neither more requests nor their end come before the answer: the answers stay in order, and a connection
      // whose end has been read could not be handed over.
      socket.pause();
      waiting.delete(socket);
      answering.add(socket);
      const isAnswered = await answered;
      answering.delete(socket);
      if (!isAnswered) handOver(bytes);
      else if (!socket.destroyed) {
        waiting.add(socket);
        socket.resume();
      }
    };
    const close = () => socket.destroy();
    // A client may say that it will ask no more and still wait for its answer.
    const end = () => socket.end();
    const forget = () => waiting.delete(socket);
    const handOver = (bytes: Buffer) => {
      forget();
      socket
        .off('data', onData)
        .off('end', end)
        .off('error', close)
        .off('timeout', close)
        .off('close', forget);
      if (socket.destroyed) return;
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(bytes);
      parseConnection?.call(server, socket);
      process.nextTick(() => socket.resume());
    };
    waiting.add(socket);
    socket.setTimeout(keepAliveSeconds * 1000);
    socket.on('data', onData).on('end', end).on('error', close).on('timeout', close).on('close', forget);
  });
  return {
    closeIdle: () => {
      for (const socket of waiting) if (socket.writableLength === 0) socket.destroy();
    },
    closeAll: () => {
      for (const socket of [...waiting, ...answering]) socket.destroy();
    },
  };
}
