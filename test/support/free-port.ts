/** Ports for programs that have to be told theirs. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Below the ports that the system hands out by itself: one of those may go to a client before the program listens, or while it is
 * away, even to a client that connects to it.
 */
const firstPort = 10_000;
const lastPort = firstHandedOut();

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

/** Finds the first port that the system hands out: most begin at 32,768 or later, containers with a network of their own at 16,000. */
function firstHandedOut(): number {
  const usual = 32_768;
  try {
    const [first = usual] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
      .split(/\s+/)
      .map(Number);
    return first > firstPort ? first : usual;
  } catch {
    // Only Linux says it.
    return usual;
  }
}
