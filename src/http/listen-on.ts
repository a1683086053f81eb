/** Makes a server listen, and explains why it cannot. */
import type { Server } from 'node:http';
import { AppError } from '../model/app-error.ts';
import type { ListenAddress } from '../model/listen-address.ts';

/**
 * Makes a server listen, and resolves when it does.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export function listenOn(server: Server, address: ListenAddress): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(unusableAddress(address, error));
    server.once('error', fail);
    server.listen({ host, port }, () => {
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
