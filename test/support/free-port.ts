/** Ports for programs that have to be told theirs. */
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out by themselves: one of those may go to a client before the program listens, or while it is
 * away, even to a client that connects to it.
 */
const [firstPort, lastPort] = [10_000, 32_000];

const given = new Set<number>();

/** Finds a port that nothing listens on: another one with each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
