/** A proxy that counts the bytes of a server's responses. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The proxy. */
export interface CountedWay extends AsyncDisposable {
  readonly url: string;
  /** Bytes received so far, heads and bodies. */
  readonly sizeBytes: () => number;
}

/** Opens a proxy to the server at this URL. */
export async function countBytes(url: string): Promise<CountedWay> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let sizeBytes = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstream.on('data', (bytes) => {
      sizeBytes += bytes.length;
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sizeBytes: () => sizeBytes,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
