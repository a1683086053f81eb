/** Addresses that servers listen on, in words. */
import { AppError } from './app-error.ts';

/** Where a server listens. */
export interface ListenAddress {
  /** A name or an IP address. */
  readonly host: string;
  readonly port: number;
}

/** Such as `http://127.0.0.1:8080`. */
export function addressUrl({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** What listening failed with as an AppError `unavailable`; a bug as it is. */
export function unusableAddress({ host, port }: ListenAddress, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const reason = reasons[String(error.code)] ?? error.message;
  return new AppError('unavailable', `cannot listen on ${host}:${port}: ${reason}`, { cause: error });
}
