/** Addresses that servers listen on. */

/** An address to listen on. */
export interface ListenAddress {
  /** Host name or IP address. */
  readonly host: string;
  readonly port: number;
  /**
   * Descriptor of a socket that is already listening, instead of host and port; in a worker, a descriptor of
   * its supervisor.
   */
  readonly fd?: number | undefined;
}

/** Renders an address as a URL, such as `http://127.0.0.1:8080`. */
export function addressUrl({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
