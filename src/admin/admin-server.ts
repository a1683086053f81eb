/** The listener of the admin pages. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { listenOn } from '../http/listen-on.ts';
import { splitTarget } from '../http/router.ts';
import { addressUrl, type ListenAddress } from '../model/listen-address.ts';
import type { AdminPages } from './admin-pages.ts';

/** A running listener. Disposing of it closes its connections, after the pending responses that clients read at once. */
export interface AdminServer extends AsyncDisposable {
  /** Address of the listener, for example `http://127.0.0.1:9090`. */
  readonly url: string;
}

const maxConnections = 256;

/** Time limits of a client: to send a request, and to read its response. */
const requestTimeoutMs = 10_000;
const sendTimeoutMs = 30_000;

/** Time limit of a stop for clients that do not read their responses or do not finish their requests. */
const stopTimeoutMs = 500;

/**
 * Starts to listen.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdminServer(
  pages: AdminPages,
  listenAddress: ListenAddress,
): Promise<AdminServer> {
  /** Connections with a pending response. */
  const busy = new Set<Socket>();
  let boundAddress = listenAddress.host;
  const answer = async (
    { method, url: target = '', headersDistinct, socket }: IncomingMessage,
    response: ServerResponse,
  ) => {
    // Requests that are sent ahead would be answered all at once, and delay the requests of others.
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
    const { path, host } = splitTarget(target);
    const { host: named = [] } = headersDistinct;
    const hosts = host === undefined || named.length > 1 ? named : [host];
    const { status, headers, body } = await pages.answer({ method, path, hosts, boundAddress });
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
    response.end(method === 'HEAD' ? undefined : body);
  };
  const timeouts = { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs };
  const server = createServer(
    { ...timeouts, requireHostHeader: false },
    (...exchange) => void answer(...exchange),
  );
  server.maxConnections = maxConnections;
  server.timeout = sendTimeoutMs;
  await listenOn(server, listenAddress);
  const { address: host, port } = server.address() as AddressInfo;
  boundAddress = host;
  return {
    url: addressUrl({ host, port }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      const timer = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
