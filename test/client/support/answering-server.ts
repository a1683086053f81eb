/** A server that sends the responses a test gives it, to imitate other servers and their faults. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after } from 'node:test';

/** A complete response, or a handler that writes its own. */
export type TestAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | ((response: ServerResponse) => void);

/** A running server and the requests it received. */
export interface AnsweringServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** The targets of the requests. */
  targets(): readonly string[];
}

/**
 * Starts a server with responses by target; an unlisted target is 404. Several responses are sent one after
 * the other, the last one from then on.
 */
export async function serveAnswers(
  answers: Readonly<Record<string, TestAnswer | readonly TestAnswer[]>>,
): Promise<AnsweringServer> {
  const requests: IncomingMessage[] = [];
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    requests.push(request);
    const target = request.url ?? '';
    const list = [answers[target] ?? { status: 404, body: 'not here' }].flat() as TestAnswer[];
    const count = counts.get(target) ?? 0;
    counts.set(target, count + 1);
    const answer = list[Math.min(count, list.length - 1)];
    if (typeof answer === 'function') answer(response);
    else response.writeHead(answer?.status ?? 200, { ...answer?.headers }).end(answer?.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    targets: () => requests.map(({ url }) => url ?? ''),
  };
}

/** Makes a response with this JSON. */
export function json(value: unknown): TestAnswer {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

/** Promises more bytes than it sends, and closes the connection. */
export function cutAnswer(body: string): TestAnswer {
  return (response) => {
    response.writeHead(200, { 'Content-Length': body.length + 10 });
    response.write(body, () => response.destroy());
  };
}

/** Closes the connection without a response. */
export const noAnswer: TestAnswer = (response) => void response.destroy();
