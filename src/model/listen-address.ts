/** Addresses that servers listen on. */
import { AppError } from './app-error.ts';

/** An address to listen on. */
export interface ListenAddress {
  /** A name or an IP address. */
  readonly host: string;
  readonly port: number;
  /** True to let other processes listen there too (`SO_REUSEPORT`). */
  readonly reusePort?: boolean;
}

/** Renders an address as a URL, such as `http://127.0.0.1:8080`. */
export function addressUrl({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The methods of a server that {@link listenOn} calls. */
export interface ListeningServer {
  readonly once: (event: 'error', listener: (error: Error) => void) => unknown;
  readonly off: (event: 'error', listener: (error: Error) => void) => unknown;
  readonly listen: (address: ListenAddress, onListening: () => void) => unknown;
}

/**
 * Makes a server listen, and resolves when it does.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export function listenOn(server: ListeningServer, address: ListenAddress): Promise<void> {
  const { host, port, reusePort = false } = address;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(unusableAddress(address, error));
    server.once('error', fail);
    server.listen({ host, port, reusePort }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** Explains why listening failed; an error without a code is a bug and stays as it is. */
function unusableAddress({ host, port }: ListenAddress, error: Error): Error {
  if (!('code' in error)) return error;
  const reason = reasons[String(error.code)] ?? error.message;
  return new AppError('unavailable', `cannot listen on ${host}:${port}: ${reason}`, { cause: error });
}
