/** Addresses that servers listen on. */

/** An address to listen on. */
export interface ListenAddress {
  /** A name or an IP address. */
  readonly host: string;
  readonly port: number;
  /** The descriptor of a socket that listens already, in place of both; in a worker that of its supervisor. */
  readonly fd?: number | undefined;
}

/** Renders an address as a URL, such as `http://127.0.0.1:8080`. */
export function addressUrl({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
