/** Addresses that servers listen on. */

/** An address to listen on. */
export interface ListenAddress {
  /** A name or an IP address. */
  readonly host: string;
  readonly port: number;
}

/** Renders an address as a URL, such as `http://127.0.0.1:8080`. */
export function addressUrl({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
