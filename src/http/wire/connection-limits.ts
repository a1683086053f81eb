/** Limits on open connections, of all clients and of one address. */
import type { Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import { type DropReason, openConnections } from '../metrics.ts';
import type { ClientAddresses } from './client-addresses.ts';

/** Counts the open connections. */
export class ConnectionLimits {
  readonly #limits: Limits;
  readonly #clients: ClientAddresses;
  readonly #openByClient = new Map<string, number>();
  #openCount = 0;

  constructor(limits: Limits, clients: ClientAddresses) {
    this.#limits = limits;
    this.#clients = clients;
  }

  /** Counts a connection until it closes, or gives the reason to drop it. */
  admit(socket: Socket): DropReason | undefined {
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    if (this.#openCount >= maxConnections) return 'too_many';
    const client = this.#clients.limitKey(socket.remoteAddress ?? '');
    const ofClient = client === undefined ? 0 : (this.#openByClient.get(client) ?? 0);
    if (ofClient >= maxConnectionsPerAddress) return 'too_many_of_address';
    this.#openCount++;
    openConnections.inc();
    if (client !== undefined) this.#openByClient.set(client, ofClient + 1);
    socket.once('close', () => this.#forget(client));
    return undefined;
  }

  #forget(client: string | undefined): void {
    this.#openCount--;
    openConnections.dec();
    if (client === undefined) return;
    const left = (this.#openByClient.get(client) ?? 1) - 1;
    if (left === 0) this.#openByClient.delete(client);
    else this.#openByClient.set(client, left);
  }
}
