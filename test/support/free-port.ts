/** Finds ports for programs that must be given a port. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * The ports are below those that the system assigns by itself: it may assign one of those to a client before
 * the program listens, or while the program is down, even to a client of the program.
 */
const firstPort = 10_000;
const lastPort = firstHandedOut();

const given = new Set<number>();

/** Finds a port on which nothing listens; each call finds another. */
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

/**
 * Finds the first port that the system assigns by itself: usually 32,768 or higher, but 16,000 in containers
 * with a network of their own.
 */
function firstHandedOut(): number {
  const usual = 32_768;
  try {
    const [first = usual] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
      .split(/\s+/)
      .map(Number);
    return first > firstPort ? first : usual;
  } catch {
    // Only Linux has this file.
    return usual;
  }
}
