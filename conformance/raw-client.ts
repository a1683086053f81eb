/** Sends bytes unchanged over a socket, for messages that no HTTP client would send. */

import net from 'node:net';
import tls from 'node:tls';
import type { Answer } from './answer.ts';
import type { Target } from './http-client.ts';
import { parseAnswers } from './raw-answer.ts';

/** Wait for unexpected bytes, after all expected answers. */
const SURPLUS_WAIT_MS = 30;

/**
 * Sends `raw` (one byte for each character) and reads the answers. Rejects if the connection ends or time
 * runs out before `answerCount` complete answers, or if there are more.
 */
export async function sendRaw(target: Target, raw: string, answerCount: number): Promise<readonly Answer[]> {
  const bytes = await exchange(target, Buffer.from(raw, 'latin1'), (received, closed) => {
    const { answers } = parseAnswers(received, methodsOf(raw), closed);
    return answers.length >= answerCount;
  });
  const { answers, rest } = parseAnswers(bytes, methodsOf(raw), true);
  if (answers.length < answerCount) {
    throw new Error(`${answers.length} of ${answerCount} answers came before the connection ended`);
  }
  if (answers.length > answerCount || rest > 0) throw new Error('more came than the awaited answers');
  return Promise.all(answers.map((answer) => answer()));
}

/** The methods of the requests in the text, in order: an answer to HEAD has no body. */
function methodsOf(raw: string): readonly string[] {
  return [...raw.matchAll(/^([A-Za-z]+) [^\r\n]* HTTP\/[0-9.]+\r$/gm)].map((match) => match[1] ?? '');
}

function exchange(
  { url, timeoutMs }: Target,
  request: Buffer,
  isComplete: (received: Buffer, closed: boolean) => boolean,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port === '' ? (secure ? 443 : 80) : url.port);
  const servername = net.isIP(host) === 0 ? host : '';
  const socket = secure ? tls.connect({ host, port, servername }) : net.connect({ host, port });
  let received = Buffer.alloc(0);
  let surplusTimer: NodeJS.Timeout | undefined;
  const finish = (): void => {
    socket.destroy();
    resolve(received);
  };
  const timer = setTimeout(() => {
    socket.destroy();
    reject(new Error(`no complete answer within ${timeoutMs} ms`));
  }, timeoutMs);
  socket.on(secure ? 'secureConnect' : 'connect', () => socket.write(request));
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (isComplete(received, false)) surplusTimer ??= setTimeout(finish, SURPLUS_WAIT_MS);
  });
  socket.on('end', finish);
  // A reset after the answer is how a server drops unread input.
  socket.on('error', (error) => (received.length > 0 ? finish() : reject(error)));
  return promise.finally(() => {
    clearTimeout(timer);
    clearTimeout(surplusTimer);
  });
}
